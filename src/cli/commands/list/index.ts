import { planNames } from '../../../core/names.ts'
import type { Lock } from '../../../core/prompt.ts'
import { type DriftReport, readDrift } from '../../../features/diff/drift.ts'
import { findUsage } from '../../../features/usage/usage.ts'
import type { Command } from '../../args/command.ts'
import { codeLocation, codeOptions } from '../../output/impact-view.ts'
import { listJson } from './json-list.ts'
import { printList } from './list-view.ts'
import {
  defineProjectCommand,
  displayPath,
  type ProjectContext,
  serviceLabel,
} from '../../project-command.ts'
import { startProgress } from '../../output/progress.ts'
import { selectPrompts } from './select-prompts.ts'
import { printUsage } from './usage-view.ts'

/** `prompts list`. */
export const list: Command = defineProjectCommand({
  argument: {
    placeholder: '[glob…]',
    description: 'List only prompts whose slug or folder/slug matches, such as `support/*`',
  },
  details: ['Reads the lock. Without --updates it needs neither a network nor a key.'],
  options: {
    updates: { description: 'Show updates in the service: one list call, no metered read' },
    usage: { description: 'Show where the code of the app uses each prompt' },
    ...codeOptions,
  },
  examples: [
    ['prompts list', 'prompts, versions, models, sizes and variables by folder'],
    ["prompts list 'support/**'", 'the prompts of one folder'],
    ['prompts list --updates', 'also show updates in the service'],
    ['prompts list --usage', 'where each prompt is used, and which are unused'],
    ["prompts list --json | jq -r '.prompts[].slug'", 'slugs only'],
  ],
  async run(invocation) {
    const { terminal, project, values, positionals } = invocation
    const { path } = project.lock
    const pinned = await project.readLock()
    const all = {
      lock: pinned,
      drift: values.updates ? await readUpdates(pinned, invocation) : undefined,
      usage: values.usage
        ? await findUsage({ lock: pinned, ...(await codeLocation(invocation)) })
        : undefined,
    }
    const listed = selectPrompts(all, positionals, displayPath(path, invocation))
    const json = listJson(listed, path, planNames(pinned.prompts.map(({ slug }) => slug)))
    terminal.json(json)
    if (json.usage !== undefined) printUsage(json.usage, terminal)
    else printList(json, invocation)
    return 0
  },
})

async function readUpdates(
  lock: Lock,
  { project, terminal, signal }: ProjectContext,
): Promise<DriftReport> {
  const { onProgress, stop } = startProgress(terminal, `Asking ${serviceLabel(project)}`)
  return readDrift(project, lock, { signal, onProgress }).finally(stop)
}
