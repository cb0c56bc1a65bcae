/** Where TypeScript finds the declarations, as the tsconfigs and the imports of an app say. Loads no compiler. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createFilesMatcher, parseTsconfig } from 'get-tsconfig'
import { configFileNames } from '../../config/config-file.ts'
import { virtualModuleId } from '../../core/workspace-name.ts'
import { readText } from '../../fs/files.ts'
import { findRepository, findText } from '../../fs/git.ts'
import { ancestorFolders, isCode, relativePath, toForwardSlashes } from '../../fs/paths.ts'
import { visitTsconfigs } from '../../fs/tsconfig.ts'

/** A TypeScript project that needs the declarations and does not include them. */
export interface BlindProject {
  /** Path of its tsconfig, absolute. */
  readonly tsconfig: string
  /** What its `include` lacks: the path of the declarations from there. */
  readonly entry: string
  /** Its first file that imports the module; `undefined` if nothing imports it yet. */
  readonly importer: Importer | undefined
}

/** A file that imports the module of a workspace. */
interface Importer {
  /** Absolute. */
  readonly path: string
  /** Of the first import; 1-based. */
  readonly line: number
  readonly text: string
}

/**
 * Finds the TypeScript projects whose files import the module, and which do not include the declarations. As
 * long as nothing imports it, these are the projects of the app that have code in folders.
 *
 * @param root - of the app, absolute
 * @param dts - absolute; need not exist
 * @param name - of the workspace
 */
export async function findBlindProjects(
  root: string,
  dts: string,
  name: string,
): Promise<BlindProject[]> {
  const importers = await findImporters(root, name)
  const projects = readProjects(root, importers)
  return projects.flatMap((project) => {
    const importer = importers.find(({ path }) => matches(project, path))
    const isConcerned = importers.length === 0 ? hasFolders(project) : importer !== undefined
    if (!isConcerned || includes(project, dts, importer)) return []
    const { path: tsconfig } = project
    return [{ tsconfig, entry: relativePath(dirname(tsconfig), dts), importer }]
  })
}

/** What a blind project lacks, and what to do about it. */
export function describeBlind({ tsconfig, entry }: BlindProject): { why: string; fix: string } {
  return {
    why: `${tsconfig} does not include the declarations of the prompts.`,
    fix: `Add "${entry}" to \`include\` in ${tsconfig}.`,
  }
}

async function findImporters(root: string, name: string): Promise<Importer[]> {
  const moduleId = virtualModuleId(name)
  const ofApp = [`${name}.lock.json`, ...configFileNames(name)]
  const isForeign = (path: string): boolean =>
    foldersBetween(root, path).some((folder) =>
      ofApp.some((file) => existsSync(join(folder, file))),
    )
  const isTracked = findRepository(root) !== undefined
  const places = isTracked ? ((await findText(root, moduleId)) ?? []) : undefined
  const files = places?.map(({ path }) => path) ?? (await walk(root))
  const texts = [...new Set(files)]
    .filter((path) => isCode(path) && !path.endsWith('.d.ts') && !isForeign(path))
    .map(async (path) => {
      const text = await readText(path).catch(() => undefined)
      const line = text?.includes(moduleId) ? importLine(text, moduleId) : undefined
      return text === undefined || line === undefined ? [] : [{ path, line, text }]
    })
  return (await Promise.all(texts)).flat()
}

/** The files of a folder that is in no repository. */
async function walk(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files = entries
    .filter(({ name }) => !/^(?:\..*|node_modules)$/.test(name))
    .map(async (entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return walk(path)
      return entry.isFile() ? [toForwardSlashes(path)] : []
    })
  return (await Promise.all(files)).flat()
}

/** The line of the first import that is not in a comment. */
function importLine(text: string, moduleId: string): number | undefined {
  const load = new RegExp(
    `(?:^|[^\\w.])(?:from|import|require)\\s*\\(?\\s*(["'])${moduleId}(?:/\\w+)?\\1`,
  )
  const index = text
    .split('\n')
    .findIndex((line) => load.test(line) && !/^\s*(?:\/\/|\*)/.test(line))
  return index === -1 ? undefined : index + 1
}

/** A tsconfig, merged with those that it extends. */
interface Tsconfig {
  /** Absolute. */
  readonly path: string
  readonly config: ReturnType<typeof parseTsconfig>
}

/**
 * The projects that a compiler may be called with: those of the app, those in the folders of importers, and
 * those that scripts name.
 */
