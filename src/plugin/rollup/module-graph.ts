import { extname, isAbsolute } from 'node:path'
import type { Environment, Rolldown } from 'vite'
import type { ParseModule } from '../../codegen/assert-only-data.ts'
import type { BuildContext } from '../context.ts'
import type { ReadImporter } from '../importers.ts'

/** `this` of the hooks of Rollup, Rolldown and Vite. */
export interface RollupContext extends Omit<Rolldown.PluginContext, 'environment'> {
  /** Only in Vite. */
  readonly environment?: Environment
}

/** What builds of Rollup, Rolldown and Vite have in common. Their native parser is already loaded. */
export const ROLLUP_CONTEXT: Pick<BuildContext, 'readImporter' | 'graphOf' | 'parserOf'> = {
  readImporter: readFromGraph,
  // Environments of Vite may share a plugin and be built side by side.
  graphOf: (hook) => (hook as RollupContext).environment?.name ?? '',
  parserOf: (hook) => (code) => (hook as RollupContext).parse(code),
}

/** Scripts of these formats run in a browser without a bundler. */
export const BROWSER_FORMATS: readonly (string | undefined)[] = ['iife', 'umd']

/** The expressions that Rolldown may insert into modules. Injected imports are string literals. */
export function replacementsFrom({
  define = {},
  inject = {},
}: Rolldown.InputOptions['transform'] = {}): string[] {
  const imported = Object.values(inject).flat()
  return [...Object.values(define), ...imported.map((request) => JSON.stringify(request))]
}

/**
 * Rolldown removes types after all plugins, so the code may still have them. Its parser accepts
 * them.
 */
const LANGUAGES: Readonly<Record<string, 'jsx' | 'ts' | 'tsx'>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.tsx': 'tsx',
  '.jsx': 'jsx',
}

/**
 * Reads an importer in Rollup, Rolldown and Vite. They load imports of a module after all plugins
 * have transformed it, so this is its final code (measured).
 */
export function readFromGraph(importer: string, hook: object): ReturnType<ReadImporter> {
  const context = hook as RollupContext
  const code = context.getModuleInfo(importer)?.code
  if (typeof code !== 'string') return undefined
  if (isAbsolute(importer)) context.addWatchFile(importer)
  return {
    code,
    parsers: parsersOf(importer, context),
    resolve: async ({ specifier, kind }) =>
      (await context.resolve(specifier, importer, { kind, skipSelf: false }))?.id,
  }
}

function parsersOf(file: string, context: RollupContext): ParseModule[] {
  const lang = LANGUAGES[extname(file)]
  const typed: ParseModule[] = lang === undefined ? [] : [(text) => context.parse(text, { lang })]
  return [(text) => context.parse(text), ...typed]
}
