import { usageError } from '../../../errors/usage-error.ts'
import { type Command, defineCommand } from '../../args/command.ts'
import { globalOptions, projectOptions } from '../../args/common-options.ts'
import { codeOptions } from '../../output/impact-view.ts'
import { openCommandProject } from '../../command-project.ts'

const options = {
  changed: {
    type: 'flag',
    description: 'Read only prompts whose entry in the list differs from the lock',
  },
  'dry-run': { type: 'flag', description: 'Show what would change; write nothing' },
  'allow-empty': {
    type: 'flag',
    description: 'Accept a workspace without prompts although the lock has some',
  },
  'skip-breaking': {
    type: 'flag',
    description: 'Take every update that leaves the app compiling; leave the others pinned',
  },
  fix: {
    type: 'flag',
    description: 'Edit the call sites that the update breaks; leave what has no safe edit pinned',
  },
  rename: {
    type: 'texts',
    placeholder: 'slug:old=new',
    description: 'With --fix: a renamed variable, or prompt as old-slug=new-slug; repeatable',
  },
  'allow-dirty': {
    type: 'flag',
    description: 'With --fix: also edit files with changes that are not committed',
  },
  interactive: {
    type: 'flag',
    short: 'i',
    description: 'Choose the prompts to update from their diffs; the others stay pinned',
  },
  'exit-code': { type: 'flag', description: 'Exit with 3 if an update was left' },
  report: {
    type: 'text',
    placeholder: 'file',
    description: 'Write a Markdown report, such as for a pull request',
  },
  yes: {
    type: 'flag',
    short: 'y',
    description: 'Write the lock even if it breaks the app; do not ask',
  },
  ...codeOptions,
  ...projectOptions,
  ...globalOptions,
} as const

/** `prompts pull`. */
export const pull: Command = defineCommand({
  name: 'pull',
  argument: {
    placeholder: '[slug…]',
    description: 'Update only these prompts; the rest of the lock stays',
    maxCount: Number.POSITIVE_INFINITY,
  },
  details: [
    'Writes the lock as one consistent moment of the workspace; commit it. Every prompt is read, since drafts and temperatures change under the same label. On a metered plan, --changed spends fewer reads.',
    'With --skip-breaking, a prompt whose update breaks the app keeps its text, version and settings, and stays drift. A removed prompt stays while it is in use.',
    'With --fix, a renamed prompt or variable gets its new name where the app uses it, and a removed variable is dropped if that has no effect. Each rename is confirmed on a terminal or with --rename. The edits are shown first; --yes writes them without a question. Formatting and comments stay. What has no safe edit is treated as with --skip-breaking.',
    'If the variables of a prompt change or a prompt is removed, the app is type-checked first. If the update breaks it, you are asked on a terminal; elsewhere nothing is written and the exit code is 3, unless you pass --yes.',
  ],
  options,
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
    ['prompts pull --skip-breaking', 'take what the app survives, and list the rest'],
    ['prompts pull --fix', 'edit call sites, after showing every edit'],
    ['prompts pull --environment test', 'pin what the test key serves'],
  ],
  async run(invocation) {
    const { values, positionals, terminal } = invocation
    if (values.interactive && terminal.interactive === undefined)
      throw usageError(
        'Not interactive: name the prompts to update instead of --interactive.',
        'pull',
      )
    const project = await openCommandProject(invocation)
    // Not for --help: it loads the diff library.
    const { pullAndReport } = await import('./pull-and-report.ts')
    const json = await pullAndReport(project, invocation, {
      slugs: positionals.length === 0 ? undefined : positionals,
      changed: values.changed,
      allowEmpty: values['allow-empty'],
      dryRun: values['dry-run'],
      skipBreaking: values['skip-breaking'],
      fix: values.fix,
      renames: values.rename,
      allowDirty: values['allow-dirty'],
      interactive: values.interactive,
      report: values.report,
      yes: values.yes,
      tsconfig: values.tsconfig,
    })
    terminal.json(json)
    const isLeft = values['exit-code'] && json.skipped.length > 0
    return json.outcome === 'declined' || isLeft ? 3 : 0
  },
})
