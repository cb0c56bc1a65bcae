import { dirname, join, resolve } from 'node:path'
import type { Environment } from '../core/prompt.ts'
import { PromptsError } from '../errors/catalogue.ts'
import type { Options, ResolvedOptions } from './options.ts'

/** The options that name files which this package writes. */
type WrittenPaths = Pick<ResolvedOptions, 'lock' | 'liveLock' | 'dts' | 'outDir'>

/** What paths are resolved with. */
interface PathContext extends Pick<ResolvedOptions, 'root' | 'name' | 'environment'> {
  /** Where the options are from. */
  readonly source: string
}

/**
 * Makes the paths of the options absolute.
 *
 * @throws PromptsError OPTIONS_INVALID when one file would overwrite another
 */
export function resolvePaths(
  { lock, dts, outDir }: Options,
  { root, name, environment, source }: PathContext,
): WrittenPaths {
  const path = (value: string): string => resolve(root, value)
  const followsLive = environment === 'test' && lock === undefined
  const paths = {
    lock: path(lock ?? defaultLock(environment, name)),
    liveLock: followsLive ? path(defaultLock('live', name)) : undefined,
    dts: dts === false ? false : path(dts ?? `${name}.d.ts`),
    outDir: outDir === undefined ? undefined : path(outDir),
  } as const
  const problems = overlapProblems(paths)
  if (problems.length > 0) throw new PromptsError('OPTIONS_INVALID', { source, problems })
  return paths
}

/** The name of the lock when the options give none. */
function defaultLock(environment: Environment, name: string): string {
  return environment === 'live' ? `${name}.lock.json` : `${name}.test.lock.json`
}

/** The files in a folder that `prompts generate` writes. */
export interface FolderFiles {
  readonly code: string
  readonly declarations: string
  readonly manifest: string
}

/** The paths of the files in a folder that `prompts generate` writes. */
export function folderFiles(folder: string): FolderFiles {
  return {
    code: join(folder, 'index.js'),
    declarations: join(folder, 'index.d.ts'),
    manifest: join(folder, 'package.json'),
  }
}

type WrittenFile = readonly [option: string, path: string]

function overlapProblems(paths: WrittenPaths): string[] {
  const problems = writtenFiles(paths).flatMap(([option, path], index, files) =>
    files
      .slice(index + 1)
      .filter(([other, otherPath]) => other !== option && overlap(path, otherPath))
      .map(([other]) => `${option} and ${other}: one would overwrite the other`),
  )
  return [...new Set(problems)]
}

function writtenFiles({ lock, liveLock, dts, outDir }: WrittenPaths): WrittenFile[] {
  const folder = outDir === undefined ? [] : Object.values<string>({ ...folderFiles(outDir) })
  return [
    ['lock', lock],
    ...(liveLock === undefined ? [] : [['the live lock', liveLock] as const]),
    ...(dts === false ? [] : [dts, `${dts}.map`].map((path) => ['dts', path] as const)),
    ...folder.map((path) => ['outDir', path] as const),
  ]
}

/** Case is ignored, as many file systems do. */
function overlap(one: string, other: string): boolean {
  const [first, second] = [one.toLowerCase(), other.toLowerCase()]
  return first === second || isInside(first, second) || isInside(second, first)
}

function isInside(path: string, folder: string): boolean {
  const parent = dirname(path)
  return parent !== path && (parent === folder || isInside(parent, folder))
}
