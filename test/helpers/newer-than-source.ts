import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
const SOURCES = ['src', 'package.json', 'tsconfig.json']

/** Whether a file that a build writes is newer than everything that the build reads. */
export function isNewerThanSource(built: string): boolean {
  const builtAt = statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return builtAt > Math.max(...SOURCES.map((path) => newestIn(join(ROOT, path))))
}

/** Removing a file changes its folder, so folders count too. */
function newestIn(path: string): number {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))))
}
