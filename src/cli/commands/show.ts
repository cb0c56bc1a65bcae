import { cacheablePrefix } from '../../core/classify-change.ts'
import { heldPrompts } from '../../core/drift.ts'
import { locateParts } from '../../core/lock/lock-lines.ts'
import { findNotes, type Note, NOTE_MEANING, NOTE_REASONS } from '../../core/notes.ts'
import {
  describePart,
  isEdited,
  type PinnedPrompt,
  promptTexts,
  viewOf,
} from '../../core/prompt.ts'
import { parseTemplate } from '../../core/template.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { maskSecrets } from '../../core/secrets.ts'
import { makeVisible, sanitize } from '../../core/text/sanitize.ts'
import { findKnownPrompt } from '../../errors/assert-known-slugs.ts'
import type { UsageSite } from '../../judge/analyse-usage.ts'
import { readText } from '../../fs/files.ts'
import { codeOptions, findUsage } from '../project/analyse.ts'
import { slugArgument, viewOption } from '../project/options.ts'
import { defineProjectCommand, selectView } from '../project/project-command.ts'
import type { Channel, Terminal } from '../shell/terminal.ts'
import type { Command } from '../shell/command.ts'
import {
  displayNames,
  displayText,
  formatPlace,
  framesBelow,
  printHeldSection,
  printUnheldEdits,
} from '../view/change-view.ts'
import { jsonOf, type ListedPromptJson } from '../view/json.ts'

/** `prompts show --json`. Texts are as served: escape them before showing. */
export interface ShowJson
  extends Omit<ListedPromptJson, 'update'>, Pick<PinnedPrompt, 'system' | 'user' | 'source'> {
  /** Path of the lock, absolute. */
  readonly lock: string
  /** Line of the lock where the prompt is, counted from 1; `null` if the lock is not printed by line. */
  readonly line: number | null
  /** The length of the constant text before the first variable, which providers of models can cache. */
  readonly cacheablePrefix: number
  readonly notes: readonly Note[]
  /** Only with `--usage`: where the code of the app uses the prompt. */
  readonly usage?: readonly UsageSite[]
}

/** `prompts show`. */
export const show: Command = defineProjectCommand({
  argument: slugArgument('Name a prompt to show.'),
  details: ['Reads the lock. Needs neither a network nor a key.'],
  options: {
    ...viewOption,
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
    const { view, listed, noun } = selectView(lock, invocation)
    const prompt = findKnownPrompt(slug, listed, noun, lock.parts)
    // What only staging has is in no live view.
    const own = view.prompts.includes(prompt) ? view : viewOf(lock, prompt.environment)
    const text = (await readText(path)) ?? ''
    const report = values.usage ? await findUsage(invocation, lock) : undefined
    const usage = report?.prompts.find((pinned) => pinned.slug === slug)?.sites
    const { system, user, source } = prompt
    const mask = (one: string): string => maskSecrets(one, project.options.secrets)
    const json: ShowJson = {
      ...jsonOf(lock, own)(prompt),
      lock: path,
      line: locateParts(text)(prompt) ?? null,
      system,
      user,
      source,
      cacheablePrefix: cacheablePrefix(prompt),
      notes: findNotes(prompt, Number.POSITIVE_INFINITY, mask).first,
      ...(usage === undefined ? {} : { usage }),
    }
    terminal.json(json)
    if (terminal.isJson) return 0
    const { stdout } = terminal
    printShow(...stdout.masked([prompt, json] as const), terminal)
    const others = lock.parts.filter((part) => part.slug === slug && part !== prompt)
    printHeldSection(stdout.masked(heldPrompts({ parts: others })), stdout)
    printUnheldEdits(stdout.masked(others), stdout)
    return 0
  },
})

/** More notes are only counted. */
const NOTES_SHOWN = 20

/** Prints one prompt: settings, variables, texts with their tokens marked, notes and uses. */
function printShow(prompt: PinnedPrompt, json: ShowJson, { stdout }: Terminal): void {
  const held = json.held !== null && `held${json.held === '' ? '' : `: ${json.held}`}`
  const marks = [isEdited(json) && 'edited here', held].filter((mark) => mark !== false)
  const title = `${stdout.style('bold', describePart(json, sanitize))}  ${sanitize(json.version)}`
  stdout.line([title, ...marks.map((mark) => stdout.style('yellow', sanitize(mark)))].join('  '))
  stdout.rows(factsOf(json, stdout))
  for (const { field, text } of promptTexts(prompt)) {
    if (text !== '') printText(field, text, stdout)
  }
  const notes = json.notes.map(({ field, line, column, kind, excerpt }) => [
    `${field} ${line}:${column}`,
    makeVisible(sanitize(excerpt)),
    stdout.dim(NOTE_REASONS[kind]),
  ])
  const summary = `${pluralize(notes.length, 'note')}. ${NOTE_MEANING}:`
  stdout.section(stdout.mark('warning', summary), notes, NOTES_SHOWN)
  if (json.usage?.length === 0) stdout.line('', 'No code uses it.')
  const sites = json.usage ?? []
  const uses = sites.map((site) => [
    formatPlace(site),
    site.kind === 'not-checked' ? stdout.dim('not checked') : '',
  ])
  const frames = framesBelow(sites, stdout)
  stdout.section(`${pluralize(uses.length, 'use')}:`, uses, undefined, frames)
}

function factsOf(json: ShowJson, channel: Channel): string[][] {
  const { identifier, slug, folder, model, temperature, variables, characters } = json
  const { environment, staging } = json
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['name', identifier === null ? `prompts[${JSON.stringify(slug)}]` : `prompts.${identifier}`],
    ['folder', folder === '' ? '(none)' : folder],
    ['model', model === '' ? '(none)' : model],
    ['temperature', String(temperature)],
    ['variables', variables.length === 0 ? '(none)' : displayNames(variables).join(', ')],
    ['size', pluralize(characters, 'character')],
    ['cacheable', pluralize(json.cacheablePrefix, 'character')],
    ...(environment === 'test' || staging === null ? [] : [['staging', staging] as const]),
  ]
  return facts.map(([name, value]) => [`  ${channel.dim(name)}`, sanitize(value)])
}

function printText(title: string, text: string, channel: Channel): void {
  channel.line('', `  ${channel.style('underline', title)}`)
  for (const [index, line] of text.replace(/\n$/, '').split('\n').entries()) {
    const parts = parseTemplate(line.replace(/\r$/, '')).map((part) =>
      typeof part === 'string'
        ? { text: displayText(part), format: [] }
        : { text: displayText(part.raw), format: 'cyan' as const },
    )
    channel.numberedLine(index + 1, parts)
  }
}
