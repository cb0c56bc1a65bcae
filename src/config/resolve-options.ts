import { resolve } from 'node:path'
import type { Environment } from '../core/prompt.ts'
import { DEFAULT_WORKSPACE, envVariable, keyVariables } from '../core/workspace-name.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { hasSecret, secretForms } from '../core/secrets.ts'
import { isTestKey } from './api-key.ts'
import type { EnvSource } from './env-files.ts'
import { optionProblems, OPTION_NAMES } from './option-problems.ts'
import type { CustomService, Options } from './options.ts'
import { createPromptFilter, type PromptFilter } from './prompt-filter.ts'
import { isInside, outDirFiles } from '../fs/paths.ts'

/** A setting that an option or an environment variable can have. */
export interface Setting {
  readonly value: string
  /** Such as `PROMPTS_API_KEY in .env.local`. */
  readonly source: string
  /** The env file that has it; absolute. Default: no file has it. */
  readonly path?: string | undefined
}

/** The defaults that depend on nothing else. */
const DEFAULTS = {
  fallback: true,
  apps: [],
  client: 'warn',
  production: 'warn',
  page: true,
  staging: true,
  concurrency: 16,
  timeout: 30_000,
  pull: 'missing',
} as const

type Defaulted = Readonly<Required<Pick<Options, keyof typeof DEFAULTS>>>

/** All options with their defaults and absolute paths. */
export interface ResolvedOptions extends Defaulted, Pick<Options, 'include' | 'exclude'> {
  readonly root: string
  readonly name: string
  /** `undefined` for the built-in service. */
  readonly service: CustomService | undefined
  readonly baseUrl: string | undefined
  /** Where the address was found, such as `PROMPTS_BASE_URL in .env.local`. */
  readonly baseUrlSource: string | undefined
  /** The keys, or secrets of a custom service, that are used. Which is which is read from each. */
  readonly keys: readonly Setting[]
  /** The env files that have a key or a secret; absolute. */
  readonly keyFiles: readonly string[]
  /** Whether what a read needs is set. */
  readonly canRead: boolean
  /** What no bundle, lock, message or page may contain: each spelling of every key and secret that is set. */
  readonly secrets: readonly string[]
  /** The view of declarations and generated folders, which only the option chooses. */
  readonly environment: Environment
  readonly served: ServedView
  readonly isSelected: PromptFilter
  /** Absolute. */
  readonly lock: string
  readonly dts: string | false
  readonly outDir: string | undefined
  /** The environment of the process with the variables of env files; none is empty. */
  readonly env: EnvSource['values']
  /** The environment of the process, for proxy variables. */
  readonly processEnv: EnvSource['values']
}

/** The view of `virtual:prompts`, and what chose it. Nothing else chooses one: no lock, and no key. */
export type ServedView =
  | { readonly chosenBy: 'default'; readonly environment: 'live' }
  | {
      readonly chosenBy: 'option' | 'variable'
      readonly environment: Environment
      /** Such as the path of the configuration file, or `PROMPTS_ENVIRONMENT in .env`. */
      readonly source: string
    }

/** What options are resolved from. If several layers set an option, the first one is used. */
interface OptionLayers {
  readonly root: string
  /** Name of the workspace. Default: `prompts`. */
  readonly name?: string | undefined
  /** Options with their source, such as those of the plugin and those of a file. */
  readonly layers: readonly {
    readonly source: string
    readonly options: unknown
    /** Whether it is a configuration file. Default: it is not. */
    readonly isFile?: boolean
  }[]
  /** In order of precedence; the first is the process. */
  readonly env: readonly EnvSource[]
  /** Variables that the bundler exposes in addition to the usual prefixes. Default: none. */
  readonly published?: PublicVariables | undefined
}

