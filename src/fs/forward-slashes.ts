import { sep } from 'node:path'

/**
 * A path of this machine as everything that is written or shown names it: with forward slashes.
 * A backslash is a part of the name where it separates nothing.
 *
 * @param separator - what separates folders on this machine
 */
export function forwardSlashes(path: string, separator: string = sep): string {
  return path.split(separator).join('/')
}
