import { isAbsolute, relative } from 'node:path'
import { PromptsError } from '../errors.ts'
import type { Session, Surroundings } from './session.ts'

/** Watches over prompts in code for the browser (FAULTS 61). */
export interface ClientGuard {
  /**
   * Called for each import of prompts in code for the browser: says it once, or fails.
   *
   * @param chain - the importing module, the one that imports that, and so on
   * @throws PromptsError PROMPTS_IN_CLIENT where the options want that
   */
  check(chain: readonly string[]): Promise<void>
}

/** Makes the guard of one plugin. */
export function createClientGuard(session: Session, surroundings: () => Surroundings): ClientGuard {
  let isSaid = false
  return {
    async check(chain) {
      const { options } = await session.project()
      if (options.client === 'allow') return
      const { root, notify } = surroundings()
      const error = new PromptsError('PROMPTS_IN_CLIENT', {
        chain: chain.map((id) => (isAbsolute(id) ? relative(root, id) : id)),
      })
      if (options.client === 'error') throw error
      if (!isSaid) notify('warn', error.message)
      isSaid = true
    },
  }
}

/** As much of a module as both graphs of Vite tell. */
interface GraphModule {
  readonly importers: readonly string[]
}

/** Chains are for reading: a longer one helps nobody. */
const LONGEST = 20

/** The way from a module up to an entry of the app, by the first importer of each. */
export function importChain(
  id: string,
  find: (id: string) => GraphModule | undefined,
): readonly string[] {
  const chain = [id]
  for (let module = find(id); module !== undefined && chain.length < LONGEST;) {
    const next = module.importers.find((importer) => !chain.includes(importer))
    if (next === undefined) break
    chain.push(next)
    module = find(next)
  }
  return chain
}
