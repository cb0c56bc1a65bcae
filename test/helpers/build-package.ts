import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
/** What a build reads. */
const SOURCES = ['src', 'package.json', 'tsconfig.json']
/** The last file that it writes. */
const LAST_BUILT = join(ROOT, 'dist/NOTICES.md')

/** Builds the package before the tests that run it, unless the build is newer than its sources. */
export function setup(): void {
  const builtAt = statSync(LAST_BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (builtAt > Math.max(...SOURCES.map((path) => newestIn(join(ROOT, path))))) return
  execFileSync('npm', ['run', 'build', '--silent', '--', '--logLevel', 'warn'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

/** Removing a file changes its folder, so folders count too. */
function newestIn(path: string): number {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))))
}
