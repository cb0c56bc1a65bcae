import { findKnownPrompt } from '../../../errors/assert-known-slugs.ts'
import { findUsage, type UsageSite } from '../../../features/usage/usage.ts'
import { readText } from '../../../fs/files.ts'
import type { Command } from '../../args/command.ts'
import { defineProjectCommand, displayPath } from '../../project-command.ts'
import { codeLocation, codeOptions } from '../../output/impact-view.ts'
import { showJson, type ShowJson } from './json-show.ts'
import { pluralize, formatCount } from '../../../core/text/pluralize.ts'
import { splitLines } from '../../../core/text/lines.ts'
import { type PinnedPrompt, promptTexts } from '../../../core/prompt.ts'
import { NOTE_MEANING } from '../../../core/notes.ts'
import { parseTemplate } from '../../../core/template.ts'
import { sanitize, makeVisible } from '../../../core/text/sanitize.ts'
import type { Segment } from '../../../features/diff/text-diff.ts'
import { displayNames, formatPlace } from '../../output/change-view.ts'
import { type Channel, printRows, printNumberedLine } from '../../output/channel.ts'
import type { Terminal } from '../../output/terminal.ts'

/** `prompts show`. */
export const show: Command = defineProjectCommand({
  argument: {
    placeholder: '<slug>',
    description: 'The prompt, as `prompts list` names it',
    maxCount: 1,
    missing: 'Name a prompt to show.',
  },
  details: ['Reads the lock. Needs neither a network nor a key.'],
  options: {
    usage: { description: 'Also show where the code of the app uses it' },
    ...codeOptions,
  },
  examples: [
    ['prompts show support-triage', 'its settings and its texts with the tokens marked'],
    ['prompts show support-triage --usage', 'also where the app uses it'],
    ['prompts show support-triage --json | jq -r .system', 'the system text alone'],
  ],
  async run(invocation) {
    const { terminal, project, values, positionals } = invocation
    const [slug = ''] = positionals
    const lock = await project.readLock()
    const { path } = project.lock
    const prompt = findKnownPrompt(slug, lock.prompts, displayPath(path, invocation))
    const used = values.usage
      ? await findUsage({ lock, ...(await codeLocation(invocation)) })
      : undefined
    const usage = used?.prompts.find((each) => each.slug === slug)?.sites
    const json = showJson(prompt, lock, { path, text: (await readText(path)) ?? '', usage })
    terminal.json(json)
    if (!terminal.isJson) printShow(prompt, json, terminal)
    return 0
  },
})

/** Prints one prompt: settings, variables, texts with their tokens marked, notes and uses. */
function printShow(prompt: PinnedPrompt, json: ShowJson, { stdout }: Terminal): void {
  const held = json.held === null ? '' : stdout.style('yellow', `  held: ${sanitize(json.held)}`)
  stdout.line(`${stdout.style('bold', sanitize(json.slug))}  ${sanitize(json.version)}${held}`)
  printRows(factsOf(json, stdout), stdout)
  for (const { field, text } of promptTexts(prompt)) {
    if (text !== '') printText(field, text, stdout)
  }
  printNotes(json.notes, stdout)
  if (json.usage !== undefined) printSites(json.usage, stdout)
}

function factsOf(json: ShowJson, channel: Channel): string[][] {
  const { identifier, slug, folder, model, temperature, variables, characters } = json
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['name', identifier === null ? `prompts[${JSON.stringify(slug)}]` : `prompts.${identifier}`],
    ['folder', folder === '' ? '(none)' : folder],
    ['model', model === '' ? '(none)' : model],
    ['temperature', String(temperature)],
    ['variables', variables.length === 0 ? '(none)' : displayNames(variables).join(', ')],
    ['size', pluralize(characters, 'character')],
    ['cacheable', pluralize(json.cacheablePrefix, 'character')],
  ]
  return facts.map(([name, value]) => [`  ${channel.dim(name)}`, sanitize(value)])
}

function printText(title: string, text: string, channel: Channel): void {
  channel.line('', `  ${channel.style('underline', title)}`)
  for (const [index, line] of splitLines(text).entries()) {
    const segments = parseTemplate(line.replace(/\r?\n$/, '')).map((part) =>
      typeof part === 'string'
        ? { text: displayText(part), changed: false }
        : { text: displayText(part.raw), changed: true },
    )
    const paint = (part: Segment): string =>
      part.changed ? channel.style('cyan', part.text) : part.text
    printNumberedLine({ number: index + 1, segments, paint }, channel)
  }
}

function displayText(text: string): string {
  return makeVisible(text).replaceAll('\t', '    ')
}

/** More notes than this are only counted. */
const NOTES_SHOWN = 20

function printNotes(notes: ShowJson['notes'], channel: Channel): void {
  if (notes.length === 0) return
  const title = `${pluralize(notes.length, 'note')}. ${NOTE_MEANING} stay text:`
  channel.line('', channel.mark('warning', title))
  const rows = notes
    .slice(0, NOTES_SHOWN)
    .map(({ field, line, column, excerpt }) => [`  ${field}:${line}:${column}`, sanitize(excerpt)])
  printRows(rows, channel)
  const hidden = notes.length - NOTES_SHOWN
  if (hidden > 0) channel.line(channel.dim(`  … and ${formatCount(hidden)} more`))
}

function printSites(sites: readonly UsageSite[], channel: Channel): void {
  channel.line('', sites.length === 0 ? 'No code uses it.' : `${pluralize(sites.length, 'use')}:`)
  const rows = sites.map((site) => [`  ${formatPlace(site)}`, channel.dim(site.kind)])
  printRows(rows, channel)
}
