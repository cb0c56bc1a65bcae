import { type ClientGuard, importChain } from '../client-guard.ts'
import type { BuildContext } from '../build-context.ts'

/** What Vite tells a hook of where it runs. */
interface ViteContext {
  readonly environment: {
    readonly config: { readonly consumer: string; readonly build: { readonly lib: unknown } }
    /** Of a dev server. */
    readonly moduleGraph?: {
      getModuleById(
        id: string,
      ): { readonly importers: ReadonlySet<{ readonly id: string | null }> } | undefined
    }
  }
  getModuleInfo(id: string): { readonly importers: readonly string[] } | null
}

/** Tells code for the browser in Vite, where one build may have several environments. */
export interface ViteClient {
  /** The chain in a dev server. A build knows it only at its end. */
  readonly chain: BuildContext['clientChain']
  /** Forgets what an earlier build of an environment has imported. */
  startBuild(context: object): void
  /**
   * Checks what the build of an environment has imported.
   *
   * @throws PromptsError PROMPTS_IN_CLIENT
   */
  checkBuild(context: object): Promise<void>
}

/** Watches the environments of one plugin. */
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
        // One after the other: the first that fails is the one to show.
        // oxlint-disable-next-line no-await-in-loop
        await guard.check(importChain(importer, (id) => hook.getModuleInfo(id) ?? undefined))
      }
    },
  }
}

/** A library may run anywhere, and tests run here: neither is code for the browser. */
function isClient({ config }: ViteContext['environment']): boolean {
  return config.consumer === 'client' && !config.build.lib && process.env['VITEST'] === undefined
}
