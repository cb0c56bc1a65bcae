import {
  assertVersion,
  installedVersion,
  LOWEST_RSPACK,
  unsupportedVite,
} from '../../fs/installed-version.ts'
import type { ProjectFiles } from './project-files.ts'

export type BundlerName = keyof typeof EXTENSIONS | 'sveltekit' | 'esbuild' | 'bun'

export interface Bundler {
  readonly name: BundlerName
  readonly title: string
  /** The npm package that shows that an app uses it. Default: the name. */
  readonly dependency: string
  /** Its lowest version. Default: any, but Vite's own for those that use it. */
  readonly lowest?: string
  /** Name of its configuration file without the extension. */
  readonly config: string
  /** The extensions of that file, in the order in which the bundler looks for them; none if it has no such file. */
  readonly extensions: readonly string[]
  /** The entry point of this package, such as `unplugin-prompts/vite`; `undefined` if it takes no plugins. */
  readonly specifier: string | undefined
  /** The array of plugins in the configuration; `undefined` if the whole configuration is wrapped. */
  readonly list: string | undefined
  /**
   * The folder that TypeScript includes, for a framework that generates its tsconfig later.
   * `false` if the entry point adds the declarations to it. Default: the root.
   */
  readonly declarations?: string | false
  /** Whether the array has names of modules, which are not imported. */
  readonly isModuleName?: boolean
  /** For Vitest: what its configuration loads if it is made from that of the app. */
  readonly app?: RegExp
}

/** A bundler that takes plugins. */
export type PluginBundler = Bundler & { readonly specifier: string }

export function takesPlugins(bundler: Bundler): bundler is PluginBundler {
  return bundler.specifier !== undefined
}

/**
 * The orders of `vite` 8, `vitest` 4, `rollup` 4, `rolldown` 1, `webpack-cli` 6, `@rspack/cli` 2, `@rsbuild/core` 2,
 * `next` 16, `c12` 3 for Nuxt, and `astro` 7. What a tool takes only by name comes last.
 */
const EXTENSIONS = {
  astro: ['mjs', 'js', 'ts', 'mts'],
  next: ['js', 'mjs', 'ts', 'mts'],
  nuxt: ['js', 'ts', 'mjs', 'cjs', 'mts', 'cts'],
  rolldown: ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts'],
  rollup: ['mjs', 'cjs', 'ts', 'js', 'mts', 'cts'],
  rsbuild: ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'],
  rspack: ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs'],
  vite: ['js', 'mjs', 'ts', 'cjs', 'mts', 'cts'],
  vitest: ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'],
  webpack: ['js', 'mjs', 'cjs', 'ts', 'cts', 'mts'],
  wrangler: ['json', 'jsonc', 'toml'],
} as const

const VITE = {
  config: 'vite.config',
  extensions: EXTENSIONS.vite,
  specifier: 'unplugin-prompts/vite',
} as const

const VITEST: PluginBundler = {
  ...define('vitest', 'Vitest', { lowest: '3.0.0' }),
  specifier: VITE.specifier,
}

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
  define('esbuild', 'esbuild', { lowest: '0.17.19' }),
  define('bun', 'Bun', { dependency: '@types/bun' }),
  // It bundles with its own esbuild, which takes aliases.
  define('wrangler', 'wrangler', { config: 'wrangler', specifier: undefined }),
  // Last, since most apps with Vitest have a bundler.
  VITEST,
]

function define(name: BundlerName, title: string, special: Partial<Bundler> = {}): Bundler {
  const specifier = `unplugin-prompts/${name}`
  const extensions = name in EXTENSIONS ? EXTENSIONS[name as keyof typeof EXTENSIONS] : []
  const config = `${name}.config`
  return {
    name,
    title,
    dependency: name,
    config,
    extensions,
    specifier,
    list: 'plugins',
    ...special,
  }
}

export function assertSupported(
  root: string,
  { specifier, title, dependency, lowest = '0' }: Bundler,
): void {
  const error = specifier === VITE.specifier ? unsupportedVite(root) : undefined
  if (error !== undefined) throw error
  assertVersion(title, installedVersion(root, dependency) ?? lowest, lowest)
}

interface DetectedBundler {
  readonly bundler: Bundler
  /** Name of its configuration file, if there is one. */
  readonly file: string | undefined
}

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
  const others = unusedBundlers(project)
  const candidates = bundlers
    .filter(({ name }) => !others.has(name))
    .map((bundler) => ({ bundler, file: configFile(bundler, names) }))
    .filter(({ bundler: { name, dependency, config }, file }) => {
      const isOwn = config === name || config === `${name}.config`
      return dependencies.has(dependency) || (file !== undefined && isOwn)
    })
  const isCertain = ({ bundler, file }: DetectedBundler): boolean =>
    file !== undefined || FRAMEWORKS.has(bundler.name) || bundler.name === 'wrangler'
  const isVitest = ({ bundler }: DetectedBundler): boolean => bundler === VITEST
  const isBuilt = candidates.some((candidate) => isCertain(candidate) && !isVitest(candidate))
  return candidates
    .filter((candidate) => !isBuilt || !isVitest(candidate))
    .toSorted((one, other) => Number(isCertain(other)) - Number(isCertain(one)))
}

/** The bundlers that a project has without being built by them, or that are another one under its own name. */
function unusedBundlers(
  project: Pick<ProjectFiles, 'dependencies' | 'manifest'>,
): ReadonlySet<BundlerName> {
  const { dependencies } = project
  const isFramework = bundlers.some(
    ({ name, dependency }) => FRAMEWORKS.has(name) && dependencies.has(dependency),
  )
  return new Set<BundlerName>([
    ...(isCompiled(project) ? (['vite', 'vitest'] as const) : []),
    ...(dependencies.has('@sveltejs/kit') ? (['vite'] as const) : []),
    // wrangler deploys what these build.
    ...(isFramework || dependencies.has('@cloudflare/vite-plugin') ? (['wrangler'] as const) : []),
  ])
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

/** The configuration file that a bundler reads, among some files. */
export function configFile(
  { config, extensions }: Pick<Bundler, 'config' | 'extensions'>,
  files: ReadonlySet<string>,
): string | undefined {
  return extensions.map((extension) => `${config}.${extension}`).find((name) => files.has(name))
}

/** The configuration that Vitest reads, where that is not the one of the app. */
export function findVitest(
  { dependencies, names }: Pick<ProjectFiles, 'dependencies' | 'names'>,
  bundler: Bundler | undefined,
): { readonly bundler: PluginBundler; readonly file: string } | undefined {
  if (bundler === undefined || bundler === VITEST) return undefined
  const shared = { config: VITE.config, extensions: VITEST.extensions }
  const file =
    configFile(VITEST, names) ??
    (dependencies.has('vitest') ? configFile(shared, names) : undefined)
  if (file === undefined || file === configFile(bundler, names)) return undefined
  const app = APPS[bundler.name] ?? (bundler.config === VITE.config ? OWN_FILE : undefined)
  return { bundler: app ? { ...VITEST, app } : VITEST, file }
}

const OWN_FILE = /^\.\/vite\.config(?:\.\w+)?$/

const APPS: Readonly<Partial<Record<BundlerName, RegExp>>> = {
  astro: /^astro\/config$/,
  nuxt: /^@nuxt\/test-utils\/config$/,
}
