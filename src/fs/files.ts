import { readFileSync, statSync } from 'node:fs'
import { access, constants, lstat, mkdir, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  errorCode,
  failWriting,
  fileError,
  isPromptsError,
  PromptsError,
} from '../errors/prompts-error.ts'
import { isInside } from './paths.ts'
import type { ReplaceOptions } from './replace-file.ts'
import { hash } from 'node:crypto'

/**
 * Reads a UTF-8 text file without its byte order mark.
 *
 * @returns `undefined` if there is no such file
 */
export async function readText(path: string): Promise<string | undefined> {
  // Decoded at once, because `readFile` with an encoding decodes large files in pieces.
  const bytes = await readBytes(path)
  return bytes && decodeText(bytes, path)
}

/**
 * Reads a file of the user that nothing is written from, such as `.env` or code: other bytes than UTF-8, as in a
 * comment in Latin-1, become replacement characters.
 *
 * @returns `undefined` if there is no such file
 */
export async function readForeignText(path: string): Promise<string | undefined> {
  const bytes = await readBytes(path)
  return bytes && decodeText(bytes, path, { fatal: false })
}

/**
 * Decodes UTF-8, without its byte order mark.
 *
 * @param path - of the file that the bytes are from
 * @param fatal - whether other bytes are an error. Default: true
 */
export function decodeText(
  bytes: Uint8Array,
  path: string,
  { fatal = true }: { readonly fatal?: boolean } = {},
): string {
  const encoding = detectForeignEncoding(bytes)
  if (encoding !== undefined) throw new PromptsError('FILE_NOT_UTF8', { path, encoding })
  try {
    // Replacement characters would end in a lock.
    return new TextDecoder('utf-8', { fatal }).decode(bytes)
  } catch (cause) {
    throw new PromptsError('FILE_UNREADABLE', { path, reason: 'it is not UTF-8' }, { cause })
  }
}

/**
 * Reads a file.
 *
 * @returns `undefined` if there is no such file
 */
export async function readBytes(path: string): Promise<Buffer | undefined> {
  try {
    // A start asks for 20 files that are mostly missing, and the error of one takes ten times as long.
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined
    // `readFile` takes more than twice the processor time: 2 ms more for a lock of 1,000 prompts.
    return readFileSync(path)
  } catch (cause) {
    // A path below a file. Since Node 22, `statSync` returns `undefined` for it.
    if (errorCode(cause) === 'ENOENT' || errorCode(cause) === 'ENOTDIR') return undefined
    throw fileError('FILE_UNREADABLE', path, cause)
  }
}

/**
 * Detects UTF-16, which `>` in Windows PowerShell writes. Without a byte order mark it is detected by
 * the first character, which is ASCII in every file that is read here.
 */
function detectForeignEncoding([first, second]: Uint8Array): string | undefined {
  if (first === undefined || second === undefined) return undefined
  if ((first === 0xff && second === 0xfe) || (first > 0 && second === 0)) return 'UTF-16 LE'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second > 0)) return 'UTF-16 BE'
  return undefined
}

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
  const { removeAbandonedTemporaries } = await import('./replace-file.ts')
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
  const { replaceFile } = await import('./replace-file.ts')
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

/** Resolves the links of a path, as far as it exists. */
async function resolveLinks(path: string): Promise<string> {
  const parent = dirname(path)
  return realpath(path).catch(async () =>
    parent === path ? path : join(await resolveLinks(parent), basename(path)),
  )
}

/**
 * SHA-256 as `sha256-` and base64, as in npm's package-lock.json, of bytes or of a text's UTF-8 bytes. If
 * a file of 28 MB is decoded and encoded for it, it takes three times as long.
 */
export function sha256(data: string | Uint8Array): string {
  return `sha256-${hash('sha256', data, 'base64')}`
}
