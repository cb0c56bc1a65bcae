import { isAbsolute, relative } from 'node:path'
import { PromptsError } from '../errors/prompts-error.ts'
import type { Guard } from '../config/options.ts'
import type { BuildContext, Session } from './session.ts'

/** Reports prompts that client code imports. */
export interface ClientGuard {
  /**
   * The option `client`: allow, warn or fail.
   *
   * @throws PromptsError what opening the project throws
   */
  strictness(): Promise<Guard>
  /**
   * Handles one import of prompts in client code: warns once, or fails. All code of a single-page app
   * is client code, so its warning is one line.
   *
   * @param chain - the importing module, the one that imports that, and so on
   * @throws PromptsError PROMPTS_IN_CLIENT if the option `client` is `error`; what opening the project
   *   throws
   */
  check(chain: readonly string[]): Promise<void>
}

/** Creates the guard of one plugin instance. */
export function createClientGuard(
  getSession: () => Session,
  getContext: () => BuildContext,
): ClientGuard {
  let hasWarned = false
  const strictness = async (): Promise<Guard> => (await getSession().project()).options.client
  return {
    strictness,
    async check(chain) {
      const client = await strictness()
      if (client === 'allow') return
      const { ids, root, singlePage, notify } = getContext()
      const names = chain.map((id) => (isAbsolute(id) ? relative(root, id) : id))
      // Modules that only a loader creates, such as Next's entries in webpack, have no file.
      const error = new PromptsError('PROMPTS_IN_CLIENT', {
        chain: singlePage && client === 'warn' ? [] : names.filter(Boolean),
        workspace: ids.workspace,
      })
      if (client === 'error') throw error
      if (!hasWarned) notify('warn', singlePage ? error.message.replace('\n', ' ') : error.message)
      hasWarned = true
    },
  }
}

/** Returns the modules that import a module, in the graph of a bundler. */
type ImportersOf<Id> = (id: Id) => readonly Id[]

/** The chains of imports from the app to the modules of this package. */
export function* appChains<Id>(
  ids: Iterable<Id>,
  isOwn: (id: Id) => boolean,
  importersOf: ImportersOf<Id>,
): Generator<readonly Id[]> {
  for (const id of ids) {
    const importers = isOwn(id) ? importersOf(id) : []
    for (const importer of importers) if (!isOwn(importer)) yield importChain(importer, importersOf)
  }
}

/** Longer chains don't help a reader. */
const MAX_CHAIN_LENGTH = 20

/** The chain from a module to an entry of the app, through the first importer of each module. */
export function importChain<Id>(id: Id, importersOf: ImportersOf<Id>): readonly Id[] {
  const chain: Id[] = []
  let next: Id | undefined = id
  while (next !== undefined && chain.length < MAX_CHAIN_LENGTH) {
    chain.push(next)
    next = importersOf(next).find((importer) => !chain.includes(importer))
  }
  return chain
}
