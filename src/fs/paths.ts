import nodePath, { dirname, join, type PlatformPath, sep } from 'node:path'

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

/** Whether a path is a folder or in it. */
export function isInside(folder: string, path: string): boolean {
  return relativeInside(folder, path) !== undefined
}

const COMPONENT = /\.(?:vue|svelte|astro|mdx|html)$/
const DOCUMENT = /\.(?:md|markdown|txt|rst|adoc|snap|diff|patch|map|lock|json[c5]?|ya?ml|toml)$/i

/** Whether a file is a component of a framework, which contains code. */
export function isComponentFile(path: string): boolean {
  return COMPONENT.test(path)
}

/** Whether a file may contain code that the analysis compiles. */
export function isCode(path: string): boolean {
  return isComponentFile(path) || /\.[cm]?[jt]sx?$/.test(path)
}

/** The names of such files, as patterns of git. */
export const CODE_PATTERNS: readonly string[] =
  '*.[jt]s *.[cm][jt]s *.[jt]sx *.[cm][jt]sx *.vue *.svelte *.astro *.mdx *.html'.split(' ')

/** Whether a file is a document, data or a golden file: imports in it are not run. */
export function isDocument(path: string): boolean {
  return DOCUMENT.test(path)
}

/** The names of code and declarations in a folder that `prompts generate` writes. */
const MODULES = {
  entry: 'index.js',
  all: 'all.js',
  definitions: 'definitions.js',
  runtime: 'runtime.js',
  entryDeclarations: 'index.d.ts',
  allDeclarations: 'all.d.ts',
  staging: 'staging/index.js',
  stagingAll: 'staging/all.js',
  stagingDefinitions: 'staging/definitions.js',
  stagingDeclarations: 'staging/index.d.ts',
} as const

/** Returns the paths of the files in such a folder. */
export function outDirFiles(folder: string): {
  readonly modules: Readonly<Record<keyof typeof MODULES, string>>
  readonly manifest: string
} {
  const paths = Object.entries(MODULES).map(([module, file]) => [module, join(folder, file)])
  const modules = Object.fromEntries(paths) as Record<keyof typeof MODULES, string>
  return { modules, manifest: join(folder, 'package.json') }
}
