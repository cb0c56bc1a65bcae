/**
 * Which prompts the code of an app names, read from its text without a compiler. It answers only if all
 * code uses the module in the plainest way: `import { prompts } from 'virtual:prompts'`, and then
 * `prompts.name` or `prompts['name']`. Then no type of a prompt that is not named can reach any code.
 */

const COMPONENT = /\.(?:vue|svelte|astro|mdx|html)$/
const DOCUMENT = /\.(?:md|markdown|txt|rst|adoc|snap|diff|patch)$/i
const CONFIGURATION = /\.config\.[cm]?[jt]s$/

/** Whether a file is a component of a framework, which contains code. */
export function isComponentFile(path: string): boolean {
  return COMPONENT.test(path)
}

/** Whether a file may contain code that the analysis compiles. */
export function isCode(path: string): boolean {
  return isComponentFile(path) || /\.[cm]?[jt]sx?$/.test(path)
}

/** Whether a file is a document or a golden file: imports in it are not run. */
export function isDocument(path: string): boolean {
  return DOCUMENT.test(path)
}

/** What a file says about its uses. */
interface NamedUses {
  /** The names of prompts: slugs and identifiers. */
  readonly names: readonly string[]
  /** Whether it imports types of the module, which may depend on all prompts. */
  readonly hasTypes: boolean
}

/**
 * Reads the uses in a file that mentions the module.
 *
 * @param moduleId - such as `virtual:prompts`
 * @returns `undefined` if the text does not show all of them
 */
export function readNamedUses(
  { path, text }: { readonly path: string; readonly text: string },
  moduleId: string,
): NamedUses | undefined {
  if (isDocument(path)) return NONE
  const id = `${moduleId}(?:/staging)?`
  const imports = new RegExp(
    `\\bimport\\s+(type\\s+)?\\{([^{}]*)\\}\\s*from\\s*(["'])${id}\\3`,
    'g',
  )
  const mocks = new RegExp(`\\b(?:vi|jest)\\.(?:mock|doMock|unmock)\\(\\s*(["'])${id}\\1`, 'g')
  const rest = text.replaceAll(imports, '').replaceAll(mocks, '')
  const isMentioned = new RegExp(`${moduleId}(?![\\w-])`).test(rest)
  if (!isCode(path) || (isMentioned && !CONFIGURATION.test(path))) return undefined
  const uses = [...text.matchAll(imports)].flatMap(([, typeOnly, list = '']) =>
    list.split(',').map((specifier) => usesOf(specifier, typeOnly !== undefined, rest)),
  )
  const isPlain = uses.every((use) => use !== undefined)
  if (!isPlain) return undefined
  return {
    names: uses.flatMap(({ names }) => names),
    hasTypes: uses.some(({ hasTypes }) => hasTypes),
  }
}

const NONE: NamedUses = { names: [], hasTypes: false }

const SPECIFIER = /^\s*(?:(type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?)?\s*$/

/** The exports with a type that depends on all prompts. */
const NAMESPACES: ReadonlySet<string> = new Set(['prompts', 'Prompts'])

/** The uses of what an import brings. */
function usesOf(specifier: string, typeOnly: boolean, code: string): NamedUses | undefined {
  const match = SPECIFIER.exec(specifier)
  if (match === null) return undefined
  const [, type, name = '', local = name] = match
  const names = NAMESPACES.has(name) ? membersOf(local, code) : []
  return names && { names, hasTypes: typeOnly || type !== undefined }
}

/** The members of a binding that code reads; `undefined` if it does anything else with it. */
function membersOf(binding: string, code: string): string[] | undefined {
  const letter = '[\\p{ID_Continue}$\\u200c\\u200d\\\\]'
  const use = new RegExp(
    `(?<!${letter})${binding.replaceAll('$', '\\$')}(?!${letter})` +
      `(?:\\s*\\??\\.\\s*(${letter}+)|\\s*\\[\\s*(?:"([^"\\\\\\n]+)"|'([^'\\\\\\n]+)')\\s*\\])?`,
    'gu',
  )
  const names = [...code.matchAll(use)].map(([, name, ...quoted]) =>
    [name, ...quoted].find((text) => text !== undefined && !text.includes('\\')),
  )
  return names.every((name) => name !== undefined) ? names : undefined
}
