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
  /**
   * The keys that lead to the array of plugins in the configuration. Empty if the whole
   * configuration is wrapped.
   */
  readonly path: readonly string[]
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
  bundler('next', 'Next.js', { path: [] }),
  bundler('nuxt', 'Nuxt', { path: ['modules'], isModuleName: true, declarations: false }),
  bundler('astro', 'Astro', { path: ['integrations'], declarations: false }),
  bundler('sveltekit', 'SvelteKit', { ...VITE, dependency: '@sveltejs/kit', declarations: 'src' }),
  bundler('rsbuild', 'Rsbuild', { dependency: '@rsbuild/core' }),
  bundler('rspack', 'Rspack', { dependency: '@rspack/core' }),
  bundler('vite', 'Vite'),
  bundler('webpack', 'webpack'),
  bundler('rolldown', 'Rolldown'),
  bundler('rollup', 'Rollup'),
  bundler('esbuild', 'esbuild', { config: undefined }),
  bundler('bun', 'Bun', { dependency: '@types/bun', config: undefined }),
  // Last, since most apps with Vitest have a bundler.
  bundler('vitest', 'Vitest', { ...VITE, config: 'vitest.config' }),
]

function bundler(name: BundlerName, title: string, given: Partial<Bundler> = {}): Bundler {
  const specifier = `unplugin-prompts/${name}`
  const usual = { dependency: name, config: `${name}.config`, specifier, path: ['plugins'] }
  return { name, title, ...usual, ...given }
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

/**
 * The bundlers that a project probably uses, the most likely first: those with a configuration
 * file, then those that are only dependencies, such as Vite for Vitest.
 *
 * @param files - names of the files in the project's folder
 */
export function detectBundlers(
  dependencies: ReadonlySet<string>,
  files: ReadonlySet<string>,
): DetectedBundler[] {
  const found = bundlers
    .filter(({ dependency }) => dependencies.has(dependency))
    .map((each) => ({ bundler: each, file: configFile(each, files) }))
  const frameworks = new Set<BundlerName>(['next', 'nuxt', 'astro', 'sveltekit'])
  const isCertain = ({ bundler: { name }, file }: DetectedBundler): boolean =>
    file !== undefined || frameworks.has(name)
  const certain = found.filter(isCertain)
  const sorted = [...certain, ...found.filter((each) => !isCertain(each))]
  // Vitest takes the plugins of the app's Vite, or tests what another bundler builds.
  const isBuilt = certain.some(({ bundler: { name } }) => name !== 'vitest')
  return sorted.filter(({ bundler: { name } }) => name !== 'vitest' || !isBuilt)
}

/** The configuration file of a bundler among some files. */
export function configFile(
  { config }: Pick<Bundler, 'config'>,
  files: ReadonlySet<string>,
): string | undefined {
  return EXTENSIONS.map((extension) => `${config}.${extension}`).find((name) => files.has(name))
}
