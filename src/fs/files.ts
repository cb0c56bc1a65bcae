import { hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode, fileError, PromptsError } from '../errors/prompts-error.ts'

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

/** Resolves the links of a path, as far as it exists. */
export async function resolveLinks(path: string): Promise<string> {
  const parent = dirname(path)
  return realpath(path).catch(async () =>
    parent === path ? path : join(await resolveLinks(parent), basename(path)),
  )
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

/**
 * SHA-256 as `sha256-` and base64, as in npm's package-lock.json, of bytes or of a text's UTF-8 bytes. If
 * a file of 28 MB is decoded and encoded for it, it takes three times as long.
 */
export function sha256(data: string | Uint8Array): string {
  return `sha256-${hash('sha256', data, 'base64')}`
}
