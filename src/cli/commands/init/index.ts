import { pluralize } from '../../../core/text/pluralize.ts'
import { PromptsError } from '../../../errors/prompts-error.ts'
import {
  applySetup,
  type BundlerName,
  bundlers,
  type DetectedBundler,
  detectProject,
  planSetup,
  type SetupPlan,
} from '../../../features/init/init.ts'
import { type Command, defineCommand, type Invocation } from '../../args/command.ts'
import { globalOptions, projectOptions } from '../../args/common-options.ts'
import { nextSteps, printManual, printPlan } from './init-view.ts'
import type { InitJson, PullJson } from '../../output/json.ts'
import { openCommandProject, resolveRoot } from '../../command-project.ts'
import { pullAndReport } from '../pull/pull-and-report.ts'
import type { Terminal } from '../../output/terminal.ts'

const BUNDLERS = [
  'next',
  'nuxt',
  'astro',
  'sveltekit',
  'rsbuild',
  'farm',
  'rspack',
  'vite',
  'webpack',
  'rolldown',
  'rollup',
  'esbuild',
] as const satisfies readonly BundlerName[]

const options = {
  yes: {
    type: 'flag',
    short: 'y',
    description: 'Do not ask; required without an interactive terminal',
  },
  bundler: {
    type: 'choice',
    choices: BUNDLERS,
    placeholder: 'name',
    description: `Skip detection: ${BUNDLERS.join(', ')}`,
  },
  'dry-run': { type: 'flag', description: 'Show what would be done; write nothing' },
  environment: projectOptions.environment,
  mode: projectOptions.mode,
  ...globalOptions,
} as const

type InitInvocation = Invocation<typeof options>

/** `prompts init`. */
export const init: Command = defineCommand({
  name: 'init',
  details: [
    'Finds the bundler, adds the plugin to its configuration where that is safe and shows the lines where it is not, adds scripts and .env.example, and pulls if there is a key. Running it again changes nothing.',
  ],
  options,
  examples: [
    ['prompts init', 'look, ask, set up'],
    ['prompts init --dry-run', 'only look'],
    ['prompts init --yes --bundler vite', 'in a script'],
  ],
  async run(invocation) {
    const { terminal, values } = invocation
    const root = await resolveRoot(invocation, values)
    const name = values.bundler ?? (await chooseBundler(await detectProject(root), invocation))
    const plan = await planSetup(root, name)
    printPlan(plan, terminal)
    const applied = plan.changes.length === 0 || (await confirmChanges(invocation))
    if (applied) await write(plan, terminal)
    // Printed before the pull, which may fail.
    printManual(plan.manual, terminal)
    const first = applied && !values['dry-run'] ? await firstPull(plan, invocation) : NOT_PULLED
    if (applied) printManual(nextSteps(plan, first.state), terminal)
    terminal.json(initJson(plan, applied, first.pulled))
    return 0
  },
})

/** Asks if there are several candidates or none. Otherwise takes the most likely one. */
async function chooseBundler(
  detected: readonly DetectedBundler[],
  { terminal: { interactive }, values }: InitInvocation,
): Promise<BundlerName | undefined> {
  const sure = detected.filter(({ file }) => file !== undefined)
  const [first] = detected
  if (interactive === undefined || values.yes || sure.length === 1) return first?.bundler.name
  if (detected.length === 1) return first?.bundler.name
  const { askChoice } = await import('../../ask.ts')
  const likely = detected.map(({ bundler, file = '' }) => choiceOf(bundler, file))
  const all = likely.length > 0 ? likely : bundlers.map((bundler) => choiceOf(bundler, ''))
  const none = { value: 'none', label: 'None of these', hint: 'generate real files' } as const
  const chosen = await askChoice('What builds this app?', [...all, none], interactive)
  return chosen === 'none' ? undefined : chosen
}

function choiceOf(
  { name, title }: Pick<DetectedBundler['bundler'], 'name' | 'title'>,
  hint: string,
): { value: BundlerName; label: string; hint: string } {
  return { value: name, label: title, hint }
}

async function confirmChanges({
  terminal: { interactive },
  values,
}: InitInvocation): Promise<boolean> {
  if (values['dry-run']) return false
  if (values.yes) return true
  if (interactive === undefined) {
    const problem = 'Not interactive: pass --yes, or --dry-run to change nothing.'
    throw new PromptsError('USAGE', { problem, command: 'init ' })
  }
  const { askYesNo } = await import('../../ask.ts')
  return askYesNo('Make these changes?', interactive)
}

async function write(plan: SetupPlan, { messages }: Terminal): Promise<void> {
  await applySetup(plan)
  const count = plan.changes.length
  if (count === 0) return
  messages.line()
  messages.line(`${messages.style('green', '✔')} Wrote ${pluralize(count, 'file')}.`)
}

/** The result of the first pull. */
interface FirstPull {
  /** `pinned`: there is a lock already. `waiting`: the key or the base URL is missing. */
  readonly state: 'pulled' | 'pinned' | 'waiting'
  readonly pulled: PullJson | null
}

const NOT_PULLED: FirstPull = { state: 'waiting', pulled: null }

/**
 * Pulls if there is no lock yet, the key and the base URL are known, and the configuration can be
 * loaded.
 */
async function firstPull(plan: SetupPlan, invocation: InitInvocation): Promise<FirstPull> {
  const configured = plan.changes.some(({ name }) => name.startsWith('prompts.config'))
  if (configured && !plan.installed) return NOT_PULLED
  const project = await openCommandProject(invocation)
  const { apiKey, baseUrl } = project.options
  if ((await project.lock.readHash()) !== undefined) {
    // The configuration may have a new location for them.
    await project.writeGenerated(await project.readLock())
    return { state: 'pinned', pulled: null }
  }
  if (apiKey === undefined || baseUrl === undefined) return NOT_PULLED
  invocation.terminal.messages.line()
  return { state: 'pulled', pulled: await pullAndReport(project, invocation, {}) }
}

function initJson(plan: SetupPlan, applied: boolean, pulled: PullJson | null): InitJson {
  return {
    bundler: plan.bundler?.name ?? null,
    applied,
    changes: plan.changes.map(({ name, kind, what }) => ({ name, kind, what })),
    manual: plan.manual,
    pulled,
  }
}
