import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { runBinary, startNode } from '../helpers/binary.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { installedApp, runNode } from '../helpers/installed-app.ts'
import { liveLock, lockText } from '../helpers/pinned.ts'
import { SOON } from '../helpers/soon.ts'

const NEW_LOCK = liveLock({ slug: 'triage', system: 'Rank {{ ticket }}.' })
const TEST = `import { test } from 'vitest'\nimport { run } from './run.js'\ntest('runs', run)\n`

const RUN = `import { prompts } from 'virtual:prompts'\nexport const run = () => console.log(prompts.triage.render({ ticket: 'x' }).text)\n`

/** An app with one test that uses prompts, and one that does not. */
function testedApp(lock = 'prompts.lock.json'): Promise<string> {
  const text = lockText(liveLock({ slug: 'triage', system: 'Sort {{ ticket }}.' }))
  return installedApp({
    packages: ['vitest'],
    files: {
      [lock]: text,
      '.gitignore': 'node_modules\n',
      'vitest.config.js': `import prompts from 'unplugin-prompts/vite'\nexport default { plugins: [prompts({ lock: '${lock}' })] }\n`,
      'src/run.js': RUN,
      'src/uses.test.js': TEST,
      'src/other.test.js': TEST.replace("import { run } from './run.js'", 'const run = () => {}'),
    },
  })
}

test.each(['prompts.lock.json', 'prompts.lock'])(
  'vitest --changed runs the tests that use prompts when only the lock has changed, which may have any name: %s',
  async (lock) => {
    const root = await testedApp(lock)
    commitAll(root)
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const unchanged = await runNode([vitest, 'run', '--changed', '--passWithNoTests'], root)
    expect(unchanged.stdout).toContain('No test files found')
    await writeFile(join(root, lock), lockText(NEW_LOCK))
    const { code, stdout } = await runNode([vitest, 'run', '--changed', '--reporter=json'], root)
    const { testResults } = JSON.parse(stdout) as { testResults: { name: string }[] }
    expect(testResults.map(({ name }) => name)).toEqual([join(root, 'src/uses.test.js')])
    expect(code).toBe(0)
  },
)

test('vitest --watch runs a test again when the lock has changed', async () => {
  const root = await testedApp()
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { stdout } = startNode(process.execPath, [vitest, '--watch', 'uses'], { cwd: root })
  let output = ''
  stdout.on('data', (chunk) => (output += String(chunk)))
  await vi.waitFor(() => expect(output).toMatch(/Sort x\.[^]*Waiting/), SOON)
  await writeFile(join(root, 'prompts.lock.json'), lockText(NEW_LOCK))
  await vi.waitFor(() => expect(output).toContain('Rank x.'), SOON)
})

test('vitest runs projects that init has let inherit the plugin', async () => {
  const root = await installedApp({
    lock: liveLock({ slug: 'triage', system: 'Sort {{ ticket }}.' }),
    packages: ['vitest'],
    files: {
      'package.json':
        '{ "type": "module", "devDependencies": { "unplugin-prompts": "*", "vitest": "*" } }',
      'vitest.config.js': `import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: { projects: [{ test: { name: 'unit', include: ['src/*.test.js'] } }] } })\n`,
      'src/run.js': RUN,
      'src/uses.test.js': TEST,
    },
  })
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run']
  expect(await runNode(vitest, root)).toMatchObject({ code: 1 })
  expect(await runBinary(['init', '--yes'], { cwd: root })).toMatchObject({ code: 0 })
  expect(await runNode(vitest, root)).toMatchObject({ code: 0 })
})
