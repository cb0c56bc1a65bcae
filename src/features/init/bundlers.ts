/** The bundlers and frameworks that `init` knows. */
export type BundlerName =
  | 'next'
  | 'nuxt'
  | 'astro'
  | 'sveltekit'
  | 'rsbuild'
  | 'farm'
  | 'rspack'
  | 'vite'
  | 'webpack'
  | 'rolldown'
  | 'rollup'
  | 'esbuild'
  | 'vitest'

/** What the setup needs to know about a bundler or framework. */
export interface Bundler {
  readonly name: BundlerName
  /** Display name. */
  readonly title: string
  /** The npm package that shows that an app uses it. */
  readonly dependency: string
  /** Name of its configuration file without the extension; `undefined` if it has none. */
  readonly config: string | undefined
  /** The entry point of this package. */
  readonly entryPoint: string
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

const PLUGINS = ['plugins'] as const

/** Frameworks come before the bundlers that they use. */
export const bundlers: readonly Bundler[] = [
  framework('next', 'Next.js', { config: 'next.config', entryPoint: 'next', path: [] }),
  framework('nuxt', 'Nuxt', {
    config: 'nuxt.config',
    entryPoint: 'nuxt',
    path: ['modules'],
    isModuleName: true,
    declarations: false,
  }),
  framework('astro', 'Astro', {
    config: 'astro.config',
    entryPoint: 'astro',
    path: ['integrations'],
    declarations: false,
  }),
  framework('sveltekit', 'SvelteKit', {
    dependency: '@sveltejs/kit',
    config: 'vite.config',
    entryPoint: 'vite',
    path: PLUGINS,
    declarations: 'src',
  }),
  bundler('rsbuild', 'Rsbuild', '@rsbuild/core'),
  bundler('farm', 'Farm', '@farmfe/core'),
  bundler('rspack', 'Rspack', '@rspack/core'),
  bundler('vite', 'Vite', 'vite'),
  bundler('webpack', 'webpack', 'webpack'),
  bundler('rolldown', 'Rolldown', 'rolldown'),
  bundler('rollup', 'Rollup', 'rollup'),
  { ...bundler('esbuild', 'esbuild', 'esbuild'), config: undefined },
  // Last, since most apps with Vitest have a bundler.
  framework('vitest', 'Vitest', { config: 'vitest.config', entryPoint: 'vite', path: PLUGINS }),
]

function framework(
  name: BundlerName,
  title: string,
  given: Pick<Bundler, 'config' | 'entryPoint' | 'path'> &
    Partial<Pick<Bundler, 'dependency' | 'declarations' | 'isModuleName'>>,
): Bundler {
  return { dependency: name, ...given, name, title }
}

function bundler(name: BundlerName, title: string, dependency: string): Bundler {
  return { name, title, dependency, config: `${name}.config`, entryPoint: name, path: PLUGINS }
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