/** Checks and merges options, and fills in defaults. */
export function resolveOptions({
  root,
  name = DEFAULT_WORKSPACE,
  layers,
  env,
  published,
}: OptionLayers): ResolvedOptions {
  const sources = layers.map((layer) => layer.source).join(' and ')
  const set = mergeLayers(layers)
  const fromVariables = variableLayers(set, name, env)
  const options = { ...set, ...mergeLayers(fromVariables) }
  const settings = (option: 'apiKey' | 'baseUrl', variable: string): Setting[] => [
    ...layers.flatMap((layer) => {
      const { [option]: value } = layer.options as Options
      return value === undefined ? [] : [{ value, source: `option ${option}` }]
    }),
    ...lookupAll(env, variable),
  ]
  const { service } = options
  const ofKeys = keyVariables(name)
  const builtIn = [settings('apiKey', ofKeys.live), lookupAll(env, ofKeys.test)]
  const custom = service?.secrets.map((variable) => lookupAll(env, variable)) ?? []
  const keys = (service ? custom : builtIn).flatMap(([first]) => first ?? [])
  // Also those that another one replaces, or that another service does not need: an old key is still a key.
  const secrets = [...builtIn, ...custom]
    .flat()
    .map(({ value, source, path }) => ({ source, path, forms: secretForms(value) }))
  const variables = [...Object.values(ofKeys), ...(service?.secrets ?? [])]
  assertHidden(secrets, variables, env, published)
  const [address] = service ? [] : settings('baseUrl', envVariable(name, 'BASE_URL'))
  const canRead = service
    ? keys.length === service.secrets.length
    : // Without staging parts, a test key is only for `diff --if-published`.
      address !== undefined &&
      keys.some((key) => options.staging !== false || !isTestKey(key.value))
  return {
    ...DEFAULTS,
    ...options,
    root,
    name,
    baseUrl: address?.value,
    baseUrlSource: address?.source,
    service,
    keys,
    canRead,
    secrets: [...new Set(secrets.flatMap(({ forms }) => forms))],
    keyFiles: [...new Set(secrets.flatMap(({ path }) => path ?? []))],
    env: mergeValues(env),
    environment: set.environment ?? 'live',
    served: chooseView(layers, 'option') ?? chooseView(fromVariables, 'variable') ?? LIVE_VIEW,
    isSelected: createPromptFilter(options.include, options.exclude),
    ...resolvePaths(options, { root, name }, sources),
    processEnv: env[0]?.values ?? {},
  }
}

const LIVE_VIEW: ServedView = { chosenBy: 'default', environment: 'live' }

function chooseView(
  layers: OptionLayers['layers'],
  chosenBy: 'option' | 'variable',
): ServedView | undefined {
  for (const { source, options } of layers) {
    const { environment } = options as Options
    if (environment !== undefined) return { chosenBy, environment, source }
  }
  return undefined
}

function invalid(source: string, problems: readonly string[]): PromptsError {
  return new PromptsError('OPTIONS_INVALID', { source, problems, known: OPTION_NAMES })
}

function mergeLayers(layers: OptionLayers['layers']): Options {
  const merged: Options = {}
  for (const { source, options, isFile } of layers.toReversed()) {
    const problems = optionProblems(options, isFile)
    if (problems.length > 0) throw invalid(source, problems)
    const defined = Object.entries(options as Options).filter(([, value]) => value !== undefined)
    Object.assign(merged, Object.fromEntries(defined))
  }
  return merged
}

/** The options that a variable can set, where no layer does: `PROMPTS_PULL=never`. */
function variableLayers(
  options: Options,
  workspace: string,
  env: readonly EnvSource[],
): OptionLayers['layers'] {
  return (['environment', 'pull'] as const).flatMap((option) => {
    const setting = lookup(env, envVariable(workspace, option.toUpperCase()))
    if (options[option] !== undefined || setting === undefined) return []
    return [{ source: setting.source, options: { [option]: setting.value } }]
  })
}

/** The first value of a variable that is not empty. */
export function lookup(env: readonly EnvSource[], name: string): Setting | undefined {
  return lookupAll(env, name)[0]
}

function lookupAll(env: readonly EnvSource[], name: string): Setting[] {
  return env.flatMap(({ name: place, path, values }) => {
    const value = values[name] ?? ''
    return value === '' ? [] : [{ value, source: `${name} in ${place}`, path }]
  })
}

