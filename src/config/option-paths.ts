import { resolve } from 'node:path'
import { PromptsError } from '../errors/prompts-error.ts'
import { outDirFiles } from '../fs/generated-file.ts'
import { relativeInside } from '../fs/paths.ts'
import type { Options } from './options.ts'
import type { ResolvedOptions } from './resolved-options.ts'

/** The options that are paths of written files. */
type OutputPaths = Pick<ResolvedOptions, 'lock' | 'liveLock' | 'testLock' | 'dts' | 'outDir'>

/** What paths are resolved from. */
interface PathContext extends Pick<ResolvedOptions, 'root' | 'name' | 'environment'> {
  /** The source of the options, for errors. */
  readonly source: string
}

/**
 * Makes the paths of the options absolute.
 *
 * @throws PromptsError OPTIONS_INVALID if one file would overwrite another
 */
export function resolvePaths(
  { lock, dts, outDir }: Options,
  { root, name, environment, source }: PathContext,
): OutputPaths {
  const path = (value: string): string => resolve(root, value)
  const isTest = environment === 'test'
  const live = path(lock ?? `${name}.lock.json`)
  const test = live.replace(/(?:\.lock)?(?:\.json)?$/, '.test$&')
  const paths = {
    lock: isTest ? test : live,
    liveLock: isTest ? live : undefined,
    testLock: test,
    dts: dts === false ? false : path(dts ?? `${name}.d.ts`),
    outDir: outDir === undefined ? undefined : path(outDir),
  } as const
  const problems = findOverlaps(paths)
  if (problems.length > 0) throw new PromptsError('OPTIONS_INVALID', { source, problems })
  return paths
}

type OutputFile = readonly [option: string, path: string]

function findOverlaps(paths: OutputPaths): string[] {
  const problems = listOutputFiles(paths).flatMap(([option, path], index, files) =>
    files
      .slice(index + 1)
      .filter(([other, otherPath]) => other !== option && overlap(path, otherPath))
      .map(([other]) => `${option} and ${other}: one would overwrite the other`),
  )
  return [...new Set(problems)]
}

function listOutputFiles({ lock, liveLock, testLock, dts, outDir }: OutputPaths): OutputFile[] {
  const files = {
    lock: [lock],
    'the live lock': liveLock === undefined ? [] : [liveLock],
    'the test lock': testLock === lock ? [] : [testLock],
    dts: dts === false ? [] : [dts, `${dts}.map`],
    outDir: outDir === undefined ? [] : listFolderFiles(outDir),
  }
  return Object.entries(files).flatMap(([option, paths]) =>
    paths.map((path) => [option, path] as const),
  )
}

function listFolderFiles(folder: string): string[] {
  const { modules, manifest } = outDirFiles(folder)
  return [...Object.values(modules), manifest]
}

/** Case is ignored, as many file systems do. */
function overlap(one: string, other: string): boolean {
  const [first, second] = [one.toLowerCase(), other.toLowerCase()]
  return relativeInside(first, second) !== undefined || relativeInside(second, first) !== undefined
}
