/** The proof without a compiler: no code names a prompt whose contract changes. */
import { changedContracts, slugsByName } from '../codegen/plan-module.ts'
import { usedPrompt } from '../core/change-row.ts'
import { GENERATED_BY, isGenerated } from '../core/generated.ts'
import type { Lock } from '../core/prompt.ts'
import { groupBySlug } from '../core/text/order.ts'
import { DEFAULT_WORKSPACE, virtualModuleId } from '../core/workspace-name.ts'
import { debug } from '../debug/debug.ts'
import { readForeignText } from '../fs/files.ts'
import { findRepository, findText } from '../fs/git.ts'
import { isCode, isDocument, isInside, relativePath } from '../fs/paths.ts'
import type { ImpactReport } from './analyse-impact.ts'
import type { AppLocation } from './app.ts'
import { foreignFiles } from './own-files.ts'
import { mentionsIn } from './words.ts'

/**
 * Proves without a compiler that no line stops compiling: no code names a prompt whose contract
 * changes. Code is what git does not ignore in the repository, since apps share files.
 *
 * @returns `undefined` if that takes a compiler
 */
export async function findUnnamedChanges(
  request: AppLocation & { readonly before: Lock; readonly after: Lock },
): Promise<ImpactReport | undefined> {
  const { before, after, root, name = DEFAULT_WORKSPACE, outDir, others = [] } = request
  const apps = [root, ...others.map((other) => other.root)]
  const isImported = [outDir, ...others.map((other) => other.outDir)].some(Boolean)
  if (isImported) return undefined
  const files = await filesWithUses(root, virtualModuleId(name), foreignFiles(request))
  const isSearched = (app: string): boolean =>
    files?.some(({ path }) => isInside(app, path)) === true
  if (files === undefined || !apps.every(isSearched)) return undefined
  const names = new Set(files.flatMap((file) => file.names))
  const isAffected = changedContracts(before, after).some((one) => names.has(one))
  debug('analysis', () => `${names.size} prompts are named, ${isAffected ? 'some' : 'none'} change`)
  if (isAffected) return undefined
  const slugs = slugsByName(after)
  const uses = files.flatMap(({ path, names: own }) =>
    own.flatMap((named) => {
      const slug = slugs.get(named)
      return slug === undefined ? [] : [{ slug, file: relativePath(root, path) }]
    }),
  )
  const used = [...groupBySlug(uses)].map(([slug, own]) => usedPrompt(slug, own))
  return { findings: [], files: files.length, ignored: [], strays: [], used }
}

/** The files of a repository that use the module; `undefined` if the text of one does not show how. */
async function filesWithUses(root: string, moduleId: string, isForeign: (path: string) => boolean) {
  const repository = findRepository(root)
  if (repository === undefined) return undefined
  const places = (await findText(repository, `${moduleId}|${GENERATED_BY}`)) ?? []
  const files = await Promise.all(
    [...new Set(places.map(({ path }) => path))].map(async (path) => {
      if (isForeign(path)) return []
      const text = await readForeignText(path).catch(() => undefined)
      if (text === undefined) return undefined
      // The declarations are no use, and a generated folder is another module.
      const areDeclarations = path.endsWith('.map') || text.includes('declare module')
      if (isGenerated(text)) return areDeclarations ? [] : undefined
      if (!text.includes(moduleId)) return []
      const names = readNames({ path, text }, moduleId)
      return names && [{ path, names }]
    }),
  )
  return files.every((file) => file !== undefined) ? files.flat() : undefined
}

/**
 * Reads from its text which prompts a file names. It answers only if all code uses the module in the
 * plainest way: `import { prompts } from 'virtual:prompts'`, and then `prompts.name` or `prompts['name']`.
 * Then no type of a prompt that is not named can reach any code.
 *
 * @param moduleId - such as `virtual:prompts`
 * @returns slugs and identifiers; `undefined` if the text does not show all of them
 */
export function readNames(
  { path, text }: { readonly path: string; readonly text: string },
  moduleId: string,
): string[] | undefined {
  if (isDocument(path)) return []
  const id = `${moduleId}(?:/staging)?`
  const imports = new RegExp(
    `\\bimport\\s+(?:type\\s+)?\\{([^{}]*)\\}\\s*from\\s*(["'])${id}\\2`,
    'g',
  )
  const mocks = new RegExp(`\\b(?:vi|jest)\\.(?:mock|doMock|unmock)\\(\\s*(["'])${id}\\1`, 'g')
  const rest = text.replaceAll(imports, '').replaceAll(mocks, '')
  const isMentioned = new RegExp(`${moduleId}(?![\\w-])`).test(rest)
  if (!isCode(path) || (isMentioned && !CONFIGURATION.test(path))) return undefined
  const names = [...text.matchAll(imports)].flatMap(([, list = '']) =>
    list.split(',').map((specifier) => namesBy(specifier, rest)),
  )
  return names.every((list) => list !== undefined) ? names.flat() : undefined
}

const CONFIGURATION = /\.config\.[cm]?[jt]s$/

const SPECIFIER = /^\s*(?:(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?)?\s*$/

/** The exports with a type that depends on all prompts. */
const NAMESPACES: ReadonlySet<string> = new Set(['prompts', 'Prompts'])

/** The prompts that code names by what an import brings. */
function namesBy(specifier: string, code: string): string[] | undefined {
  const match = SPECIFIER.exec(specifier)
  if (match === null) return undefined
  const [, name = '', local = name] = match
  return NAMESPACES.has(name) ? membersOf(local, code) : []
}

/** The members of a binding that code reads; `undefined` if it does anything else with it. */
function membersOf(binding: string, code: string): string[] | undefined {
  const names = mentionsIn(code, binding.replaceAll('$', '\\$')).map(({ member }) => member)
  return names.every((name) => name !== undefined) ? names : undefined
}
