/** Where TypeScript finds the declarations, as the tsconfigs and the imports of an app say. Loads no compiler. */
import { existsSync, readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { createFilesMatcher, parseTsconfig } from 'get-tsconfig'
import { configFileNames } from '../../config/config-file.ts'
import { virtualModuleId } from '../../core/workspace-name.ts'
import { readText } from '../../fs/files.ts'
import { findText } from '../../fs/git.ts'
import { ancestorFolders, isCode, relativePath, toForwardSlashes } from '../../fs/paths.ts'

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
  const files = await search(root, `${virtualModuleId(name)}|${basename(dts)}`)
  const importers = files.flatMap((file) => importerIn(root, file, name))
  const visible = [
    dts,
    ...files.filter((file) => hasReferenceTo(file, dts)).map(({ path }) => path),
  ]
  const folders = importers.flatMap(({ path }) => foldersBetween(root, path))
  return readTsconfigs([root, ...folders]).configs.flatMap((project) => {
    const importer = importers.find(({ path }) => matches(project, path))
    const isConcerned = importers.length === 0 ? hasFolders(project) : importer !== undefined
    if (!isConcerned || visible.some((path) => matches(project, path))) return []
    return [{ tsconfig: project.path, entry: relativePath(dirname(project.path), dts), importer }]
  })
}

/** What a blind project lacks, and what to do about it. */
export function describeBlind({ tsconfig, entry }: BlindProject): { why: string; fix: string } {
  return {
    why: `${tsconfig} does not include the declarations of the prompts.`,
    fix: `Add "${entry}" to \`include\` in ${tsconfig}.`,
  }
}

interface SourceFile {
  /** Absolute. */
  readonly path: string
  readonly text: string
}

/** The code below a folder that has a regular expression, or all of it where git can't search. */
async function search(root: string, pattern: string): Promise<SourceFile[]> {
  const places = await findText(root, pattern)
  const paths = new Set(places?.map(({ path }) => path) ?? (await walk(root)))
  const files = [...paths].filter(isCode).map(async (path) => {
    return { path, text: (await readText(path).catch(() => undefined)) ?? '' }
  })
  return Promise.all(files)
}

/** The files of a folder, without installed and hidden ones. */
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

/** The first import in a file that is not in a comment, unless an app below has the file. */
function importerIn(root: string, { path, text }: SourceFile, name: string): Importer[] {
  const load = new RegExp(
    `(?:^|[^\\w.])(?:from|import|require)\\s*\\(?\\s*(["'])${virtualModuleId(name)}(?:/\\w+)?\\1`,
  )
  const index = text
    .split('\n')
    .findIndex((line) => load.test(line) && !/^\s*(?:\/\/|\*)/.test(line))
  if (index === -1 || path.endsWith('.d.ts')) return []
  const ofApp = [`${name}.lock.json`, ...configFileNames(name)]
  const isForeign = foldersBetween(root, path).some((folder) =>
    ofApp.some((file) => existsSync(join(folder, file))),
  )
  return isForeign ? [] : [{ path, line: index + 1 }]
}

/** The folders of a file below a root, without it. */
function foldersBetween(root: string, path: string): string[] {
  const above = [...ancestorFolders(dirname(path))]
  return above.slice(0, Math.max(0, above.indexOf(root)))
}

/** `/// <reference path="…" />`, as in `vite-env.d.ts`. */
function hasReferenceTo({ path: from, text }: SourceFile, dts: string): boolean {
  const references = text.matchAll(/^\/\/\/\s*<reference\s+path="(.*?)"/gm)
  return [...references].some(
    ([, path = '']) => toForwardSlashes(join(dirname(from), path)) === toForwardSlashes(dts),
  )
}

/** A tsconfig, merged with those that it extends. */
interface Tsconfig {
  /** Absolute. */
  readonly path: string
  readonly config: ReturnType<typeof parseTsconfig>
}

/**
 * Reads the tsconfigs (or jsconfigs) in folders, of any name, and those that they refer to.
 *
 * @returns also whether each could be read: one that a framework generates may be missing
 */
function readTsconfigs(folders: readonly string[]): { configs: Tsconfig[]; isWhole: boolean } {
  const configs: Tsconfig[] = []
  const paths = new Set(folders.flatMap(tsconfigsIn))
  // The iteration includes references that are added during it.
  for (const path of paths) {
    try {
      const config = parseTsconfig(path)
      configs.push({ path, config })
      for (const { path: reference } of config.references ?? []) {
        const target = resolve(dirname(path), reference)
        paths.add(target.endsWith('.json') ? target : join(target, 'tsconfig.json'))
      }
    } catch {
      // Missing, or no JSON.
    }
  }
  return { configs, isWhole: configs.length === paths.size }
}

function tsconfigsIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /^[jt]sconfig.*\.json$/.test(name))
  return names.map((name) => join(folder, name))
}

function matches(tsconfig: Tsconfig, file: string): boolean {
  return createFilesMatcher(tsconfig)(file) !== undefined
}

/** Whether a project has more than single files, such as configurations of tools. */
function hasFolders({ config: { files, include = files ? [] : ['**/*'] } }: Tsconfig): boolean {
  return include.some((pattern) => !/(?:^|\/)[^*?/]+\.[^/]*$/.test(pattern))
}

/**
 * The folder in which most tsconfig files of an app include a declaration file, such as `src`.
 *
 * @param root - absolute
 * @returns `''` for the root, unless another folder is better; `undefined` if the app has no
 *   readable tsconfig
 */
export function declarationsFolder(root: string): string | undefined {
  const { configs, isWhole } = readTsconfigs([root])
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

/** The folders before the first wildcard of each pattern, such as `src` for `src/**\/*.ts`. */
function namedFolders({ path, config: { include = [] } }: Tsconfig): string[] {
  return include.map((pattern) => join(dirname(path), pattern.replace(/\/?[^/]*[*?].*$/, '')))
}
