import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { optionProblems } from '../../config/option-problems.ts'
import type { PluginOptions } from '../../config/options.ts'
import { DEFAULT_WORKSPACE } from '../../core/workspace-name.ts'
import { checkWorkspaceName, errorMessage, PromptsError } from '../../errors/prompts-error.ts'
import { type Notify, createNotify } from '../../features/start/notify.ts'
import { type PluginInstance, createInstance } from '../instance.ts'
import { contains } from '../output.ts'
import { webpackPlugin } from '../webpack/webpack.ts'
import { type TurbopackConfig, withTurbopack } from './turbopack.ts'

/** The options of `withPrompts()`. Nothing is pulled while Next builds or serves. */
export type NextOptions = Omit<PluginOptions, 'pull' | 'page'>

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
  const { name = DEFAULT_WORKSPACE, ...others } = options
  checkWorkspaceName(name, SOURCE)
  assertOptions(others)
  const instance = createInstance({ ...options, pull: 'never' })
  const extend = (base: NextConfig): NextConfig => ({
    ...base,
    turbopack: withTurbopack(base.turbopack, name, withoutKey(others)),
    webpack: withWebpack(base.webpack, options),
    compiler: withOutputScan(base.compiler, instance),
  })
  const extendAll = (base: MaybePromise): MaybePromise =>
    base instanceof Promise ? base.then(extend) : extend(base)
  const extended =
    typeof config === 'function'
      ? (...args: unknown[]) => extendAll((config as ConfigFunction)(...args))
      : extend(config)
  return extended as Config
}

type MaybePromise = NextConfig | Promise<NextConfig>
type ConfigFunction = (...args: unknown[]) => MaybePromise

const SOURCE = 'the call of withPrompts()'

const NEVER_PULLED =
  'pull: Next loads its configuration and builds in several processes, each of which would pull. ' +
  'Run `prompts pull` before'

function assertOptions(options: NextOptions): void {
  const problems = optionProblems(options)
  const { pull = 'never' }: PluginOptions = options
  if (pull !== 'never') problems.push(NEVER_PULLED)
  if (problems.length > 0) throw new PromptsError('OPTIONS_INVALID', { source: SOURCE, problems })
}

/** Loader options are kept in Turbopack's cache on the disk. */
function withoutKey(options: NextOptions): NextOptions {
  const { apiKey: _, ...others } = options
  return others
}

function withWebpack(next: NextConfig['webpack'], options: PluginOptions): WebpackFunction {
  // One call for the compilers of browser, server and edge, so that they share its session.
  const prompts = webpackPlugin({ ...options, pull: 'never' })
  return (config, context) => {
    ;(config.plugins ??= []).push(prompts)
    return next?.(config, context) ?? config
  }
}

/** As much of Next's `compiler` as is extended here. */
interface CompilerConfig {
  readonly runAfterProductionCompile?: AfterCompile | undefined
}

type AfterCompile = (build: CompiledBuild) => Promise<void>

/** What Next reports about a build whose code is written. Both paths are absolute. */
interface CompiledBuild {
  readonly projectDir: string
  readonly distDir: string
}

/** Searches what `next build` writes for the key. Turbopack has no plugins, which do this elsewhere. */
function withOutputScan(
  compiler: CompilerConfig | undefined,
  instance: PluginInstance,
): CompilerConfig {
  return {
    ...compiler,
    async runAfterProductionCompile(build) {
      await compiler?.runAfterProductionCompile?.(build)
      const { distDir, projectDir } = build
      const { secrets } = (await instance.openProject(projectDir)).options
      if (secrets.length === 0) return
      refuseKey(distDir, secrets)
      process.once('exit', () => atExit(distDir, secrets, createNotify(instance.ids.plugin)))
    },
  }
}

/** The folders with the code for browsers and servers. The others hold caches and reports. */
const CODE = ['static', 'server']

/** @throws PromptsError KEY_IN_BUNDLE */
function refuseKey(distDir: string, secrets: readonly string[]): void {
  for (const path of CODE.flatMap((folder) => filesBelow(join(distDir, folder))))
    if (contains(readFileSync(path), secrets))
      throw new PromptsError('KEY_IN_BUNDLE', { file: relative(distDir, path) })
}

/**
 * Searches again: pages are prerendered after the last hook, but for that of the one adapter, which
 * a host sets.
 */
function atExit(distDir: string, secrets: readonly string[], notify: Notify): void {
  try {
    refuseKey(distDir, secrets)
    warnOfCopies(distDir, secrets, notify)
  } catch (error) {
    console.error(errorMessage(error))
    process.exitCode = 1
  }
}

/** Next copies `.env` and `.env.production` for the server of `output: 'standalone'`. */
function warnOfCopies(distDir: string, secrets: readonly string[], notify: Notify): void {
  for (const path of filesBelow(join(distDir, 'standalone'))) {
    const isCopy = ['.env', '.env.production'].includes(basename(path))
    if (!isCopy || !contains(readFileSync(path), secrets)) continue
    notify(
      'warn',
      `${relative(distDir, path)} contains a key of the prompt service: Next copies it there. ` +
        'Keep it out of what you publish, or move the key to .env.local, which is not copied.',
    )
  }
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}
