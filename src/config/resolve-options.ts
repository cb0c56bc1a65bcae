import type { Environment } from '../core/prompt.ts'
import { DEFAULT_WORKSPACE, envVariable, isWorkspaceName } from '../core/workspace-name.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { keyEnvironment } from './api-key.ts'
import type { EnvSource } from './env-files.ts'
import { resolvePaths } from './option-paths.ts'
import { optionProblems, OPTION_NAMES } from './option-problems.ts'
import type { Options } from './options.ts'
import { createPromptFilter } from './prompt-filter.ts'
import { assertKeysHidden, type PublicVariables } from './published-keys.ts'
import { DEFAULTS, type ResolvedOptions, type Setting } from './resolved-options.ts'

/** What options are resolved from. If several layers set an option, the first one is used. */
export interface OptionLayers {
  /** The project's folder, absolute. */
  readonly root: string
  /** Name of the workspace. Default: `prompts`. */
  readonly name?: string | undefined
  /** Options with their source, such as those of the plugin and those of a file. */
  readonly layers: readonly { readonly source: string; readonly options: unknown }[]
  /** In order of precedence; the first is the process. */
  readonly env: readonly EnvSource[]
  /** Variables that the bundler exposes in addition to the usual prefixes. Default: none. */
  readonly published?: PublicVariables | undefined
}

const NO_PUBLIC_VARIABLES: PublicVariables = { setting: '', prefixes: [] }

/**
 * Checks and merges options, and fills in defaults.
 *
 * @throws PromptsError OPTIONS_INVALID, ENVIRONMENT_MISMATCH, KEY_PUBLISHED, PREFIX_PUBLISHES_KEY
 */
export function resolveOptions({
  root,
  name = DEFAULT_WORKSPACE,
  layers,
  env,
  published = NO_PUBLIC_VARIABLES,
}: OptionLayers): ResolvedOptions {
  const source = layers.map((layer) => layer.source).join(' and ')
  const given = mergeLayers(layers)
  const find = (option: 'apiKey' | 'baseUrl', variable: string): Setting | undefined => {
    const value = given[option]
    if (value !== undefined) return { value, source: `option ${option}` }
    return lookup(env, envVariable(name, variable))
  }
  const choose = <Choice extends string>(variable: string, choices: readonly Choice[]) =>
    readChoice(lookup(env, envVariable(name, variable)), choices)
  const key = find('apiKey', 'API_KEY')
  assertKeysHidden(key?.value, { name, env, published })
  const selected = given.environment ?? choose('ENVIRONMENT', ['live', 'test'])
  const environment = selected ?? kindOf(key) ?? 'live'
  const keyFor = (wanted: Environment): Setting | undefined =>
    key !== undefined && (kindOf(key) ?? environment) === wanted
      ? key
      : lookup(env, secondKeyVariable(name, wanted))
  const apiKey = keyFor(environment)
  assertFits(environment, apiKey ?? key)
  const address = find('baseUrl', 'BASE_URL')
  return {
    ...DEFAULTS,
    ...given,
    root,
    name,
    baseUrl: address?.value,
    baseUrlSource: address?.source,
    apiKey,
    otherKey: keyFor(environment === 'live' ? 'test' : 'live'),
    environment,
    pull: given.pull ?? choose('PULL', ['missing', 'always', 'never']) ?? 'missing',
    isSelected: createPromptFilter(given.include, given.exclude),
    ...resolvePaths(given, { root, name, environment, source }),
    processEnv: env[0]?.values ?? {},
  }
}

/** The variable of a key next to one of the other environment, such as `PROMPTS_TEST_API_KEY`. */
function secondKeyVariable(name: string, environment: Environment): string {
  return envVariable(name, environment === 'live' ? 'LIVE_API_KEY' : 'TEST_API_KEY')
}

/**
 * Checks the name of a workspace.
 *
 * @throws PromptsError OPTIONS_INVALID
 */
export function checkWorkspaceName(name: unknown, source: string): string {
  if (isWorkspaceName(name)) return name
  const problems = [
    'name: expected words of a-z and 0-9 joined by hyphens, such as billing-prompts',
  ]
  throw new PromptsError('OPTIONS_INVALID', { source, problems, known: OPTION_NAMES })
}

function mergeLayers(layers: OptionLayers['layers']): Options {
  const merged: Options = {}
  for (const { source, options } of layers.toReversed()) {
    const problems = optionProblems(options)
    if (problems.length > 0)
      throw new PromptsError('OPTIONS_INVALID', { source, problems, known: OPTION_NAMES })
    const defined = Object.entries(options as Options).filter(([, value]) => value !== undefined)
    Object.assign(merged, Object.fromEntries(defined))
  }
  return merged
}

function lookup(env: readonly EnvSource[], name: string): Setting | undefined {
  for (const { name: place, values } of env) {
    const value = values[name]
    if (value !== undefined && value !== '') return { value, source: `${name} in ${place}` }
  }
  return undefined
}

function kindOf(key: Setting | undefined): Environment | undefined {
  return key && keyEnvironment(key.value)
}

function assertFits(option: Environment, key: Setting | undefined): void {
  const kind = kindOf(key)
  if (key !== undefined && kind !== undefined && kind !== option)
    throw new PromptsError('ENVIRONMENT_MISMATCH', { option, kind, source: key.source })
}

function readChoice<Choice extends string>(
  found: Setting | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (found === undefined) return undefined
  const choice = choices.find((each) => each === found.value)
  if (choice !== undefined) return choice
  const problems = [
    `expected ${new Intl.ListFormat('en', { type: 'disjunction' }).format(choices)}`,
  ]
  throw new PromptsError('OPTIONS_INVALID', {
    source: found.source,
    problems,
    known: OPTION_NAMES,
  })
}
