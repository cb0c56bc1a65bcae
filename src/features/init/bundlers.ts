import type { ProjectFiles } from './project-files.ts'

/** The bundlers and frameworks that `init` knows. */
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

/** What the setup needs to know about a bundler or framework. */
export interface Bundler {
  readonly name: BundlerName
  /** Display name. */
  readonly title: string
  /** The npm package that shows that an app uses it. Default: the name. */
  readonly dependency: string
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

/** Frameworks come before the bundlers that they use. */
export const bundlers: readonly Bundler[] = [
  define('next', 'Next.js', { list: undefined }),
  define('nuxt', 'Nuxt', { list: 'modules', isModuleName: true, declarations: false }),
  define('astro', 'Astro', { list: 'integrations', declarations: false }),
  define('sveltekit', 'SvelteKit', { ...VITE, dependency: '@sveltejs/kit', declarations: 'src' }),
  define('rsbuild', 'Rsbuild', { dependency: '@rsbuild/core' }),
  define('rspack', 'Rspack', { dependency: '@rspack/core' }),
  define('vite', 'Vite'),
  define('webpack', 'webpack'),
  define('rolldown', 'Rolldown'),
  define('rollup', 'Rollup'),
  define('esbuild', 'esbuild', { config: undefined }),
  define('bun', 'Bun', { dependency: '@types/bun', config: undefined }),
  // Last, since most apps with Vitest have a bundler.
  define('vitest', 'Vitest', { ...VITE, config: 'vitest.config' }),
]

function define(name: BundlerName, title: string, special: Partial<Bundler> = {}): Bundler {
  const specifier = `unplugin-prompts/${name}`
  const usual = { dependency: name, config: `${name}.config`, specifier, list: 'plugins' }
  return { name, title, ...usual, ...special }
}

/** The function that wraps the configuration of Next. */
export const WRAPPER = 'withPrompts'

/** The line that imports the plugin. */
export function importLine(binding: string, specifier: string, commonJs: boolean): string {
  return commonJs
    ? `const ${binding} = require('${specifier}').default`
    : `import ${binding} from '${specifier}'`
}

/** A bundler that a project probably uses. */
export interface DetectedBundler {
  readonly bundler: Bundler
  /** Name of its configuration file, if there is one. */
  readonly file: string | undefined
}

const EXTENSIONS = ['ts', 'mts', 'js', 'mjs', 'cts', 'cjs']

const FRAMEWORKS: ReadonlySet<BundlerName> = new Set(['next', 'nuxt', 'astro', 'sveltekit'])

/**
 * The bundlers that a project probably uses, the most likely first: those with a configuration
 * file, then those that are only dependencies, such as Vite for Vitest.
 */
export function detectBundlers({
  dependencies,
  names,
}: Pick<ProjectFiles, 'dependencies' | 'names'>): DetectedBundler[] {
  const candidates = bundlers
    .filter(({ dependency }) => dependencies.has(dependency))
    .map((bundler) => ({ bundler, file: configFile(bundler, names) }))
  const isCertain = ({ bundler, file }: DetectedBundler): boolean =>
    file !== undefined || FRAMEWORKS.has(bundler.name)
  const isVitest = ({ bundler }: DetectedBundler): boolean => bundler.name === 'vitest'
  // Vitest takes the plugins of the app's Vite, or tests what another bundler builds.
  const isBuilt = candidates.some((candidate) => isCertain(candidate) && !isVitest(candidate))
  return candidates
    .filter((candidate) => !isBuilt || !isVitest(candidate))
    .toSorted((one, other) => Number(isCertain(other)) - Number(isCertain(one)))
}

/** The configuration file of a bundler among some files. */
export function configFile({ config }: Bundler, files: ReadonlySet<string>): string | undefined {
  return EXTENSIONS.map((extension) => `${config}.${extension}`).find((name) => files.has(name))
}
