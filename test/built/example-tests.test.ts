import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from 'jest'
import { expect, test } from 'vitest'
import { writeOutDir } from '../helpers/generated.ts'
import { installedApp, runNode } from '../helpers/installed-app.ts'
import { liveLock } from '../helpers/pinned.ts'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const LOCK = liveLock({ slug: 'support-triage', system: 'Be {{ tone }}.', user: '{{ ticket }}' })

/** The files of a page, by the path in the first line of their code. */
function filesOf(page: string, language: string): Record<string, string> {
  const text = readFileSync(join(REPOSITORY, `src/docs/${page}.md`), 'utf8')
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\n// (\\S+)\n(.*?)^\`\`\``, 'gms'))
  return Object.fromEntries(Array.from(blocks, ([, path = '', code = '']) => [path, code]))
}

test('the tests of the page pass in Vitest, and a spy on a prompt fails as the page says', async () => {
  const spy = `import { expect, test, vi } from 'vitest'
import { prompts } from 'virtual:prompts'

test('fails', () => {
  expect(() => vi.spyOn(prompts.supportTriage, 'render')).toThrow('Cannot redefine property: render')
})
`
  const files = { ...filesOf('unit-tests', 'ts'), 'src/spy.test.ts': spy }
  expect(await testsIn(files)).toMatch(/Tests +3 passed/)
})

test('a text moves into a prompt as the page about moving in says', async () => {
  const old = `export const triagePrompt = ({ tone, ticket }: { tone: string; ticket: string }) =>
  \`Be \${tone}.\\n\\n\${ticket}\`
`
  const exported = `import { expect, test, vi } from 'vitest'

test('prints the text for the service', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  await import('./export-prompts')
  expect(log.mock.calls).toEqual([['Be {{ tone }}.\\n\\n{{ ticket }}']])
})
`
  const files = {
    'vitest.config.ts': filesOf('unit-tests', 'ts')['vitest.config.ts'] ?? '',
    'src/triage-prompt.ts': old,
    'src/exported.test.ts': exported,
    ...filesOf('moving-in', 'ts'),
  }
  expect(await testsIn(files)).toMatch(/Tests +2 passed/)
})

/** Runs the tests of an app in Vitest, and returns what it prints. */
async function testsIn(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await installedApp({ files, lock: LOCK, packages: ['vite', 'vitest'] })
  const vitest = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')
  const environment = { PROMPTS_PULL: 'never', NO_COLOR: '1' }
  const { stdout, stderr, code } = await runNode([vitest, 'run'], root, environment)
  expect(code, stderr).toBe(0)
  return stdout
}

test('the test of the page passes in Jest', async () => {
  const question = `import { prompts } from 'virtual:prompts'

export const question = (ticket) => prompts.supportTriage.render({ ticket, tone: 'calm' }).text
`
  const config: Config = {
    moduleNameMapper: { '^virtual:prompts$': '<rootDir>/prompts/index.js' },
    transform: {},
  }
  const files = {
    ...filesOf('unit-tests', 'js'),
    'src/question.js': question,
    'jest.config.json': JSON.stringify(config),
  }
  const root = await installedApp({ files, lock: LOCK })
  await writeOutDir(LOCK, { root, folder: join(root, 'prompts') })
  const jest = join(REPOSITORY, 'node_modules/jest/bin/jest.js')
  const run = await runNode(['--experimental-vm-modules', jest, '--rootDir', root], root)
  expect(run.stderr).toMatch(/Tests: +1 passed/)
  expect(run.code).toBe(0)
})
