import { findKnownPrompt } from '../../../errors/assert-known-slugs.ts'
import { findUsage } from '../../../features/usage/usage.ts'
import { readText } from '../../../fs/files.ts'
import type { Command } from '../../args/command.ts'
import { defineProjectCommand, displayPath } from '../../project-command.ts'
import { codeLocation, codeOptions } from '../../output/impact-view.ts'
import { showJson } from './json-show.ts'
import { printShow } from './show-view.ts'

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
