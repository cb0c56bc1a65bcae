import { join } from 'node:path'
import { findWrapping, isTestKey, parseKey } from '../../../config/api-key.ts'
import { secretForms } from '../../../core/secrets.ts'
import { originOf, parseBaseUrl } from '../../../config/base-url.ts'
import { hasWorkspace } from '../../../config/config-file.ts'
import { readEnvironment } from '../../../config/env-files.ts'
import { defaultMode, type Guard } from '../../../config/options.ts'
import { lookup, type Setting } from '../../../config/resolve-options.ts'
import { DEFAULT_WORKSPACE, envVariable, keyVariables } from '../../../core/workspace-name.ts'
import { asPromptsError, loaded, PromptsError } from '../../../errors/prompts-error.ts'
import {
  assertSupported,
  type Bundler,
  type BundlerName,
  bundlers,
  detectBundlers,
} from '../../../features/init/bundlers.ts'
import type { ServiceSetup, SetupChoice } from '../../../features/init/init.ts'
import type { ExampleVariable } from '../../../features/init/text-files.ts'
import { type ProjectFiles, readProjectFiles } from '../../../features/init/project-files.ts'
import { readText } from '../../../fs/files.ts'
import { LOCAL_KEYS } from '../../../local-service/respond.ts'
import { DEFAULT_PORT } from '../../../local-service/serve.ts'
import { DEFAULT_FILE, EXAMPLE_WORKSPACE } from '../../../local-service/workspace.ts'
import type { projectOptions } from '../../project/options.ts'
import { withProgress } from '../../project/progress.ts'
import { ask, askChoice } from '../../shell/ask.ts'
import type { CommandContext, Invocation, OptionSpec } from '../../shell/command.ts'
import type { InteractiveStreams, Terminal } from '../../shell/terminal.ts'
import { assertOwnEnv } from '../serve.ts'

/** The options that name a service. */
export const serviceOptions = {
  example: { description: 'Take the prompts from a local example; no account needed' },
  'base-url': { placeholder: 'url', description: 'URL of the prompt service, for .env.local' },
  'api-key': { placeholder: 'key', description: 'Key of the prompt service, for .env.local' },
} as const

type ServiceInvocation = Invocation<
  typeof serviceOptions & Pick<typeof projectOptions, 'mode'> & { 'dry-run': OptionSpec }
>

/** What a choice depends on. */
interface Choosing extends ServiceInvocation {
  readonly project: ProjectFiles
  /** The variables of the env files that the first pull reads. */
  readonly stored: Awaited<ReturnType<typeof readEnvironment>>
}

/**
 * Takes bundler and service as the command line says, else asks.
 *
 * @param selected - the bundler that an option names
 * @throws PromptsError BASE_URL_INVALID, KEY_MALFORMED, KEY_KIND_UNKNOWN, and what listing throws;
 *   Interruption on Ctrl-C
 */
export async function chooseSetup(
  root: string,
  selected: BundlerName | undefined,
  invocation: ServiceInvocation,
): Promise<SetupChoice> {
  const { terminal, env, values } = invocation
  const project = await readProjectFiles(root)
  const bundler =
    bundlers.find(({ name }) => name === selected) ?? (await chooseBundler(project, terminal))
  if (bundler !== undefined) assertSupported(root, bundler)
  const stored = await readEnvironment([root], values.mode ?? defaultMode(env), env)
  const choosing = { ...invocation, project, stored }
  const service = await chooseService(choosing)
  const client = await chooseClient(project, bundler, terminal)
  return { bundler, client, service, environment: chooseView(service, choosing) }
}

/** The test view, if there are only test keys and nothing else has chosen a view. */
function chooseView(
  { access = {}, code }: ServiceSetup,
  { project, stored }: Choosing,
): 'test' | undefined {
  if (code !== undefined || isConfigured(project)) return undefined
  const sources = [{ name: '.env.local', values: access }, ...stored]
  if (lookup(sources, envVariable(DEFAULT_WORKSPACE, 'ENVIRONMENT'))) return undefined
  const keys = Object.values(keyVariables(DEFAULT_WORKSPACE)).flatMap(
    (variable) => lookup(sources, variable)?.value ?? [],
  )
  return keys.length > 0 && keys.every(isTestKey) ? 'test' : undefined
}

/** Asks, unless the project has a lock, a configuration file or a key. */
async function chooseService(choosing: Choosing): Promise<ServiceSetup> {
  const { project, stored, values, terminal } = choosing
  if (values.example) return exampleSetup(choosing)
  const storedKey = lookup(stored, 'PROMPTS_API_KEY') ?? lookup(stored, 'PROMPTS_TEST_API_KEY')
  const { 'base-url': baseUrl, 'api-key': apiKey } = values
  if (baseUrl !== undefined || apiKey !== undefined) {
    terminal.redact(...secretForms(apiKey ?? ''))
    assertValid(baseUrl, apiKey)
    const storedUrl = lookup(stored, 'PROMPTS_BASE_URL')?.value
    const key = apiKey === undefined ? storedKey : { value: apiKey, source: '--api-key' }
    if (!values['dry-run']) await verify(baseUrl ?? storedUrl, key, choosing)
    return { access: { PROMPTS_BASE_URL: baseUrl, PROMPTS_API_KEY: apiKey } }
  }
  const { interactive } = terminal
  if (interactive === undefined || storedKey !== undefined || isConfigured(project)) return {}
  return askService(interactive, choosing)
}

