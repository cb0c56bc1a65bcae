import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { isNewerThanSource } from './newer-than-source.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** The last file that a build writes. */
const LAST_BUILT = join(ROOT, 'dist/NOTICES.md')

/** Builds the package before the tests that run it, unless the build is newer than its sources. */
export function setup(): void {
  if (isNewerThanSource(LAST_BUILT)) return
  execFileSync('npm', ['run', 'build', '--silent', '--', '--logLevel', 'warn'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
