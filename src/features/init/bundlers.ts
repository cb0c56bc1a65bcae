import type { ManualStep } from './step.ts'

/** How an app is built, as far as the setup differs. */
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

/** What the setup needs to know of a bundler or framework. */
export interface Bundler {
  readonly name: BundlerName
  /** As its makers write it. */
  readonly title: string
  /** The package that an app of it depends on. */
  readonly dependency: string
  /** Name of its configuration file without the extension; `undefined` where it has none. */
  readonly config: string | undefined
  /** The entry of this package; `undefined` where there is no plugin and files are generated. */
  readonly entryPoint: string | undefined
  /** The way to the array of plugins in the configuration. */
  readonly path: readonly string[]
  /**
   * The folder whose declarations TypeScript sees, for a framework that makes the tsconfig itself,
   * and perhaps has not made it yet. Default: the project's own.
   */
  readonly declarations?: string
  /** What a person has to do extraStep, where a part of the app is built by something else. */
  readonly extraStep?: ManualStep
}

const PLUGINS = ['plugins'] as const
const VITE_PLUGINS = ['vite', 'plugins'] as const

/** Frameworks stand before the bundlers that they are built on, and those that bring others first. */
export const bundlers: readonly Bundler[] = [
  framework('next', 'Next.js', { config: 'next.config', path: PLUGINS }),
  framework('nuxt', 'Nuxt', {
    config: 'nuxt.config',
    entryPoint: 'vite',
    path: VITE_PLUGINS,
    declarations: 'shared',
    extraStep: {
      what: 'Prompts in server/, which Nuxt does not build with Vite, take the plugin for Rollup too:',
      lines: [
        "import rollupPrompts from 'unplugin-prompts/rollup'",
        'nitro: { rollupConfig: { plugins: [rollupPrompts()] } },',
      ],
    },
  }),
  framework('astro', 'Astro', { config: 'astro.config', entryPoint: 'vite', path: VITE_PLUGINS }),
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
]

function framework(
  name: BundlerName,
  title: string,
  given: Pick<Bundler, 'config' | 'path'> &
    Partial<Pick<Bundler, 'dependency' | 'entryPoint' | 'declarations' | 'extraStep'>>,
): Bundler {
  return { dependency: name, entryPoint: undefined, ...given, name, title }
}

function bundler(name: BundlerName, title: string, dependency: string): Bundler {
  return { name, title, dependency, config: `${name}.config`, entryPoint: name, path: PLUGINS }
}

/** A bundler that a project seems to use. */
export interface DetectedBundler {
  readonly bundler: Bundler
  /** Name of the configuration file that was found. */
  readonly file: string | undefined
}

const EXTENSIONS = ['ts', 'mts', 'js', 'mjs', 'cts', 'cjs']

/**
 * The bundlers that a project seems to use, the likeliest first: those with a configuration file,
 * then those that are only depended on, such as the Vite behind Vitest.
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
  return [...found.filter(isCertain), ...found.filter((each) => !isCertain(each))]
}

/** The configuration file of a bundler, by the names that it looks for. */
export function configFile(
  { config }: Pick<Bundler, 'config'>,
  files: ReadonlySet<string>,
): string | undefined {
  return EXTENSIONS.map((extension) => `${config}.${extension}`).find((name) => files.has(name))
}
