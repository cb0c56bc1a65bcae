import { join } from 'node:path'
import { readText } from '../../fs/files.ts'
import {
  assertVersion,
  installedVersion,
  LOWEST_RSPACK,
  unsupportedVite,
} from '../../fs/installed-version.ts'
import type { ProjectFiles } from './project-files.ts'

export type BundlerName =
  | 'next'
  | 'nuxt'
  | 'astro'
  | 'sveltekit'
  | 'rsbuild'
  | 'rspack'
  | 'vite'
  | 'webpack'
  | 'rolldown'
  | 'rollup'
  | 'esbuild'
  | 'bun'
  | 'vitest'

export interface Bundler {
  readonly name: BundlerName
  readonly title: string
  /** The npm package that shows that an app uses it. Default: the name. */
  readonly dependency: string
  /** Its lowest version. Default: any, but Vite's own for those that use it. */
  readonly lowest?: string
  /** Name of its configuration file without the extension; `undefined` if it has none. */
  readonly config: string | undefined
  /** The entry point of this package, such as `unplugin-prompts/vite`. */
  readonly specifier: string
  /** The array of plugins in the configuration; `undefined` if the whole configuration is wrapped. */
  readonly list: string | undefined
  /**
   * The folder that TypeScript includes, for a framework that generates its tsconfig later.
   * `false` if the entry point adds the declarations to it. Default: the root.
   */
  readonly declarations?: string | false
  /** Whether the array has names of modules, which are not imported. */
  readonly isModuleName?: boolean
}

const VITE: Partial<Bundler> = { config: 'vite.config', specifier: 'unplugin-prompts/vite' }

const VITEST = define('vitest', 'Vitest', { ...VITE, config: 'vitest.config', lowest: '3.0.0' })

/** Frameworks come before the bundlers that they use. */
export const bundlers: readonly Bundler[] = [
  define('next', 'Next.js', { list: undefined, lowest: '15.5.0' }),
  define('nuxt', 'Nuxt', {
    list: 'modules',
    isModuleName: true,
    declarations: false,
    lowest: '4.0.0',
  }),
  define('astro', 'Astro', { list: 'integrations', declarations: false, lowest: '5.0.0' }),
  define('sveltekit', 'SvelteKit', { ...VITE, dependency: '@sveltejs/kit', declarations: 'src' }),
  define('rsbuild', 'Rsbuild', { dependency: '@rsbuild/core', lowest: '1.3.0' }),
  define('rspack', 'Rspack', { dependency: '@rspack/core', lowest: LOWEST_RSPACK }),
  define('vite', 'Vite'),
  define('webpack', 'webpack', { lowest: '5.74.0' }),
  define('rolldown', 'Rolldown', { lowest: '1.0.0' }),
  define('rollup', 'Rollup', { lowest: '4.0.0' }),
  define('esbuild', 'esbuild', { config: undefined, lowest: '0.17.19' }),
  define('bun', 'Bun', { dependency: '@types/bun', config: undefined }),
  // Last, since most apps with Vitest have a bundler.
  VITEST,
]

function define(name: BundlerName, title: string, special: Partial<Bundler> = {}): Bundler {
  const specifier = `unplugin-prompts/${name}`
  const usual = { dependency: name, config: `${name}.config`, specifier, list: 'plugins' }
  return { name, title, ...usual, ...special }
}

export function assertSupported(root: string, name: BundlerName | undefined): void {
  const bundler = bundlers.find((candidate) => candidate.name === name)
  if (bundler === undefined) return
  const { specifier, title, dependency, lowest = '0' } = bundler
  const error = specifier === VITE.specifier ? unsupportedVite(root) : undefined
  if (error !== undefined) throw error
  assertVersion(title, installedVersion(root, dependency) ?? lowest, lowest)
}

interface DetectedBundler {
  readonly bundler: Bundler
  /** Name of its configuration file, if there is one. */
  readonly file: string | undefined
}

const EXTENSIONS = ['ts', 'mts', 'js', 'mjs', 'cts', 'cjs']

const FRAMEWORKS: ReadonlySet<BundlerName> = new Set(['next', 'nuxt', 'astro', 'sveltekit'])

/**
 * The bundlers that a project probably uses, the most likely first: those with a configuration
 * file, then those that are only dependencies, such as Vite for Vitest. In a monorepo, a bundler may be a
 * dependency of the root.
 */
export function detectBundlers(
  project: Pick<ProjectFiles, 'dependencies' | 'names' | 'manifest'>,
): DetectedBundler[] {
  const { dependencies, names } = project
  const testsOnly = isCompiled(project) ? ['vite', 'vitest'] : []
  const candidates = bundlers
    .filter(({ name }) => !testsOnly.includes(name))
    .map((bundler) => ({ bundler, file: configFile(bundler, names) }))
    .filter(({ bundler: { name, dependency, config }, file }) => {
      return dependencies.has(dependency) || (file !== undefined && config === `${name}.config`)
    })
  const isCertain = ({ bundler, file }: DetectedBundler): boolean =>
    file !== undefined || FRAMEWORKS.has(bundler.name)
  const isVitest = ({ bundler }: DetectedBundler): boolean => bundler === VITEST
  const isBuilt = candidates.some((candidate) => isCertain(candidate) && !isVitest(candidate))
  return candidates
    .filter((candidate) => !isBuilt || !isVitest(candidate))
    .toSorted((one, other) => Number(isCertain(other)) - Number(isCertain(one)))
}

/**
 * Whether Vitest tests what a compiler such as `tsc` or `tsup` builds: no script runs Vite, and one
 * compiles, or the package exports files of a build.
 */
function isCompiled({
  dependencies,
  manifest = {},
}: Pick<ProjectFiles, 'dependencies' | 'manifest'>): boolean {
  const { scripts, main, module, exports, bin } = manifest
  const commands = Object.entries(Object(scripts)).map((script) => script.join(': '))
  if (!dependencies.has('vitest') || commands.some((command) => /\bvite(?![\w-])/.test(command)))
    return false
  const isBuild = (command: string): boolean =>
    /^(?:build|compile|prep).*\b(?:tsc|tsup)\b/.test(command)
  const entries = JSON.stringify([main, module, exports, bin])
  return commands.some(isBuild) || /"(?:\.\/)?(?:build|dist|lib|out)\//.test(entries)
}

/** The configuration file of a bundler among some files. */
export function configFile({ config }: Bundler, files: ReadonlySet<string>): string | undefined {
  return EXTENSIONS.map((extension) => `${config}.${extension}`).find((name) => files.has(name))
}

/** A configuration of Vitest with this name loads the plugin with the one of the app. */
const OF_APP = /^(?:\.\/vite\.config(?:\.\w+)?|astro\/config|@nuxt\/test-utils\/config)$/

/** Vitest and its own configuration, which it reads instead of that of Vite, unless it loads that one. */
export async function findVitest(
  { root, names }: Pick<ProjectFiles, 'root' | 'names'>,
  bundler: Bundler | undefined,
): Promise<{ readonly bundler: Bundler; readonly file: string } | undefined> {
  const file = configFile(VITEST, names)
  if (file === undefined || bundler === undefined || bundler === VITEST) return undefined
  const { loads } = await import('./edit-code.ts')
  const isOfApp = loads(file, (await readText(join(root, file))) ?? '', OF_APP)
  return isOfApp ? undefined : { bundler: VITEST, file }
}
