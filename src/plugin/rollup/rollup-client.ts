import { type ClientGuard, importChain } from '../client-guard.ts'
import type { BuildContext } from '../build-context.ts'

/** The part of a hook's context in Rollup, Rolldown and Vite that is used here. */
interface HookContext {
  /** Only in Vite. */
  readonly environment?: {
    readonly config: { readonly consumer: string; readonly build: { readonly lib: unknown } }
    /** Only in a dev server. */
    readonly moduleGraph?: {
      getModuleById(
        id: string,
      ): { readonly importers: ReadonlySet<{ readonly id: string | null }> } | undefined
    }
  }
  getModuleInfo(id: string): { readonly importers: readonly string[] } | null
}

/** Detects client code. In Vite, one build may have several environments. */
export interface BuildClient {
  /** The chain in a dev server. In a build it is known only at the end. */
  readonly chain: BuildContext['clientChain']
  /** Clears the imports of an earlier build. */
  startBuild(context: object): void
  /**
   * Checks the imports of a build.
   *
   * @throws PromptsError PROMPTS_IN_CLIENT
   */
  checkBuild(context: object): Promise<void>
}

/**
 * Collects the client imports of one plugin.
 *
 * @param isClient - whether a hook runs for client code
 */
export function watchClient(
  guard: ClientGuard,
  isClient: (context: HookContext) => boolean = isViteClient,
): BuildClient {
  const built = new WeakMap<object, string[]>()
  const keyOf = (context: object): object => (context as HookContext).environment ?? guard
  return {
    chain(importer, context) {
      const hook = context as HookContext
      if (!isClient(hook)) return undefined
      const graph = hook.environment?.moduleGraph
      if (graph === undefined) {
        built.set(keyOf(hook), [...(built.get(keyOf(hook)) ?? []), importer])
        return undefined
      }
      return importChain(importer, (id) => {
        const module = graph.getModuleById(id)
        return module && { importers: [...module.importers].flatMap((by) => by.id ?? []) }
      })
    },
    startBuild: (context) => void built.delete(keyOf(context)),
    async checkBuild(context) {
      const hook = context as HookContext
      // One after the other: the first error is reported.
      for (const importer of built.get(keyOf(hook)) ?? [])
        await guard.check(importChain(importer, (id) => hook.getModuleInfo(id) ?? undefined))
    },
  }
}

/** Libraries and tests don't count as client code. */
function isViteClient({ environment }: HookContext): boolean {
  const { consumer, build } = environment?.config ?? {}
  return consumer === 'client' && !build?.lib && process.env['VITEST'] === undefined
}
