import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { printLock } from '../../src/core/lock/print-lock.ts'
import { sha256 } from '../../src/fs/files.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { installedApp, runNode } from '../helpers/installed-app.ts'
import { liveLock } from '../helpers/pinned.ts'

const TEST = `import { test } from 'vitest'\nimport { run } from './run.js'\ntest('runs', run)\n`

test('vitest --changed runs the tests that use prompts when only the lock has changed', async () => {
  const root = await installedApp({
    lock: liveLock({ slug: 'triage', system: 'Sort {{ ticket }}.' }),
    packages: ['vitest'],
    files: {
      '.gitignore': 'node_modules\n',
      'vitest.config.js': `import prompts from 'unplugin-prompts/vite'\nexport default { plugins: [prompts()] }\n`,
      'src/run.js': `import { prompts } from 'virtual:prompts'\nexport const run = () => { prompts.triage.render({ ticket: 'x' }) }\n`,
      'src/uses.test.js': TEST,
      'src/other.test.js': TEST.replace("import { run } from './run.js'", 'const run = () => {}'),
    },
  })
  commitAll(root)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const unchanged = await runNode([vitest, 'run', '--changed', '--passWithNoTests'], root)
  expect(unchanged.stdout).toContain('No test files found')
  const lock = liveLock({ slug: 'triage', system: 'Rank {{ ticket }}.' })
  await writeFile(join(root, 'prompts.lock.json'), printLock(lock, sha256))
  const { code, stdout } = await runNode([vitest, 'run', '--changed', '--reporter=json'], root)
  const { testResults } = JSON.parse(stdout) as { testResults: { name: string }[] }
  expect(testResults.map(({ name }) => name)).toEqual([join(root, 'src/uses.test.js')])
  expect(code).toBe(0)
})
