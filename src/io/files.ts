import { access, constants, lstat, readFile, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, sep } from 'node:path'
import { PromptsError } from '../errors.ts'
import { replaceFile } from './replace-file.ts'

/**
 * Reads a UTF-8 text file.
 *
 * @returns `undefined` when there is no such file
 * @throws PromptsError FILE_UNREADABLE
 */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined
    throw new PromptsError('FILE_UNREADABLE', { path, reason: reasonOf(cause) }, { cause })
  }
}

/** Whether a write had to touch the disk. */
export type WriteOutcome = 'written' | 'unchanged'

/**
 * Writes a text file whole or not at all, and only when its content differs. Line ends do not
 * count as a difference, so that a CRLF checkout stays as it is (FAULTS 52).
 *
 * @param root - the project's folder: a link that leads out of it is refused (FAULTS 55)
 * @throws PromptsError FILE_UNREADABLE, FILE_UNWRITABLE; the file is as it was
 */
export async function writeText(path: string, text: string, root: string): Promise<WriteOutcome> {
  const target = await writableTarget(path, root)
  const current = await readText(target)
  if (current?.replaceAll('\r\n', '\n') === text) return 'unchanged'
  try {
    // Replacing a file takes no right to write it, but one that is read-only is so on purpose.
    if (current !== undefined) await access(target, constants.W_OK)
    await replaceFile(target, text)
  } catch (cause) {
    throw new PromptsError('FILE_UNWRITABLE', { path, reason: reasonOf(cause) }, { cause })
  }
  return 'written'
}

/** The file behind a path: a link inside the project is followed, so that it stays a link. */
async function writableTarget(path: string, root: string): Promise<string> {
  const refuse = (reason: string): never => {
    throw new PromptsError('FILE_UNWRITABLE', { path, reason })
  }
  const stats = await lstat(path).catch(() => undefined)
  if (stats === undefined || stats.isFile()) return path
  if (stats.isDirectory()) return refuse('it is a folder')
  if (!stats.isSymbolicLink()) return refuse('it is no regular file')
  const target = await realpath(path).catch(() => refuse('it is a link to nowhere'))
  const way = relative(await realpath(root), target)
  if (way.split(sep)[0] === '..' || isAbsolute(way))
    return refuse('it is a link out of the project')
  return writableTarget(target, dirname(target))
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  ENOENT: 'its folder does not exist',
  EBUSY: 'another program holds it',
}

/** Why the file system refused, in words. */
export function reasonOf(error: unknown): string {
  const code = errorCode(error)
  const known = typeof code === 'string' ? REASONS[code] : undefined
  return known ?? (error instanceof Error ? error.message : String(error))
}
