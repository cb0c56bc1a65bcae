import { usageError } from '../../../errors/usage-error.ts'
import type { Command } from '../../args/command.ts'
import { codeOptions } from '../../output/impact-view.ts'
import { defineProjectCommand } from '../../project-command.ts'
import { pullOptions } from './pull-context.ts'

/** `prompts pull`. */
export const pull: Command = defineProjectCommand({
  argument: {
    placeholder: '[slug…]',
    description: 'Update only these prompts; the rest of the lock stays',
  },
  details: [
    'Writes a consistent snapshot of the workspace to the lock, for you to commit. Every prompt is read, since drafts and temperatures change under the same label. On a metered plan, --changed spends fewer reads.',
    'With --skip-breaking, a prompt whose update breaks the app keeps its text, version and settings, and stays drift. A removed prompt stays while it is in use.',
    'With --fix, a renamed prompt or variable gets its new name where the app uses it, and a removed variable is dropped if that has no effect. Each rename is confirmed on a terminal or with --rename. The edits are shown first; --yes writes them without a question. Formatting and comments stay. What has no safe edit is treated as with --skip-breaking.',
    'If the variables of a prompt change or a prompt is removed, the app is type-checked first. If the update breaks it, you are asked on a terminal; elsewhere nothing is written and the exit code is 3, unless you pass --yes.',
  ],
  options: { ...pullOptions, ...codeOptions },
  conflicts: [['fix', 'interactive']],
  needs: [
    ['rename', 'fix'],
    ['allow-dirty', 'fix'],
  ],
  examples: [
    ['prompts pull', 'update everything'],
    ['prompts pull support-triage', 'update one prompt'],
    ['prompts pull --interactive', 'choose the updates from their diffs'],
    ['prompts pull --dry-run', 'see what would change'],
    ['prompts pull --skip-breaking', 'take what does not break the app, and list the rest'],
    ['prompts pull --fix', 'edit call sites, after showing every edit'],
    ['prompts pull --environment test', 'pin what the test key serves'],
  ],
  validate({ values, terminal }) {
    if (values.interactive && terminal.interactive === undefined)
      throw usageError(
        'Not interactive: name the prompts to update instead of --interactive.',
        'pull',
      )
  },
  async run(invocation) {
    // Not for --help: it loads the diff library.
    const { pullAndReport } = await import('./pull-and-report.ts')
    const json = await pullAndReport(invocation)
    invocation.terminal.json(json)
    const isLeft = invocation.values['exit-code'] && json.skipped.length > 0
    return json.outcome === 'declined' || isLeft ? 3 : 0
  },
})
