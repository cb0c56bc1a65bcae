import { pluralize } from '../../../core/text/pluralize.ts'
import { bundlers, detectBundlers } from '../../../features/init/bundlers.ts'
import {
  applySetup,
  planSetup,
  type ServiceSetup,
  type SetupPlan,
} from '../../../features/init/init.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { findPackageManager, runInstall } from '../../../features/init/package-manager.ts'
import { readProjectFiles } from '../../../features/init/project-files.ts'
import { type Command, defineCommand, type Invocation } from '../../args/command.ts'
import { projectOptions } from '../../args/options.ts'
import type { PullJson } from '../../output/json.ts'
import { askYesNo } from '../../ask.ts'
import { resolveRoot } from '../../project-command.ts'
import { chooseBundler, chooseService, type ServiceChoice } from './choose-setup.ts'
import { type FirstPull, firstPull } from './first-pull.ts'
import { installStep, nextSteps, printManual, printPlan, printSetupDiff } from './init-view.ts'
import type { Terminal } from '../../output/terminal.ts'
import { join } from 'node:path'
import { readText } from '../../../fs/files.ts'
import {
  DEFAULT_FILE,
  EXAMPLE_WORKSPACE,
  parseWorkspace,
} from '../../../local-service/workspace-file.ts'
import { LOCAL_KEYS } from '../../../local-service/respond.ts'
import { DEFAULT_PORT, startServer } from '../../../local-service/serve.ts'
import type { Workspace } from '../../../local-service/workspace.ts'

const NAMES = bundlers.map(({ name }) => name)

const options = {
  yes: { short: 'y', description: 'Do not ask; required without a terminal' },
  example: { description: 'Take the prompts from a local example; no account needed' },
  'base-url': { placeholder: 'url', description: 'Address of the prompt service, for .env.local' },
  'api-key': { placeholder: 'key', description: 'Key of the prompt service, for .env.local' },
  bundler: {
    choices: NAMES,
    placeholder: 'name',
    description: `Skip detection: ${NAMES.join(', ')}`,
  },
  'no-install': { description: 'Do not install the package' },
  'dry-run': { description: 'Show what would be done; write nothing' },
  environment: projectOptions.environment,
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
    /** Name in the root. */
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
    'On a terminal it asks for the service. Address and key go to .env.local, which git ignores. A second run changes nothing.',
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
  async run(invocation) {
    const { terminal, values } = invocation
    const root = await resolveRoot(invocation)
    const interactive = values.yes ? undefined : terminal.interactive
    const detected = detectBundlers(await readProjectFiles(root))
    const bundler = values.bundler ?? (await chooseBundler(detected, interactive))
    const service = await chooseService(root, invocation, interactive)
    const plan = await planSetup(root, bundler, await setupOf(service, root))
    terminal.redact(service.kind === 'hosted' ? (service.access.apiKey ?? '') : '')
    terminal.suggestWith((await findPackageManager(root)).run)
    printPlan(plan, terminal)
    await printSetupDiff(plan, terminal)
    const answer = plan.changes.length === 0 ? 'yes' : await confirmChanges(invocation)
    const applied = answer === 'yes'
    if (applied) await write(plan, terminal)
    const pulls = applied && !values['dry-run']
    const isInstalled = await install(plan, pulls && !values['no-install'], invocation)
    // Printed before the pull, which may fail.
    printManual([...(isInstalled ? [] : installStep(plan)), ...plan.manual], terminal)
    const first: FirstPull = pulls
      ? await pullFrom(service, plan, isInstalled, invocation)
      : { state: 'waiting' }
    if (applied) printManual(nextSteps(first, service.kind, plan), terminal)
    terminal.json({
      bundler: plan.bundler?.name ?? null,
      applied,
      changes: plan.changes.map(({ name, kind, what }) => ({ name, kind, what })),
      manual: plan.manual,
      installed: isInstalled,
      pulled: first.pulled ?? null,
    } satisfies InitJson)
    return answer === 'nobody' ? 3 : 0
  },
})

async function setupOf(service: ServiceChoice, root: string): Promise<ServiceSetup> {
  if (service.kind === 'hosted') return service
  return service.kind === 'example' ? exampleSetup(root) : {}
}

async function pullFrom(
  { kind }: ServiceChoice,
  { root, changes }: SetupPlan,
  isInstalled: boolean,
  invocation: InitInvocation,
): Promise<FirstPull> {
  const isConfigured = changes.some(
    ({ name, text }) => name.startsWith('prompts.config') && /^import /m.test(text),
  )
  if (isConfigured && !isInstalled) return { state: 'uninstalled' }
  if (kind !== 'example') return firstPull(invocation)
  return withExampleService(root, (baseUrl) => firstPull(invocation, { baseUrl }))
}

async function confirmChanges({
  terminal: { interactive, messages },
  values,
}: InitInvocation): Promise<'yes' | 'no' | 'nobody'> {
  if (values['dry-run']) return 'no'
  if (values.yes) return 'yes'
  if (interactive === undefined) {
    messages.line('', 'Nothing was written, because nobody could be asked: pass --yes.')
    return 'nobody'
  }
  return (await askYesNo('Make these changes?', interactive)) ? 'yes' : 'no'
}

async function write(plan: SetupPlan, { messages }: Terminal): Promise<void> {
  await applySetup(plan)
  const count = plan.changes.length
  if (count === 0) return
  messages.line('', messages.mark('ok', `Wrote ${pluralize(count, 'file')}.`))
}

/**
 * Installs this package, after a question on an interactive terminal. A failure is reported and ends
 * nothing, since the rest of the setup works without it.
 *
 * @returns whether the project depends on the package now
 */
async function install(
  { root, install: command }: SetupPlan,
  isWanted: boolean,
  { terminal, env, signal, values }: InitInvocation,
): Promise<boolean> {
  if (command === undefined) return true
  if (!isWanted) return false
  const { interactive, messages } = terminal
  const isAsked = interactive !== undefined && !values.yes
  if (isAsked && !(await askYesNo(`Run \`${command}\`?`, interactive))) return false
  messages.line('', messages.dim(`Running \`${command}\`…`))
  const failure = await runInstall(command, { root, env, signal })
  if (failure === undefined) {
    messages.line(messages.mark('ok', 'Installed unplugin-prompts.'))
    return true
  }
  messages.line(messages.mark('warning', `\`${command}\` failed:`))
  for (const line of failure.split('\n')) messages.line(`  ${messages.dim(sanitize(line))}`)
  return false
}

/** What an app needs that takes its prompts from the local service. */
async function exampleSetup(root: string): Promise<ServiceSetup> {
  const access = { baseUrl: `http://127.0.0.1:${DEFAULT_PORT}`, apiKey: LOCAL_KEYS.live }
  if ((await readText(join(root, DEFAULT_FILE))) !== undefined) return { access }
  const file = { name: DEFAULT_FILE, kind: 'created', text: EXAMPLE_WORKSPACE } as const
  return { access, files: [{ ...file, what: 'two example prompts, for `prompts serve`' }] }
}

/**
 * Serves the example on a free port while something reads it.
 *
 * @param work - gets the address
 * @throws PromptsError WORKSPACE_INVALID, and what `work` throws
 */
async function withExampleService<Result>(
  root: string,
  work: (baseUrl: string) => Promise<Result>,
): Promise<Result> {
  const text = (await readText(join(root, DEFAULT_FILE))) ?? EXAMPLE_WORKSPACE
  const readWorkspace = async (): Promise<Workspace> => parseWorkspace(text, DEFAULT_FILE)
  const server = await startServer({ readWorkspace })
  return work(server.url).finally(server.close)
}