function readProjects(root: string, importers: readonly Importer[]): Tsconfig[] {
  const folders = importers.flatMap(({ path }) => foldersBetween(root, path))
  const nested = [...new Set(folders)].map((folder) => join(folder, 'tsconfig.json'))
  const firsts = [...nested, ...namedInScripts(root)].filter(existsSync)
  const projects = [undefined, ...firsts].flatMap((first) => readTsconfigs(root, first).configs)
  return [...new Map(projects.map((project) => [project.path, project])).values()]
}

/** The folders of a file below a root, without it. */
function foldersBetween(root: string, path: string): string[] {
  const above = [...ancestorFolders(dirname(path))]
  return above.slice(0, Math.max(0, above.indexOf(root)))
}

/** Such as `tsc -p tsconfig.server.json`. */
function namedInScripts(root: string): string[] {
  const path = join(root, 'package.json')
  const manifest = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return Array.from(manifest.matchAll(/[\w./-]*tsconfig[\w.-]*\.json/g), ([name]) =>
    join(root, name),
  )
}

/** Whether a project has more than single files, such as configurations of tools. */
function hasFolders({ config: { files, include = files ? [] : ['**/*'] } }: Tsconfig): boolean {
  return include.some((pattern) => !/(?:^|\/)[^*?/]+\.[^/]*$/.test(pattern))
}

/** Whether a project includes the declarations, or one of its declaration files refers to them. */
function includes(project: Tsconfig, dts: string, importer: Importer | undefined): boolean {
  if (matches(project, dts)) return true
  const files = [dirname(project.path), ...namedFolders(project)].flatMap(declarationFiles)
  const texts = files.map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  // `/// <reference path="…" />`, as in `vite-env.d.ts`.
  return [...texts, ...(importer ? [importer] : [])].some((file) => hasReferenceTo(file, dts))
}

function declarationFiles(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false })
  const files = stats?.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : []
  return [...files, ...(stats?.isFile() ? [path] : [])].filter((file) => file.endsWith('.d.ts'))
}

function hasReferenceTo(
  { path: from, text }: { path: string; text: string },
  dts: string,
): boolean {
  const references = text.matchAll(/^\/\/\/\s*<reference\s+path="(.*?)"/gm)
  return [...references].some(
    ([, path = '']) => toForwardSlashes(join(dirname(from), path)) === toForwardSlashes(dts),
  )
}

/**
 * The folder in which most tsconfig files of an app include a declaration file, such as `src`.
 *
 * @param root - absolute
 * @returns `''` for the root, unless another folder is better; `undefined` if the app has no
 *   readable tsconfig
 */
export function declarationsFolder(root: string): string | undefined {
  const { configs, isWhole } = readTsconfigs(root)
  if (configs.length === 0 || !isWhole) return undefined
  const inside = configs
    .flatMap(namedFolders)
    .map((folder) => relativePath(root, folder))
    .filter((folder) => !/^\.|(?:^|\/)node_modules(?:\/|$)/.test(folder))
  const countMatches = (folder: string): number =>
    configs.filter((config) => matches(config, join(root, folder, 'prompts.d.ts'))).length
  return ['', ...inside].reduce((best, folder) =>
    countMatches(folder) > countMatches(best) ? folder : best,
  )
}

/**
 * Reads the app's tsconfig (or jsconfig) and those that it references.
 *
 * @param first - a path, if it is not the default in `root`
 * @returns also whether each could be read: one that a framework generates may be missing
 */
function readTsconfigs(root: string, first?: string): { configs: Tsconfig[]; isWhole: boolean } {
  const configs: Tsconfig[] = []
  let isWhole = true
  const visit = (path: string): string[] => {
    try {
      const config = parseTsconfig(path)
      configs.push({ path, config })
      return (config.references ?? []).map((reference) => {
        const target = resolve(dirname(path), reference.path)
        return target.endsWith('.json') ? target : join(target, 'tsconfig.json')
      })
    } catch {
      isWhole = false
      return []
    }
  }
  visitTsconfigs(root, visit, first)
  return { configs, isWhole }
}

function matches(tsconfig: Tsconfig, file: string): boolean {
  return createFilesMatcher(tsconfig)(file) !== undefined
}

/** The folders before the first wildcard of each pattern, such as `src` for `src/**\/*.ts`. */
function namedFolders({ path, config: { include = [] } }: Tsconfig): string[] {
  return include.map((pattern) => join(dirname(path), pattern.replace(/\/?[^/]*[*?].*$/, '')))
}
