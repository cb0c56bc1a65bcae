import { createHash } from 'node:crypto'
import { extname, isAbsolute } from 'node:path'
import { type ParseModule, parseModule } from '../emit/parse-module.ts'
import { type PromptUse, promptUse, type UseRequest } from '../emit/prompt-use.ts'

/**
 * The code of a module that imports prompts, as it is after all other plugins, or `undefined`
 * where that can't be known: its importer then gets the whole namespace.
 *
 * @param context - `this` of the hook that loads
 */
export type ReadImporter = (
  importer: string,
  context: object,
) => Promise<ImporterCode | undefined> | ImporterCode | undefined

/** Code, and what can parse it, tried in order: by default the parser of JavaScript. */
export interface ImporterCode {
  readonly code: string
  readonly parsers?: readonly ParseModule[]
}

/** The importers of one plugin: each has a module of its own, which is known by a key. */
export interface Importers {
  /**
   * @param seed - tells an importer from all others, on every machine alike
   * @param use - finds out what it uses, when its module is loaded
   * @returns the key
   */
  register(seed: string, use: FindUse): string
  /** What an importer uses: `all` for one that was never registered, such as one from a cache. */
  use(key: string, context: object): Promise<PromptUse>
}

/** Finds out what an importer uses; `this` of the hook that loads is given to it. */
export type FindUse = (context: object) => Promise<PromptUse> | PromptUse

/** Makes the list of a plugin's importers; empty at first. */
export function createImporters(): Importers {
  const known = new Map<string, FindUse>()
  return {
    register(seed, use) {
      const key = createHash('sha256').update(seed).digest('hex').slice(0, 16)
      known.set(key, use)
      return key
    },
    async use(key, context) {
      return (await known.get(key)?.(context)) ?? 'all'
    },
  }
}

/** What code uses of the prompts that it imports. */
export function useOf(
  { code, parsers = [parseModule] }: ImporterCode,
  request: Omit<UseRequest, 'parsers'>,
): PromptUse {
  return promptUse(code, { ...request, parsers })
}

/** The part of the context of Rollup, Rolldown and Vite that is used here. */
interface RollupContext {
  getModuleInfo(id: string): { readonly code?: string | null } | null
  parse(code: string, options?: { lang: string }): object
  addWatchFile(id: string): void
}

/** Rollup, Rolldown and Vite lend their parser: it is loaded, and native, so it starts sooner. */
export function parserOf(context: object): ParseModule {
  return isRollupContext(context) ? (code) => context.parse(code) : parseModule
}

function isRollupContext(context: object): context is RollupContext {
  return 'getModuleInfo' in context
}

/** Rolldown strips types after all plugins; its parser knows them. */
const LANGUAGES: Readonly<Record<string, string>> = {
  '.ts': 'ts',
  '.mts': 'ts',
  '.tsx': 'tsx',
  '.jsx': 'jsx',
}

/**
 * Reads an importer in Rollup, Rolldown and Vite. They load what a module imports only when that
 * module has gone through every plugin's transform, so this is its last form (measured).
 */
export const readFromGraph: ReadImporter = (importer, context) => {
  if (!isRollupContext(context)) return undefined
  const code = context.getModuleInfo(importer)?.code
  if (typeof code !== 'string') return undefined
  if (isAbsolute(importer)) context.addWatchFile(importer)
  const lang = LANGUAGES[extname(importer)]
  const typed: ParseModule[] = lang === undefined ? [] : [(text) => context.parse(text, { lang })]
  return { code, parsers: [parserOf(context), ...typed] }
}
