import nodePath, { type PlatformPath } from 'node:path'

/**
 * The way from a folder down to a path: `src/main.ts`; empty for the folder itself.
 *
 * @param system - how this machine writes paths
 * @returns `undefined` for what is not below it. A name may begin with two dots and is no way up.
 */
export function wayBelow(
  folder: string,
  path: string,
  { relative, isAbsolute, sep }: PlatformPath = nodePath,
): string | undefined {
  const way = relative(folder, path)
  // On another drive there is no way but the whole path.
  return isAbsolute(way) || way.split(sep, 1)[0] === '..' ? undefined : way
}
