// Runs tests of this repository from scripts.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { REPOSITORY } from './files.js'

/** How Node starts Vitest with the configuration of this repository. */
export const VITEST = [
  join(REPOSITORY, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--config',
  'test/vitest.config.ts',
]

/** Runs test files, and throws if one fails. */
export function runTests(files, variables) {
  const { status } = spawnSync(process.execPath, [...VITEST, ...files], {
    cwd: REPOSITORY,
    env: { ...process.env, ...variables },
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error(`${files.join(', ')} failed`)
}
