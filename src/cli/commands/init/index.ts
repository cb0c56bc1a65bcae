/** A setup: choose bundler and service, show the plan, apply it, install this package, and pull. */
import { join } from 'node:path'
import type { Options } from '../../../config/options.ts'
import { accessOf, keyOf } from '../../../core/app-code.ts'
import { promptVariables } from '../../../core/compare.ts'
import { planNames } from '../../../core/names.ts'
import { type View, viewOf } from '../../../core/prompt.ts'
import type { ResolvedOptions } from '../../../config/resolve-options.ts'
import { joinWords, pluralize } from '../../../core/text/pluralize.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { unifiedPatch } from '../../../features/diff/text-diff.ts'
import { bundlers } from '../../../features/init/bundlers.ts'
import { applySetup, planSetup, type SetupPlan } from '../../../features/init/init.ts'
import { runInstall } from '../../../features/init/package-manager.ts'
import type { FileChange, ManualStep } from '../../../features/init/project-files.ts'
import { readText } from '../../../fs/files.ts'
import { LOCAL_KEYS } from '../../../local-service/respond.ts'
import { startServer } from '../../../local-service/serve.ts'
import {
  DEFAULT_FILE,
  EXAMPLE_WORKSPACE,
  parseWorkspace,
} from '../../../local-service/workspace.ts'
import { projectOptions } from '../../project/options.ts'
import { openCommandProject, resolveRoot } from '../../project/project-command.ts'
import { askYesNo } from '../../shell/ask.ts'
import { type Command, defineCommand, type Invocation } from '../../shell/command.ts'
import type { Terminal } from '../../shell/terminal.ts'
import { printPatch } from '../../view/change-view.ts'
import type { PullJson } from '../../view/json.ts'
import { runPull } from '../pull/index.ts'
import { chooseSetup, serviceOptions } from './choose-setup.ts'

const NAMES = bundlers.map(({ name }) => name)

const options = {
  yes: { short: 'y', description: 'Do not ask; required without a terminal' },
  ...serviceOptions,
  bundler: {
    choices: NAMES,
    placeholder: 'name',
    description: `Skip detection: ${NAMES.join(', ')}`,
  },
  'no-install': { description: 'Do not install the package' },
  'dry-run': { description: 'Show what would be done; write nothing' },
  mode: projectOptions.mode,
} as const

type InitInvocation = Invocation<typeof options>

/** `prompts init --json`. */
export interface InitJson {
  /** Such as `vite`; `null` if none was found. */
  readonly bundler: string | null
  /** Whether the changes were applied; `false` with `--dry-run`. */
  readonly applied: boolean
  /** Empty if everything was set up. */
  readonly changes: readonly {
    /** Path from the root, such as `../../.gitignore`. */
    readonly name: string
    readonly kind: 'created' | 'updated'
    readonly what: string
  }[]
  /** Manual steps. */
  readonly manual: readonly { readonly what: string; readonly lines: readonly string[] }[]
  /** Whether the project depends on this package now. */
  readonly installed: boolean
  /** `null` if nothing was pulled. */
  readonly pulled: PullJson | null
}

/** `prompts init`. */
export const init: Command = defineCommand({
  details: [
    'Finds the bundler, installs the package, adds the plugin to the configuration, and pulls if there is a key. It shows every edit first. If it cannot edit your configuration safely, it prints the lines to add.',
    'On a terminal it asks for the service. URL and key go to .env.local, which git ignores. A second run changes nothing.',
  ],
  options,
  conflicts: [
    ['example', 'base-url'],
    ['example', 'api-key'],
  ],
  examples: [
    ['prompts init', 'show the edits, ask, write them'],
    ['prompts init --dry-run', 'only show the edits'],
    ['prompts init --yes --example', 'a running example, without an account'],
    ['prompts init --yes --base-url "$URL" --api-key "$KEY"', 'in a script'],
  ],
  async run(call) {
    const { values } = call
    // With --yes, nobody is asked.
    const terminal = values.yes ? { ...call.terminal, interactive: undefined } : call.terminal
    const invocation = { ...call, terminal }
    const root = await resolveRoot(invocation)
    const choice = await chooseSetup(root, values.bundler, invocation)
    const plan = await planSetup(root, choice)
    printPlan(plan, terminal)
    const answer = await confirmChanges(plan, invocation)
    const applied = answer === 'yes'
    if (applied) await apply(plan, terminal)
    const isInstalled = await install(plan, applied, invocation)
    // Printed before the pull, which may fail.
    const steps = isInstalled ? [] : [{ what: 'Install the package:', lines: [plan.install ?? ''] }]
    printManual([...steps, ...plan.manual], terminal)
    const first = applied ? await firstPull(plan, isInstalled, invocation) : NO_PULL
    printManual([...first.steps, ...plan.last], terminal)
    terminal.json({
      bundler: plan.bundler?.name ?? null,
      applied,
      changes: plan.changes.map((change) => {
        const { name, what } = change
        return { name, kind: kindOf(change), what }
      }),
      manual: [...plan.manual, ...plan.last],
      installed: isInstalled,
      pulled: first.pulled,
    } satisfies InitJson)
    return answer === 'nobody' ? 3 : 0
  },
})

