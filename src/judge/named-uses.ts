/** The proof without a compiler: no code names a prompt whose contract changes. */
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { changedContracts, slugsByName } from '../codegen/plan-module.ts'
import { usedPrompt } from '../core/change-row.ts'
import { GENERATED_BY, isGenerated } from '../core/generated.ts'
import type { Lock } from '../core/prompt.ts'
import { groupBySlug } from '../core/text/order.ts'
import { PACKAGE_NAME, virtualModuleId } from '../core/workspace-name.ts'
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
 * changes. Code is what git lists in the repository, since apps share files. Where a type check may reach
 * other code, this is no proof.
 *
 * @returns `undefined` if that takes a compiler
 */
export async function findUnnamedChanges(
  request: AppLocation & { readonly before: Lock; readonly after: Lock },
): Promise<ImpactReport | undefined> {
  const { before, after, root, name, outDir, others = [] } = request
  const apps = [root, ...others.map((other) => other.root)]
  const isImported = [outDir, ...others.map((other) => other.outDir)].some(Boolean)
  const repository = findRepository(root)
  if (isImported || repository === undefined) return undefined
  const search = { repository, moduleId: virtualModuleId(name), isForeign: foreignFiles(request) }
  const listed = await pathsWithModule(search, 'listed')
  const files = listed && (await usesIn(listed, search))
  const isSearched = (app: string): boolean =>
    files?.some(({ path }) => isInside(app, path)) === true
  if (listed === undefined || files === undefined || !apps.every(isSearched)) return undefined
  const names = new Set(files.flatMap((file) => file.names))
  const isAffected = changedContracts(before, after).some((one) => names.has(one))
  debug('analysis', () => `${names.size} prompts are named, ${isAffected ? 'some' : 'none'} change`)
  if (isAffected || (await reachesOtherCode(listed, search))) return undefined
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

interface Search {
  readonly repository: string
  readonly moduleId: string
  readonly isForeign: (path: string) => boolean
}

async function pathsWithModule(
  { repository, moduleId }: Search,
  files: 'listed' | 'code',
): Promise<ReadonlySet<string> | undefined> {
  const matches = await findText(repository, `${moduleId}|${GENERATED_BY}`, files)
  return matches && new Set(matches.map(({ path }) => path))
}

/** The files that use the module; `undefined` if the text of one does not show how. */
async function usesIn(paths: Iterable<string>, { moduleId, isForeign }: Search) {
  const files = await Promise.all(
    [...paths].map(async (path) => {
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

/** Whether a type check may reach code with prompts that git does not list. */
async function reachesOtherCode(listed: ReadonlySet<string>, search: Search): Promise<boolean> {
  const { repository } = search
  const [code, paths, isLinked] = await Promise.all([
    pathsWithModule(search, 'code'),
    findText(repository, PATHS),
    hasLinkOut(repository, search),
  ])
  // What git ignores, and what other repositories inside of this one have.
  const hidden = code && [...code].filter((path) => !listed.has(path))
  if (isLinked || (hidden && (await usesIn(hidden, search)))?.length !== 0) return true
  const top = repository.split(/[\\/]/).length + 1
  const rooted = paths?.filter(({ path, match }) => path.endsWith('.json') && match[0] === '"')
  const answers = rooted?.map(async ({ path, match }) => {
    if (!(await leadsOut(match.slice(1), search))) return false
    return TSCONFIG.test((await readForeignText(path)) ?? '')
  })
  if ((await Promise.all(answers ?? [])).includes(true)) return true
  const isOutside = paths?.some(({ path, match }) => {
    const depth = path.split('/').length - top
    return match.split(UP).length - 1 > depth && mayImport(path)
  })
  return isOutside !== false
}

/**
 * The paths of code, tsconfigs and packages to folders above, and those of tsconfigs from the root of the disk, up to
 * a wildcard; three dots before a name are none.
 */
const PATHS = `\\.\\.[/"'\`\\][./\\]*|"([A-Za-z]:)?/[^"*]+`

/** A folder above. What is spread has three dots. */
const UP = /\.\.(?![.\w$[({])/

/** Other JSON, such as of an API, has paths from a root, too. */
const TSCONFIG = /"(?:compilerOptions|extends|include|files|references)"/

function mayImport(path: string): boolean {
  return isCode(path) || path.endsWith('.json')
}

/** Whether a link below a folder leads to code out of the repository, or to that of another app. */
async function hasLinkOut(folder: string, search: Search): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const answers = entries.map((entry) => {
    const path = join(folder, entry.name)
    // This package uses no prompts, wherever it is linked from.
    if (entry.name === PACKAGE_NAME && INSTALLED.test(folder)) return false
    if (entry.isSymbolicLink()) return leadsOut(path, search)
    // The links to packages are beside each other, or in the folder of a scope.
    const isSearched = INSTALLED.test(folder) ? entry.name.startsWith('@') : entry.name !== '.git'
    return entry.isDirectory() && isSearched && hasLinkOut(path, search)
  })
  return (await Promise.all(answers)).includes(true)
}

async function leadsOut(path: string, { repository, isForeign }: Search): Promise<boolean> {
  const target = await realpath(path).catch(() => undefined)
  if (target === undefined || (INSTALLED.test(path) && INSTALLED.test(target))) return false
  const isFolder = (await stat(target)).isDirectory()
  if (!isFolder && !mayImport(path)) return false
  const isOutside = !isInside(await realpath(repository), target)
  return isOutside || isForeign(isFolder ? join(target, 'index.ts') : target)
}

const INSTALLED = /[\\/]node_modules(?:[\\/]|$)/

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
  if (!isCode(path) || isMentioned) return undefined
  const names = [...text.matchAll(imports)].flatMap(([, list = '']) =>
    list.split(',').map((specifier) => namesBy(specifier, rest)),
  )
  return names.every((list) => list !== undefined) ? names.flat() : undefined
}

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
