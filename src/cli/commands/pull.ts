import { type Command, defineCommand } from '../command.ts'
import { everywhereOptions, projectOptions } from '../common-options.ts'
import { codeOptions } from '../impact-view.ts'
import { openCommandProject } from '../open.ts'
import { pullAndReport } from '../pull-and-report.ts'
import { consentTo } from '../pull-impact.ts'

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
  yes: {
    type: 'flag',
    short: 'y',
    description: 'Write the lock also if it breaks the app; do not ask',
  },
  strict: { type: 'flag', description: 'Write nothing if it breaks the app; exit with 3' },
  ...codeOptions,
  ...projectOptions,
  ...everywhereOptions,
} as const

/** `prompts pull`. */
export const pull: Command = defineCommand({
  name: 'pull',
  summary: 'update the lock and the declarations from the service',
  argument: {
    placeholder: '[slug…]',
    description: 'Update only these prompts; the rest of the lock stays',
    most: Number.POSITIVE_INFINITY,
  },
  details: [
    'Writes the lock as one consistent moment of the workspace; commit it. Every prompt is read, since drafts and temperatures change under the same label. On a metered plan, --changed spends fewer reads.',
    'Where a contract changes, the app is type-checked before the lock is written: on a terminal you are asked, elsewhere the pull goes on and says so, and --strict stops it.',
  ],
  options,
  examples: [
    ['prompts pull', 'bring everything up to date'],
    ['prompts pull support-triage', 'update one prompt'],
    ['prompts pull --dry-run', 'see what would change'],
    ['prompts pull --environment test', 'pin what the test key serves'],
  ],
  async run(invocation) {
    const { values, positionals } = invocation
    const project = await openCommandProject(invocation)
    const json = await pullAndReport(project, invocation, {
      slugs: positionals.length === 0 ? undefined : positionals,
      changed: values.changed,
      allowEmpty: values['allow-empty'],
      dryRun: values['dry-run'],
      approve: consentTo(project, invocation, { ...values, dryRun: values['dry-run'] }),
    })
    invocation.terminal.json(json)
    return json.outcome === 'declined' ? 3 : 0
  },
})