/** Whether a project has a configuration file or a lock. */
function isConfigured({ names }: ProjectFiles): boolean {
  return hasWorkspace([...names], DEFAULT_WORKSPACE)
}

type ServiceKind = 'hosted' | 'langfuse' | 'functions' | 'example' | 'later'

const SERVICES: { value: ServiceKind; label: string; hint: string }[] = [
  { value: 'hosted', label: 'A hosted service', hint: 'with its URL and a key' },
  { value: 'langfuse', label: 'Langfuse', hint: 'with its two keys' },
  { value: 'functions', label: 'Another service', hint: 'read by two functions' },
  { value: 'example', label: 'A local example', hint: 'no account needed' },
  { value: 'later', label: 'Decide later', hint: '' },
]

/** Asks again if somebody has no address of a service. */
async function askService(
  interactive: InteractiveStreams,
  choosing: Choosing,
): Promise<ServiceSetup> {
  const question = { message: 'Where do the prompts come from?', options: SERVICES }
  switch (await askChoice(question, interactive)) {
    case 'hosted':
      return (await askAccess(interactive, choosing)) ?? askService(interactive, choosing)
    case 'langfuse':
      return askLangfuse(interactive, choosing)
    case 'functions':
      return { source: 'functions', variables: [] }
    case 'example':
      return exampleSetup(choosing)
    case 'later':
      return {}
  }
}

/**
 * What an app needs that takes its prompts from the local service.
 *
 * @throws PromptsError USAGE if an env file has a URL or key of another service
 */
async function exampleSetup({ project, stored }: Choosing): Promise<ServiceSetup> {
  assertOwnEnv(stored, 'init')
  const access = {
    PROMPTS_BASE_URL: `http://127.0.0.1:${DEFAULT_PORT}`,
    PROMPTS_API_KEY: LOCAL_KEYS.live,
  }
  const isThere = (await readText(join(project.root, DEFAULT_FILE))) !== undefined
  const what = 'two example prompts, for `prompts serve`'
  const file = { name: DEFAULT_FILE, before: undefined, text: EXAMPLE_WORKSPACE, what }
  return { source: 'example', access, files: isThere ? [] : [file] }
}

const LANGFUSE: ServiceSetup & { readonly variables: readonly ExampleVariable[] } = {
  variables: [
    ['LANGFUSE_PUBLIC_KEY', 'Public key of the project in Langfuse'],
    ['LANGFUSE_SECRET_KEY', 'Its secret key. Builds with a lock do not need it.'],
    ['LANGFUSE_BASE_URL', 'URL of Langfuse'],
  ],
  code: {
    load: "import { langfuse } from 'unplugin-prompts/langfuse'",
    option: 'service: langfuse(),',
  },
}

/**
 * Asks for the variables of Langfuse. An empty answer leaves what is stored. The first pull shows whether Langfuse
 * accepts them.
 */
async function askLangfuse(
  interactive: InteractiveStreams,
  { stored: sources, terminal }: Choosing,
): Promise<ServiceSetup> {
  const access: Record<string, string> = {}
  for (const [name, message] of LANGFUSE.variables) {
    const stored = lookup(sources, name)?.value
    const answer = await ask(interactive, ({ text, password }, on) => {
      if (name === 'LANGFUSE_SECRET_KEY') return password({ message, ...on })
      const initialValue = name === 'LANGFUSE_BASE_URL' ? 'https://cloud.langfuse.com' : ''
      return text({ message, initialValue: stored ?? initialValue, ...on })
    })
    const value = answer.trim()
    if (value !== '' && value !== stored) access[name] = value
  }
  terminal.redact(...secretForms(access['LANGFUSE_SECRET_KEY'] ?? ''))
  return { ...LANGFUSE, access }
}

function assertValid(baseUrl: string | undefined, apiKey: string | undefined): void {
  const problem = baseUrl === undefined ? undefined : urlProblem(baseUrl)
  if (problem !== undefined)
    throw new PromptsError('BASE_URL_INVALID', { problem, source: '--base-url' })
  const error = apiKey === undefined ? undefined : keyError(apiKey, '--api-key')
  if (error !== undefined) throw error
}

function urlProblem(text: string): string | undefined {
  const parsed = parseBaseUrl(text)
  return 'problem' in parsed ? parsed.problem : undefined
}

function keyError(key: string, source: string): PromptsError | undefined {
  const parsed = parseKey(key)
  if (!('problem' in parsed)) return undefined
  return new PromptsError(parsed.problem, { source, wrapping: findWrapping(key) })
}

