import { type ClientGuard, importChain } from '../client-guard.ts'
import type { BuildContext } from '../session.ts'
import type { RollupContext } from './rollup-context.ts'

/** The part of the context that shows whose code a module is. */
type ClientContext = Pick<RollupContext, 'environment' | 'getModuleInfo'>

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
  isClient: (context: ClientContext) => boolean = isViteClient,
): BuildClient {
  const built = new WeakMap<object, string[]>()
  const keyOf = (context: object): object => (context as ClientContext).environment ?? guard
  return {
    chain(importer, context) {
      const hook = context as ClientContext
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
      const hook = context as ClientContext
      // One after the other: the first error is reported.
      for (const importer of built.get(keyOf(hook)) ?? [])
        await guard.check(importChain(importer, (id) => hook.getModuleInfo(id) ?? undefined))
    },
  }
}

/** Libraries and tests don't count as client code. */
function isViteClient({ environment }: ClientContext): boolean {
  const { consumer, build } = environment?.config ?? {}
  return consumer === 'client' && !build?.lib && process.env['VITEST'] === undefined
}
