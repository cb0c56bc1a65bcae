/** Writes files. Nothing here is needed by a build from a good lock. */
import { access, constants, lstat, mkdir, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { failWriting, fileError, isPromptsError, PromptsError } from '../errors/prompts-error.ts'
import { readText, resolveLinks } from './files.ts'
import { isInside } from './paths.ts'
import { removeAbandonedTemporaries, replaceFile, type ReplaceOptions } from './replace-file.ts'

export type WriteState = 'written' | 'unchanged'

interface WriteOptions extends Pick<ReplaceOptions, 'assertCurrent'> {
  /** Compares content and text, both with LF. Default: strict equality. */
  readonly isSame?: (one: string, other: string) => boolean
}

/**
 * Writes a text file atomically, and only if its content differs. Line ends and a byte order mark are
 * not a difference, so a CRLF checkout stays as it is. If it fails, the file is unchanged.
 *
 * @param root - the project's folder; see {@link resolveWritable}
 */
export async function writeText(
  path: string,
  text: string,
  root: string,
  { isSame = Object.is, assertCurrent }: WriteOptions = {},
): Promise<WriteState> {
  const target = await prepareTarget(path, root)
  const current = await readText(target)
  if (current !== undefined && isSame(current.replaceAll('\r\n', '\n'), text)) return 'unchanged'
  await replace(path, target, text, { assertCurrent })
  return 'written'
}

/**
 * Writes a report that the user requested, byte for byte, and replaces any content. If it fails, the
 * file is unchanged.
 *
 * @param root - as for {@link resolveWritable}
 */
export async function writeExact(
  path: string,
  text: string,
  root: string,
  options?: ReplaceOptions,
): Promise<void> {
  await replace(path, await prepareTarget(path, root), text, options)
}

async function prepareTarget(path: string, root: string): Promise<string> {
  const target = await resolveWritable(path, root)
  await removeAbandonedTemporaries(dirname(target))
  return target
}

/** @param path - the file for the error message */
async function replace(
  path: string,
  target: string,
  text: string,
  options?: ReplaceOptions,
): Promise<void> {
  try {
    // Renaming would also replace a read-only file, which is read-only on purpose.
    const isThere = (await lstat(target).catch(() => undefined)) !== undefined
    if (isThere) await access(target, constants.W_OK)
    await replaceFile(target, text, options)
  } catch (cause) {
    throw isPromptsError(cause) ? cause : fileError('FILE_UNWRITABLE', path, cause)
  }
}

/**
 * Returns the real path to write to. Links inside the project are followed, so they stay links. Nothing
 * is written.
 *
 * @param root - the project's folder. A link out of it, of the file or of a folder above it, is an
 *   error. A path that is outside without a link is allowed.
 */
export async function resolveWritable(path: string, root: string): Promise<string> {
  const refuse = (reason: string): never => {
    throw new PromptsError('FILE_UNWRITABLE', { path, reason })
  }
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true
  const target = isLink
    ? await realpath(path).catch(() => refuse('it is a broken link'))
    : await resolveLinks(path)
  if ((isLink || isInside(root, path)) && !isInside(await resolveLinks(root), target))
    return refuse(`${isLink ? 'it' : 'its folder'} is a link out of the project`)
  const stats = await lstat(target).catch(() => undefined)
  if (stats?.isDirectory() === true) return refuse('it is a folder')
  return stats?.isFile() === false ? refuse('it is not a regular file') : target
}

/**
 * Creates the folder of a file, and the missing ones above it.
 *
 * @param root - as for {@link resolveWritable}
 */
export async function createFolderOf(path: string, root: string): Promise<void> {
  const target = await resolveWritable(path, root)
  await mkdir(dirname(target), { recursive: true }).catch(failWriting(path))
}