async function confirmChanges(
  { changes }: SetupPlan,
  { terminal, values }: InitInvocation,
): Promise<'yes' | 'no' | 'nobody'> {
  if (values['dry-run']) return 'no'
  if (values.yes || changes.length === 0) return 'yes'
  const { interactive, messages } = terminal
  if (interactive !== undefined) {
    if (await askYesNo('Make these changes?', interactive)) return 'yes'
    messages.line('', 'Nothing was written.')
    return 'no'
  }
  messages.line('', 'Nothing was written, because nobody could be asked: pass --yes.')
  return 'nobody'
}

async function apply({ root, changes }: SetupPlan, { messages }: Terminal): Promise<void> {
  await applySetup(root, changes)
  if (changes.length === 0) return
  messages.line('', messages.mark('ok', `Wrote ${pluralize(changes.length, 'file')}.`))
}

/**
 * Installs this package, after a question unless `--yes` answers it. A failure is reported and ends nothing,
 * since the rest of the setup works without it.
 *
 * @returns whether the project depends on the package now
 */
async function install(
  { root, install: command }: SetupPlan,
  applied: boolean,
  { terminal: { interactive, messages }, env, signal, values }: InitInvocation,
): Promise<boolean> {
  if (command === undefined) return true
  if (!applied || values['no-install']) return false
  const isApproved =
    values.yes || (interactive && (await askYesNo(`Run \`${command}\`?`, interactive)))
  if (!isApproved) return false
  messages.line('', messages.dim(`Running \`${command}\`…`))
  const failure = await runInstall(command, root, env, signal)
  if (failure === undefined) {
    messages.line(messages.mark('ok', 'Installed unplugin-prompts.'))
    return true
  }
  messages.line(messages.mark('warning', `\`${command}\` failed:`))
  for (const line of failure.split('\n')) messages.line(`  ${messages.dim(sanitize(line))}`)
  return false
}

/** What came of the first pull, and what to do next. */
interface FirstPull {
  readonly pulled: PullJson | null
  readonly steps: readonly ManualStep[]
}

const NO_PULL: FirstPull = { pulled: null, steps: [] }

/** Pulls from the service, or from the example, which is served meanwhile on a free port. */
async function firstPull(
  plan: SetupPlan,
  isInstalled: boolean,
  invocation: InitInvocation,
): Promise<FirstPull> {
  const importsPackage = plan.changes.some(
    ({ name, text }) => name.startsWith('prompts.config') && /^import /m.test(text),
  )
  if (importsPackage && !isInstalled) return { pulled: null, steps: [PULL_LATER] }
  if (plan.isBeforePull) return { pulled: null, steps: [PULL_NEXT] }
  if (plan.source === 'functions') return { pulled: null, steps: [WRITE_FUNCTIONS] }
  if (plan.source === undefined) return pullOnce(plan, invocation)
  const text = (await readText(join(plan.root, DEFAULT_FILE))) ?? EXAMPLE_WORKSPACE
  const server = await startServer({
    readWorkspace: async () => parseWorkspace(text, DEFAULT_FILE),
  })
  const overrides = { baseUrl: server.url, apiKey: LOCAL_KEYS.live, staging: false }
  const first = await pullOnce(plan, invocation, overrides).finally(server.close)
  return first.pulled === null ? first : { ...first, steps: [EDIT_EXAMPLE, ...first.steps] }
}

