import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { writeOutDir } from '../../src/features/generate/out-dir.ts'
import { installedApp, runNode } from '../helpers/installed-app.ts'
import { liveLock } from '../helpers/pinned.ts'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const PAGE = readFileSync(join(REPOSITORY, 'src/docs/unit-tests.md'), 'utf8')
const LOCK = liveLock({ slug: 'support-triage', system: 'Be {{ tone }}.', user: '{{ ticket }}' })

/** The files of a page, by the path in the first line of their code. */
function filesOf(language: string): Record<string, string> {
  const blocks = PAGE.matchAll(new RegExp(`^\`\`\`${language}\n// (\\S+)\n(.*?)^\`\`\``, 'gms'))
  return Object.fromEntries(Array.from(blocks, ([, path = '', code = '']) => [path, code]))
}

test('the tests of the page pass in Vitest, and a spy on a prompt fails as the page says', async () => {
  const spy = `import { expect, test, vi } from 'vitest'
import { prompts } from 'virtual:prompts'

test('fails', () => {
  expect(() => vi.spyOn(prompts.supportTriage, 'render')).toThrow('Cannot redefine property: render')
})
`
  const files = { ...filesOf('ts'), 'src/spy.test.ts': spy }
  const root = await installedApp({ files, lock: LOCK, packages: ['vite', 'vitest'] })
  const vitest = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')
  const { stdout, stderr, code } = await runNode([vitest, 'run'], root, {
    PROMPTS_PULL: 'never',
    NO_COLOR: '1',
  })
  expect(`${stdout}${stderr}`).toMatch(/Tests +3 passed/)
  expect(code).toBe(0)
})

test('the test of the page passes in Jest', async () => {
  const question = `import { prompts } from 'virtual:prompts'

export const question = (ticket) => prompts.supportTriage.render({ ticket, tone: 'calm' }).text
`
  const config = {
    moduleNameMapper: { '^virtual:prompts$': '<rootDir>/prompts/index.js' },
    transform: {},
  }
  const files = {
    ...filesOf('js'),
    'src/question.js': question,
    'jest.config.json': JSON.stringify(config),
  }
  const root = await installedApp({ files, lock: LOCK })
  await writeOutDir(LOCK, { root, name: 'prompts', folder: join(root, 'prompts') })
  const jest = join(REPOSITORY, 'node_modules/jest/bin/jest.js')
  const run = await runNode(['--experimental-vm-modules', jest, '--rootDir', root], root)
  expect(run.stderr).toMatch(/Tests: +1 passed/)
  expect(run.code).toBe(0)
})
