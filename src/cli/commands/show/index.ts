import { planNames } from '../../../core/names.ts'
import type { Lock, PinnedPrompt } from '../../../core/prompt.ts'
import { PromptsError } from '../../../errors/prompts-error.ts'
import { usageError } from '../../../errors/usage-error.ts'
import { findUsage, type UsageSite } from '../../../features/usage/usage.ts'
import type { Project } from '../../../features/project/project.ts'
import { readText } from '../../../fs/files.ts'
import { type Command, defineCommand, type Invocation } from '../../args/command.ts'
import { globalOptions, projectOptions } from '../../args/common-options.ts'
import { displayPath, openCommandProject } from '../../command-project.ts'
import { codeLocation, codeOptions } from '../../output/impact-view.ts'
import { showJson } from './json-show.ts'
import { printShow } from './show-view.ts'

const options = {
  usage: { type: 'flag', description: 'Also show where the code of the app uses it' },
  ...codeOptions,
  ...projectOptions,
  ...globalOptions,
} as const

/** `prompts show`. */
export const show: Command = defineCommand({
  name: 'show',
  argument: {
    placeholder: '<slug>',
    description: 'The prompt, as `prompts list` names it',
    maxCount: 1,
  },
  details: ['Reads the lock alone: it needs neither a network nor a key.'],
  options,
  examples: [
    ['prompts show support-triage', 'its settings and its texts with the tokens marked'],
    ['prompts show support-triage --usage', 'also where the app uses it'],
    ['prompts show support-triage --json | jq -r .system', 'the system text alone'],
  ],
  async run(invocation) {
    const { terminal, positionals } = invocation
    const [slug] = positionals
    if (slug === undefined) throw usageError('Name a prompt to show.', 'show')
    const project = await openCommandProject(invocation)
    const lock = await project.readLock()
    const prompt = findPrompt(lock, slug, displayPath(project.lock.path, invocation))
    const json = showJson({
      prompt,
      names: planNames(lock.prompts.map((each) => each.slug)),
      environment: lock.environment,
      path: project.lock.path,
      text: (await readText(project.lock.path)) ?? '',
      usage: await usageOf(slug, { project, lock, invocation }),
    })
    terminal.json(json)
    if (!terminal.isJson) printShow(prompt, json, terminal)
    return 0
  },
})

function findPrompt({ prompts }: Lock, slug: string, where: string): PinnedPrompt {
  const found = prompts.find((prompt) => prompt.slug === slug)
  if (found !== undefined) return found
  const known = prompts.map((prompt) => prompt.slug)
  throw new PromptsError('SLUG_UNKNOWN', { slugs: [slug], where, known })
}

interface UsageQuestion {
  readonly project: Project
  readonly lock: Lock
  readonly invocation: Invocation<typeof options>
}

async function usageOf(
  slug: string,
  { project, lock, invocation }: UsageQuestion,
): Promise<readonly UsageSite[] | undefined> {
  const { values } = invocation
  if (!values.usage) return undefined
  const { prompts } = await findUsage({ lock, ...codeLocation(project, invocation, values) })
  return prompts.find((prompt) => prompt.slug === slug)?.sites ?? []
}
