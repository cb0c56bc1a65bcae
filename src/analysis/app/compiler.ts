import { Project, ts } from 'ts-morph'

/**
 * The TypeScript that ts-morph carries. This file is the only door to it in the analysis, and
 * costs half a second to load: import what stands behind it lazily.
 *
 * Programs are made from it directly and not as a ts-morph `Project`, which knows no project
 * references and wraps what is never asked for.
 */
export { ts }

/** Where {@link readLibFile} finds TypeScript's own declarations. */
export const LIB_FOLDER = '/node_modules/typescript/lib'

/** Reads one of TypeScript's own declaration files, which ts-morph keeps in memory. */
export function libReader(): (path: string) => string | undefined {
  const host = new Project({ useInMemoryFileSystem: true }).getModuleResolutionHost()
  return (path) => host.readFile(path)
}
