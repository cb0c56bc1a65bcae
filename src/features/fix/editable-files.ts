import { readFileSync, realpathSync } from 'node:fs'
import { isGenerated } from '../../core/generated.ts'
import { listTrackedFiles } from '../../fs/git.ts'
import { relativeInside } from '../../fs/paths.ts'

/** Marks of generated files, other than those of this package, in the comments at their beginning. */
const GENERATED = /@generated\b|\bdo not (?:edit|modify)\b|\bauto-?generated\b/i

const ANYWAY = '(--allow-dirty edits it anyway)'

/** How many characters may have the mark of a generated file. */
const HEAD_LENGTH = 1000

/**
 * Reads which files of an app may be edited: code below its folder that git knows as clean.
 *
 * @param root - the app's folder, absolute
 * @param allowDirty - accept files that git does not know as clean
 * @returns a function that returns why a file can't be edited; `undefined` if it can
 */
export async function readEditableFiles(
  root: string,
  allowDirty: boolean,
): Promise<(path: string) => string | undefined> {
  const folder = realpathSync(root)
  const tracked = allowDirty ? undefined : await listTrackedFiles(folder)
  return (path) => {
    const inside = relativeInside(folder, realpathSync(path))
    if (inside === undefined) return 'the file is outside of the project'
    if (inside.split(/[\\/]/).includes('node_modules')) return 'the file is in node_modules'
    const problem = problemOfText(path)
    if (problem !== undefined || allowDirty) return problem
    if (tracked === undefined) return `git does not track the project ${ANYWAY}`
    const isClean = tracked.get(realpathSync(path))
    if (isClean === undefined) return `git does not track the file ${ANYWAY}`
    return isClean ? undefined : `the file has changes that are not committed ${ANYWAY}`
  }
}

function problemOfText(path: string): string | undefined {
  const bytes = readFileSync(path)
  const text = bytes.toString('utf8')
  if (!Buffer.from(text).equals(bytes)) return 'the file is not UTF-8'
  const isMarked = isGenerated(text) || GENERATED.test(headOf(text))
  return isMarked ? 'the file is generated' : undefined
}

/** The comments at the beginning of a file. */
function headOf(text: string): string {
  const [comments = ''] = /^(?:\s+|\/\/.*|\/\*[^]*?\*\/)*/.exec(text.slice(0, HEAD_LENGTH)) ?? []
  return comments
}