/** Pulls if there is no lock yet, and the key and the address are set. */
async function pullOnce(
  plan: SetupPlan,
  invocation: InitInvocation,
  overrides?: Options,
): Promise<FirstPull> {
  const found = await openCommandProject(invocation)
  if ((await found.lock.readHash()) !== undefined) {
    // The options may have got another place for them.
    await found.writeGenerated(await found.readLock())
    return NO_PULL
  }
  const project = overrides ? await openCommandProject(invocation, overrides) : found
  const { canRead, service } = project.options
  if (!canRead && service === undefined)
    return { pulled: null, steps: connectService(project.options) }
  invocation.terminal.messages.line()
  const { json } = await runPull({ ...invocation, project, values: {}, positionals: [] })
  const { load } = plan
  if (load === undefined) return { pulled: json, steps: [] }
  const lock = await project.readLock()
  const view = viewOf(lock, project.options.served.environment)
  return { pulled: json, steps: [usePrompt(view, load)] }
}

function kindOf({ before }: FileChange): 'created' | 'updated' {
  return before === undefined ? 'created' : 'updated'
}

/** Prints the bundler, every edit as a unified patch, and the planned changes. */
function printPlan({ bundler, changes, manual }: SetupPlan, { stdout, messages }: Terminal): void {
  messages.line(`${messages.dim('Found')} ${bundler?.title ?? 'no bundler'}`, '')
  for (const { name, before, text } of changes) {
    // A patch also has the lines around an edit, which may be other secrets.
    if (before === undefined || name === '.env.local') continue
    printPatch(unifiedPatch(before, text, `a/${name}`, `b/${name}`), messages)
    messages.line()
  }
  if (changes.length + manual.length === 0)
    messages.line(messages.mark('ok', 'Every file is set up.'))
  const rows = changes.map((change) => [
    kindOf(change) === 'created'
      ? stdout.style('green', '+ create')
      : stdout.style('yellow', '~ update'),
    change.name,
    stdout.dim(change.what),
  ])
  stdout.rows(rows)
}

/** Prints the manual steps, with the lines to copy. */
function printManual(steps: readonly ManualStep[], { stdout, messages, suggest }: Terminal): void {
  for (const { what, lines } of steps) {
    messages.line('', `${messages.style('cyan', '→')} ${what}`)
    for (const line of lines) stdout.exactLine(`    ${suggest(line)}`)
  }
}

/** What to do when this package is installed, which the configuration file imports. */
const PULL_LATER: ManualStep = { what: 'When it is installed:', lines: ['npx prompts pull'] }

/** What to do when somebody has done what the first pull depends on. */
const PULL_NEXT: ManualStep = { what: 'Then:', lines: ['npx prompts pull'] }

/** What to do for a service that this package does not know. */
const WRITE_FUNCTIONS: ManualStep = {
  what: 'Write two functions that read your service, as node_modules/unplugin-prompts/dist/docs/service.md shows. Then:',
  lines: ['npx prompts pull'],
}

/** What to do without a key or an address. */
function connectService({
  baseUrl,
  keys,
}: Pick<ResolvedOptions, 'baseUrl' | 'keys'>): ManualStep[] {
  const missing = [
    ...(baseUrl === undefined ? ['PROMPTS_BASE_URL'] : []),
    ...(baseUrl !== undefined || keys.length === 0 ? ['PROMPTS_API_KEY'] : []),
  ]
  const what = `Set ${joinWords(missing)} in .env.local (see .env.example). Then:`
  const pull = { what, lines: ['npx prompts pull'] }
  return missing.length > 1 ? [pull, BEGIN_WITH_EXAMPLE] : [pull]
}

const BEGIN_WITH_EXAMPLE: ManualStep = {
  what: 'No account yet? Begin with an example on this machine:',
  lines: ['npx prompts init --example'],
}

/** What to do with the example. */
const EDIT_EXAMPLE: ManualStep = {
  what: 'Serve the example before you run `pull`, `diff` or `check`. To change it, edit prompts.workspace.yaml, and pull in another terminal:',
  lines: ['npx prompts serve', 'npx prompts pull'],
}

/** The code that renders one of the pinned prompts, with a placeholder for each value. */
function usePrompt({ prompts }: View, load: string): ManualStep {
  const what = 'Commit what was written, and use a prompt in your code:'
  const prompt = prompts.find((item) => promptVariables(item).length > 0) ?? prompts[0]
  if (prompt === undefined) return { what, lines: [load] }
  const { identifiers } = planNames(prompts.map(({ slug }) => slug))
  const access = accessOf({ ...prompt, identifier: identifiers.get(prompt.slug) ?? null })
  const members = promptVariables(prompt).map((name) => `${keyOf(name)}: '…'`)
  const values = members.length === 0 ? '' : `{ ${members.join(', ')} }`
  return { what, lines: [load, `const { messages } = ${access}.render(${values})`] }
}
