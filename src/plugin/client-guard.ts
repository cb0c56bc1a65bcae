import { isAbsolute, relative } from 'node:path'
import { PromptsError } from '../errors/prompts-error.ts'
import type { Guard } from '../config/options.ts'
import type { BuildContext } from './build-context.ts'
import type { Session } from './session.ts'

/** Watches over prompts in code for the browser. */
export interface ClientGuard {
  /** Whether anything is to be checked, and whether what is found ends the build. */
  strictness(): Promise<Guard>
  /**
   * Called for each import of prompts in code for the browser: says it once, or fails.
   *
   * @param chain - the importing module, the one that imports that, and so on
   * @throws PromptsError PROMPTS_IN_CLIENT where the options want that
   */
  check(chain: readonly string[]): Promise<void>
}

/** Makes the guard of one plugin. */
export function createClientGuard(session: Session, getContext: () => BuildContext): ClientGuard {
  let hasWarned = false
  const strictness = async (): Promise<Guard> => (await session.project()).options.client
  return {
    strictness,
    async check(chain) {
      const client = await strictness()
      if (client === 'allow') return
      const { root, notify } = getContext()
      const names = chain.map((id) => (isAbsolute(id) ? relative(root, id) : id))
      // Modules that only a loader makes, such as the entries of Next in webpack, have no file.
      const error = new PromptsError('PROMPTS_IN_CLIENT', { chain: names.filter(Boolean) })
      if (client === 'error') throw error
      if (!hasWarned) notify('warn', error.message)
      hasWarned = true
    },
  }
}

/** As much of a module as the graphs of bundlers tell. */
interface GraphModule<Id> {
  readonly importers: readonly Id[]
}

/** Chains are for reading: a longer one helps nobody. */
const MAX_CHAIN_LENGTH = 20

/** The way from a module up to an entry of the app, by the first importer of each. */
export function importChain<Id>(
  id: Id,
  find: (id: Id) => GraphModule<Id> | undefined,
): readonly Id[] {
  const chain = [id]
  for (let module = find(id); module !== undefined && chain.length < MAX_CHAIN_LENGTH;) {
    const next = module.importers.find((importer) => !chain.includes(importer))
    if (next === undefined) break
    chain.push(next)
    module = find(next)
  }
  return chain
}
