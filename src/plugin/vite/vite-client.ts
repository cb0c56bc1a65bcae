import { type ClientGuard, importChain } from '../client-guard.ts'
import type { BuildContext } from '../build-context.ts'

/** The part of a hook's context in Vite that is used here. */
interface ViteContext {
  readonly environment: {
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

/** Detects client code in Vite, where one build may have several environments. */
export interface ViteClient {
  /** The chain in a dev server. In a build it is known only at the end. */
  readonly chain: BuildContext['clientChain']
  /** Clears the imports of an earlier build of the environment. */
  startBuild(context: object): void
  /**
   * Checks the imports of the environment's build.
   *
   * @throws PromptsError PROMPTS_IN_CLIENT
   */
  checkBuild(context: object): Promise<void>
}

/** Collects the client imports of one plugin. */
export function watchClient(guard: ClientGuard): ViteClient {
  const built = new WeakMap<object, string[]>()
  return {
    chain(importer, context) {
      const { environment } = context as ViteContext
      const { moduleGraph } = environment
      if (!isClient(environment)) return undefined
      if (moduleGraph === undefined) {
        built.set(environment, [...(built.get(environment) ?? []), importer])
        return undefined
      }
      return importChain(importer, (id) => {
        const module = moduleGraph.getModuleById(id)
        return module && { importers: [...module.importers].flatMap((by) => by.id ?? []) }
      })
    },
    startBuild: (context) => void built.delete((context as ViteContext).environment),
    async checkBuild(context) {
      const hook = context as ViteContext
      for (const importer of built.get(hook.environment) ?? []) {
        // One after the other: the first error is reported.
        // oxlint-disable-next-line no-await-in-loop
        await guard.check(importChain(importer, (id) => hook.getModuleInfo(id) ?? undefined))
      }
    },
  }
}

/** Libraries and tests don't count as client code. */
function isClient({ config }: ViteContext['environment']): boolean {
  return config.consumer === 'client' && !config.build.lib && process.env['VITEST'] === undefined
}
