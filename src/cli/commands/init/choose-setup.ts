import { keyEnvironment } from '../../../config/api-key.ts'
import { parseBaseUrl } from '../../../config/base-url.ts'
import { configFileNames } from '../../../config/config-file.ts'
import { defaultMode, readEnvironment } from '../../../config/env-files.ts'
import { DEFAULT_WORKSPACE } from '../../../core/workspace-name.ts'
import { PromptsError } from '../../../errors/prompts-error.ts'
import {
  type BundlerName,
  bundlers,
  type DetectedBundler,
  type ServiceAccess,
} from '../../../features/init/init.ts'
import { readProjectFiles } from '../../../features/init/project-files.ts'
import type { CommandContext } from '../../args/command.ts'
import { ask } from '../../ask.ts'
import type { InteractiveStreams } from '../../output/terminal.ts'

/** Where an app gets its prompts from. `later`: that is set up already, or nobody said. */
export type ServiceChoice =
  | { readonly kind: 'hosted'; readonly access: ServiceAccess }
  | { readonly kind: 'example' }
  | { readonly kind: 'later' }

/**
 * Takes the service of the command line; else asks, unless the project has a lock, a configuration
 * file, or a key.
 *
 * @param interactive - `undefined` if nobody can be asked
 * @throws PromptsError BASE_URL_INVALID, KEY_KIND_UNKNOWN; Interruption on Ctrl-C
 */
export async function chooseService(
  root: string,
  { env, values: { 'base-url': baseUrl, 'api-key': apiKey, example } }: ServiceInvocation,
  interactive: InteractiveStreams | undefined,
): Promise<ServiceChoice> {
  if (example) return { kind: 'example' }
  if (baseUrl !== undefined || apiKey !== undefined) {
    const problem = baseUrl === undefined ? undefined : urlProblem(baseUrl)
    if (problem !== undefined) throw new PromptsError('BASE_URL_INVALID', { problem })
    if (apiKey !== undefined && keyEnvironment(apiKey) === undefined)
      throw new PromptsError('KEY_KIND_UNKNOWN', { source: '--api-key' })
    return { kind: 'hosted', access: { baseUrl, apiKey } }
  }
  if (interactive === undefined || (await isConfigured(root, env))) return { kind: 'later' }
  return askService(interactive)
}

interface ServiceInvocation extends CommandContext {
  readonly values: {
    readonly 'base-url': string | undefined
    readonly 'api-key': string | undefined
    readonly example: boolean
  }
}

function urlProblem(text: string): string | undefined {
  const parsed = parseBaseUrl(text)
  return parsed.kind === 'unusable' ? parsed.problem : undefined
}

async function isConfigured(root: string, env: CommandContext['env']): Promise<boolean> {
  const { names } = await readProjectFiles(root)
  const files = [...configFileNames(DEFAULT_WORKSPACE), `${DEFAULT_WORKSPACE}.lock.json`]
  if (files.some((file) => names.has(file))) return true
  const sources = await readEnvironment(root, defaultMode(env), env)
  return sources.some(({ values }) => (values['PROMPTS_API_KEY'] ?? '') !== '')
}

const SERVICES: { value: ServiceChoice['kind']; label: string; hint: string }[] = [
  { value: 'hosted', label: 'A hosted service', hint: 'with its address and a key' },
  { value: 'example', label: 'A local example', hint: 'no account needed' },
  { value: 'later', label: 'Decide later', hint: '' },
]

async function askService(interactive: InteractiveStreams): Promise<ServiceChoice> {
  const kind = await ask(interactive, ({ select }, on) =>
    select({ message: 'Where do the prompts come from?', options: SERVICES, ...on }),
  )
  if (kind !== 'hosted') return { kind }
  const baseUrl = await ask(interactive, ({ text }, on) =>
    text({
      message: 'Address of the service',
      placeholder: 'https://prompts.example.com',
      validate: (answer = '') => urlProblem(answer),
      ...on,
    }),
  )
  const apiKey = await ask(interactive, ({ password }, on) =>
    password({
      message: 'Key (it is written to .env.local only)',
      validate: (key = '') =>
        keyEnvironment(key) === undefined
          ? 'it does not begin like svc_live_ or svc_test_'
          : undefined,
      ...on,
    }),
  )
  return { kind, access: { baseUrl, apiKey } }
}

/**
 * Asks if there are several candidates or none. Otherwise takes the most likely one.
 *
 * @param interactive - `undefined` if nobody can be asked
 * @throws Interruption on Ctrl-C
 */
export async function chooseBundler(
  detected: readonly DetectedBundler[],
  interactive: InteractiveStreams | undefined,
): Promise<BundlerName | undefined> {
  const sure = detected.filter(({ file }) => file !== undefined)
  const [first] = detected
  if (interactive === undefined || sure.length === 1 || detected.length === 1)
    return first?.bundler.name
  const likely = detected.length > 0 ? detected : bundlers.map((bundler) => ({ bundler, file: '' }))
  const options = likely.map(({ bundler: { name, title }, file = '' }) => ({
    value: name,
    label: title,
    hint: file,
  }))
  const none = { value: 'none', label: 'None of these', hint: 'generate real files' } as const
  const question = { message: 'What builds this app?', options: [...options, none] }
  const chosen = await ask(interactive, ({ select }, on) =>
    select<BundlerName | 'none'>({ ...question, ...on }),
  )
  return chosen === 'none' ? undefined : chosen
}
