import nodePath, { dirname, type PlatformPath, sep } from 'node:path'

/**
 * Returns a path with forward slashes, as it is written to files and printed. On systems that
 * separate folders by `/`, a backslash is part of a name and stays.
 *
 * @param separator - what separates folders on this machine
 */
export function toForwardSlashes(path: string, separator: string = sep): string {
  return path.split(separator).join('/')
}

/** Returns the path from a folder to a file, with forward slashes. */
export function relativePath(folder: string, path: string): string {
  return toForwardSlashes(nodePath.relative(folder, path))
}

/** Yields a folder, its parent, and so on up to the root. */
export function* ancestorFolders(from: string): Generator<string> {
  for (let folder = from, last = ''; folder !== last; folder = dirname(folder)) {
    yield folder
    last = folder
  }
}

/**
 * Returns the path relative to a folder, such as `src/main.ts`; empty for the folder itself.
 *
 * @param system - path functions of the operating system
 * @returns `undefined` if the path is outside the folder. A name that begins with two dots is inside.
 */
export function relativeInside(
  folder: string,
  path: string,
  { relative, isAbsolute, sep: separator }: PlatformPath = nodePath,
): string | undefined {
  const inside = relative(folder, path)
  // Between two drives of Windows, `relative` returns the absolute path.
  return isAbsolute(inside) || inside.split(separator, 1)[0] === '..' ? undefined : inside
}
