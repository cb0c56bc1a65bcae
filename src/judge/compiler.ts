import { Project, ts } from 'ts-morph'

/**
 * The TypeScript in ts-morph. Loading this file takes half a second: import it lazily. No other file in
 * the analysis imports ts-morph.
 *
 * Programs are created directly, because a ts-morph `Project` does not support project references.
 */
export { ts }

/** The folder of TypeScript's own declarations in ts-morph. */
export const LIB_FOLDER = '/node_modules/typescript/lib'

const LIBRARY = new Project({ useInMemoryFileSystem: true }).getModuleResolutionHost()

/** Reads one of TypeScript's own declaration files, which ts-morph has in memory. */
export function readLib(path: string): string | undefined {
  return LIBRARY.readFile(path)
}
