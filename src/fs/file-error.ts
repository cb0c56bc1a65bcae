import { errorCode, errorMessage } from '../errors/error-code.ts'
import { PromptsError } from '../errors/prompts-error.ts'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ENOENT: 'its folder does not exist',
  EEXIST: 'a file with this name exists',
  EBUSY: 'another program uses it',
}

/** Describes an error of the file system in words. */
export function describeSystemError(error: unknown): string {
  return REASONS[errorCode(error)] ?? errorMessage(error)
}

/** Returns what throws the error for a file that can't be written. */
export function failWriting(path: string): (cause: unknown) => never {
  return (cause) => {
    throw fileError('FILE_UNWRITABLE', path, cause)
  }
}

/** Creates the error for a file that can't be read or written. */
export function fileError(
  code: 'FILE_UNREADABLE' | 'FILE_UNWRITABLE',
  path: string,
  cause: unknown,
): PromptsError {
  return new PromptsError(code, { path, reason: describeSystemError(cause) }, { cause })
}
