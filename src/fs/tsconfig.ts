import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Visits the tsconfig (or jsconfig) of an app and those that it references, each once.
 *
 * @param visit - reads one; returns the paths of its references
 * @param first - its path, if it is not the default in `root`
 */
export function visitTsconfigs(
  root: string,
  visit: (path: string) => readonly string[],
  first: string | undefined = ['tsconfig.json', 'jsconfig.json']
    .map((name) => join(root, name))
    .find((path) => existsSync(path)),
): void {
  const paths = new Set(first === undefined ? [] : [first])
  // The iteration includes references that are added during it.
  for (const path of paths) for (const reference of visit(path)) paths.add(reference)
}