/** All variables that are not empty, each with the value that {@link lookup} finds. */
function mergeValues(env: readonly EnvSource[]): EnvSource['values'] {
  const values = env.toReversed().flatMap((source) => Object.entries(source.values))
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

/** The options that are paths of written files. */
type OutputPaths = Pick<ResolvedOptions, 'lock' | 'dts' | 'outDir'>

function resolvePaths(
  { lock, dts, outDir }: Options,
  { root, name }: Pick<ResolvedOptions, 'root' | 'name'>,
  source: string,
): OutputPaths {
  const paths = {
    lock: resolve(root, lock ?? `${name}.lock.json`),
    dts: dts === false ? false : resolve(root, dts ?? `${name}.d.ts`),
    outDir: outDir === undefined ? undefined : resolve(root, outDir),
  } as const
  const problems = findOverlaps(paths)
  if (problems.length > 0) throw new PromptsError('OPTIONS_INVALID', { source, problems })
  return paths
}

function findOverlaps({ lock, dts, outDir }: OutputPaths): string[] {
  const folder = outDir === undefined ? undefined : outDirFiles(outDir)
  const outputs: [option: string, paths: readonly string[]][] = [
    ['lock', [lock]],
    ['dts', dts === false ? [] : [dts, `${dts}.map`]],
    ['outDir', folder ? [...Object.values(folder.modules), folder.manifest] : []],
  ]
  const overlaps = outputs.flatMap(([option, paths], index) =>
    outputs
      .slice(index + 1)
      .filter(([, others]) => paths.some((path) => others.some((other) => overlap(path, other))))
      .map(([other]) => `${option} and ${other}: one would overwrite the other`),
  )
  if (dts === false || dts.toLowerCase() !== `${outDir}.d.ts`.toLowerCase()) return overlaps
  const problem =
    'dts and outDir: TypeScript reads the file in place of the folder; set `dts: false` or another path'
  return [...overlaps, problem]
}

/** Case is ignored, as many file systems do. */
function overlap(one: string, other: string): boolean {
  const [first, second] = [one.toLowerCase(), other.toLowerCase()]
  return isInside(first, second) || isInside(second, first)
}

/** Environment variables that a bundler exposes to browser code. */
export interface PublicVariables {
  /** The bundler's setting, such as `envPrefix`. */
  readonly setting: string
  /** The prefixes of their names. */
  readonly prefixes: readonly string[]
  /** The names of others. Default: none. */
  readonly names?: readonly string[]
}

/** Prefixes of variables that bundlers and frameworks expose to browser code. */
const PUBLIC_PREFIX =
  /^(?:VITE_|NEXT_PUBLIC_|NUXT_PUBLIC_|PUBLIC_|REACT_APP_|VUE_APP_|EXPO_PUBLIC_|GATSBY_)/

/**
 * Checks that no variable that is exposed to browser code contains a key, and that no prefix of the
 * bundler exposes a variable of a key, set or not: once it is set, for example in CI, the app would
 * contain it.
 */
function assertHidden(
  secrets: readonly { readonly source: string; readonly forms: readonly string[] }[],
  variables: readonly string[],
  env: readonly EnvSource[],
  { setting, prefixes, names = [] }: PublicVariables = { setting: '', prefixes: [] },
): void {
  for (const prefix of [...prefixes, ...names.filter((name) => variables.includes(name))]) {
    const variable = variables.find((name) => name.startsWith(prefix))
    if (variable !== undefined)
      throw new PromptsError('PREFIX_PUBLISHES_KEY', { setting, prefix, variable })
  }
  for (const [variable, value] of env.flatMap(({ values }) => Object.entries(values))) {
    const isPublic =
      PUBLIC_PREFIX.test(variable) ||
      names.includes(variable) ||
      prefixes.some((prefix) => variable.startsWith(prefix))
    const secret = isPublic && secrets.find(({ forms }) => hasSecret(value ?? '', forms))
    if (secret) throw new PromptsError('KEY_PUBLISHED', { variable, source: secret.source })
  }
}