/** Milliseconds. Somebody waits for the answer. */
const VERIFY_TIMEOUT = 10_000

/**
 * Lists the prompts once. Without an address or a key there is nothing to verify.
 *
 * @throws PromptsError if the service does not accept the key or can't be reached
 */
async function verify(
  baseUrl: string | undefined,
  apiKey: Setting | undefined,
  { terminal, env, signal }: CommandContext,
): Promise<undefined> {
  if (baseUrl === undefined || apiKey === undefined) return
  const secrets = secretForms(apiKey.value)
  terminal.redact(...secrets)
  const { openHostedService } = await loaded(import('../../../service/hosted.ts'))
  const label = `Asking ${originOf(baseUrl) ?? 'the service'}`
  await withProgress(terminal, label, async ({ onProgress }) => {
    const service = openHostedService({
      name: DEFAULT_WORKSPACE,
      baseUrl,
      keys: [apiKey],
      secrets,
      concurrency: 1,
      timeout: VERIFY_TIMEOUT,
      processEnv: env,
      onProgress,
      signal,
    })
    await service.list()
  })
}

/**
 * Asks for address and key until the service lists its prompts with them.
 *
 * @param previous - the address before
 * @returns `undefined` without an address
 */
async function askAccess(
  interactive: InteractiveStreams,
  context: CommandContext,
  previous: string = '',
): Promise<ServiceSetup | undefined> {
  const baseUrl = await ask(interactive, ({ text }, on) =>
    text({
      message: 'URL of the service (none: go back)',
      placeholder: 'https://prompts.example.com',
      initialValue: previous,
      validate: (address = '') => (address === '' ? undefined : urlProblem(address)),
      ...on,
    }),
  )
  if (baseUrl === '') return undefined
  const access = await askKey(interactive, context, baseUrl)
  return access ?? askAccess(interactive, context, baseUrl)
}

/**
 * Asks for the key until the service accepts it.
 *
 * @returns `undefined` without a key, or if something else is wrong
 */
async function askKey(
  interactive: InteractiveStreams,
  context: CommandContext,
  baseUrl: string,
): Promise<ServiceSetup | undefined> {
  const answer = await ask(interactive, ({ password }, on) =>
    password({
      message: 'Key, for .env.local only (none: go back)',
      validate: (key = '') =>
        key.trim() === '' ? undefined : keyError(key.trim(), KEY_SOURCE)?.why,
      ...on,
    }),
  )
  const apiKey = answer.trim()
  if (apiKey === '') return undefined
  const setting = { value: apiKey, source: KEY_SOURCE }
  const failure = await verify(baseUrl, setting, context).catch(asPromptsError)
  if (failure === undefined)
    return { access: { PROMPTS_BASE_URL: baseUrl, PROMPTS_API_KEY: apiKey } }
  const { messages } = context.terminal
  messages.line(messages.mark('warning', failure.why))
  const isKeyWrong = /^(?:KEY|ACCESS)_/.test(failure.code)
  return isKeyWrong ? askKey(interactive, context, baseUrl) : undefined
}

const KEY_SOURCE = 'your answer'

/** Asks if there are several candidates or none. Otherwise takes the most likely one. */
async function chooseBundler(
  project: ProjectFiles,
  { interactive }: Terminal,
): Promise<Bundler | undefined> {
  const detected = detectBundlers(project)
  const sure = detected.filter(({ file }) => file !== undefined)
  if (interactive === undefined || sure.length === 1 || detected.length === 1)
    return detected[0]?.bundler
  const likely = detected.length > 0 ? detected : OTHERS
  const options = likely.map(({ bundler, file = '' }) => ({
    value: bundler,
    label: bundler.title,
    hint: file,
  }))
  const none = { value: 'none', label: 'None of these', hint: 'generate real files' } as const
  const question = { message: 'What builds this app?', options: [...options, none] }
  const answer = await askChoice<Bundler | 'none'>(question, interactive)
  return answer === 'none' ? undefined : answer
}

/** SvelteKit is found by its package, and has the configuration of Vite. */
const OTHERS = bundlers
  .filter(({ name }) => name !== 'sveltekit')
  .map((bundler) => ({ bundler, file: '' }))

/** Asks what a build does about prompts in browser code. */
async function chooseClient(
  project: ProjectFiles,
  bundler: Bundler | undefined,
  { interactive }: Terminal,
): Promise<Guard | undefined> {
  const hasPage = bundler?.name === 'vite' && project.names.has('index.html')
  if (interactive === undefined || !hasPage || isConfigured(project)) return undefined
  const message = 'If browser code imports a prompt, where everybody can read it, a build should'
  return askChoice<Guard>({ message, options: GUARDS }, interactive)
}

const GUARDS: { value: Guard; label: string; hint: string }[] = [
  { value: 'warn', label: 'warn', hint: 'and go on' },
  { value: 'error', label: 'fail', hint: 'until only a server has it' },
  { value: 'allow', label: 'allow it', hint: 'these prompts may be public' },
]
