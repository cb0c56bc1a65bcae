import { DEFAULT_WORKSPACE } from '../../core/workspace-name.ts'
import { keyEnvironment } from '../../config/api-key.ts'
import { optionProblems } from '../../config/option-problems.ts'
import type { PluginOptions } from '../../config/options.ts'
import { checkWorkspaceName } from '../../config/resolve-options.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { createInstance } from '../instance.ts'
import { plugin } from '../unplugin.ts'
import { type CompilerConfig, withOutputScan } from './scan-output.ts'
import { type TurbopackConfig, withTurbopack } from './turbopack.ts'

/** The options of `withPrompts()`. Nothing is pulled while Next builds or serves. */
export type NextOptions = Omit<PluginOptions, 'pull' | 'manifest' | 'page'>

/** As much of Next's configuration as is extended here. */
interface NextConfig {
  readonly turbopack?: TurbopackConfig | undefined
  readonly webpack?: WebpackFunction | null | undefined
  readonly compiler?: CompilerConfig | undefined
}

type WebpackFunction = (config: WebpackConfig, context: unknown) => unknown

interface WebpackConfig {
  plugins?: unknown[]
}

/**
 * Adds `virtual:prompts` to the configuration of Next, for Turbopack and for webpack.
 *
 * @param config - an object, or a function that returns one or a promise of one
 * @returns the same form as `config`
 * @throws PromptsError OPTIONS_INVALID; NAME_TAKEN for a second call with the same `name`, also
 *   from the function that is returned
 * @example export default withPrompts(nextConfig)
 */
export function withPrompts<Config extends object>(
  config: Config,
  options: NextOptions = {},
): Config {
  const { name = DEFAULT_WORKSPACE, ...given } = options
  checkWorkspaceName(name, SOURCE)
  assertOptions(given)
  const instance = createInstance({ ...options, pull: 'never' })
  const extend = (own: NextConfig): NextConfig => ({
    ...own,
    turbopack: withTurbopack(own.turbopack, { name, options: withoutKey(given) }),
    webpack: withWebpack(own.webpack, options),
    compiler: withOutputScan(own.compiler, instance),
  })
  const extended =
    typeof config === 'function'
      ? (...args: unknown[]) => whenMade((config as ConfigFunction)(...args), extend)
      : extend(config)
  return extended as Config
}

const SOURCE = 'the call of withPrompts()'

const NEVER_PULLED =
  'pull: Next loads its configuration and builds in several processes, each of which would pull. ' +
  'Run `prompts pull` before'

type ConfigFunction = (...args: unknown[]) => NextConfig | Promise<NextConfig>

function whenMade(
  config: NextConfig | Promise<NextConfig>,
  extend: (own: NextConfig) => NextConfig,
): NextConfig | Promise<NextConfig> {
  return config instanceof Promise ? config.then(extend) : extend(config)
}

function assertOptions(options: NextOptions): void {
  const problems = optionProblems(options)
  const { pull = 'never' }: PluginOptions = options
  if (pull !== 'never') problems.push(NEVER_PULLED)
  if (problems.length > 0) throw new PromptsError('OPTIONS_INVALID', { source: SOURCE, problems })
}

/** Loader options are kept in Turbopack's cache on the disk. */
function withoutKey({ apiKey, ...options }: NextOptions): NextOptions {
  const environment =
    options.environment ?? (apiKey === undefined ? undefined : keyEnvironment(apiKey))
  return { ...options, ...(environment !== undefined && { environment }) }
}

function withWebpack(own: NextConfig['webpack'], options: PluginOptions): WebpackFunction {
  // One call for the compilers of browser, server and edge, so that they share its session.
  const prompts = plugin.webpack({ ...options, pull: 'never' })
  return (config, context) => {
    ;(config.plugins ??= []).push(prompts)
    return own?.(config, context) ?? config
  }
}
