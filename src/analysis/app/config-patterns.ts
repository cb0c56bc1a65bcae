import { posix } from 'node:path'

/** The file patterns of a tsconfig, merged with those that it extends. */
export interface FilePatterns {
  readonly include?: readonly string[] | undefined
  readonly exclude?: readonly string[] | undefined
  readonly files?: readonly string[] | undefined
}

/**
 * Creates a function that returns whether a tsconfig includes a TypeScript file, by the rules of
 * https://www.typescriptlang.org/tsconfig/#include.
 *
 * @param folder - folder folder of the tsconfig: absolute, with forward slashes
 */
export function fileMatcher(
  folder: string,
  { include, exclude = [], files }: FilePatterns,
): (file: string) => boolean {
  const patterns = include ?? (files === undefined ? ['**/*'] : [])
  const wanted = patterns.map((pattern) => expression(folder, wholeFolder(pattern), ''))
  const unwanted = exclude.map((pattern) => expression(folder, pattern, '(?:/.*)?'))
  const named = new Set(files?.map((file) => posix.join(folder, file)))
  const matches = (file: string, patternsOf: readonly RegExp[]): boolean =>
    patternsOf.some((pattern) => pattern.test(file))
  return (file) => named.has(file) || (matches(file, wanted) && !matches(file, unwanted))
}

/** A folder includes all files in it. */
function wholeFolder(pattern: string): string {
  return /[.*?][^/]*$/.test(pattern) && !/(?:^|\/)\.{1,2}\/?$/.test(pattern)
    ? pattern
    : `${pattern}/**/*`
}

function expression(folder: string, pattern: string, tail: string): RegExp {
  const path = posix.join(folder, pattern).replace(/\/$/, '')
  const segments = path.split('/').filter((segment) => segment !== '')
  return new RegExp(`^${segments.map(segmentSource).join('')}${tail}$`)
}

function segmentSource(segment: string): string {
  if (segment === '**') return '(?:/[^/.][^/]*)*'
  const literal = segment.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
  return `/${literal.replaceAll('*', '[^/]*').replaceAll('?', '[^/]')}`
}

/**
 * Returns the folders before the first wildcard of each pattern, such as `src` for `src/**\/*.ts`.
 *
 * @param folder - of the tsconfig: absolute, with forward slashes
 */
export function namedFolders(folder: string, { include = [] }: FilePatterns): string[] {
  return include.map((pattern) => {
    const segments = wholeFolder(pattern).split('/').slice(0, -1)
    const wild = segments.findIndex((segment) => /[*?]/.test(segment))
    const named = wild === -1 ? segments : segments.slice(0, wild)
    return posix.join(folder, ...named).replace(/(?<=.)\/$/, '')
  })
}
