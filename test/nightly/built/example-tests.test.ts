import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from 'jest'
import { expect, test } from 'vitest'
import { writeOutDir } from '../../helpers/generated.ts'
import type { Run } from '../../helpers/binary.ts'
import { installedApp, runNode } from '../../helpers/installed-app.ts'
import { liveLock } from '../../helpers/pinned.ts'

const REPOSITORY = resolve(import.meta.dirname, '../../..')
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
  const files = { ...filesOf('testing', 'ts'), 'src/spy.test.ts': spy }
  const root = await installedApp({
    files: { ...files, 'rendered/triage.md': 'Be calm.\n\nIt beeps' },
    lock: LOCK,
    packages: ['vite', 'vitest'],
  })
  expect((await vitest(root)).stdout).toMatch(/Tests +5 passed/)
})

function vitest(root: string): Promise<Run> {
  const environment = { PROMPTS_PULL: 'never', NO_COLOR: '1', CI: 'true' }
  return runNode([join(REPOSITORY, 'node_modules/vitest/vitest.mjs'), 'run'], root, environment)
}

test('the tests of the page pass in Jest', async () => {
  const question = `import { prompts } from 'virtual:prompts'

export const question = (ticket) => prompts.supportTriage.render({ ticket, tone: 'calm' }).text
`
  const config: Config = {
    moduleNameMapper: { '^virtual:prompts$': '<rootDir>/prompts/index.js' },
  }
  const page = filesOf('testing', 'js')
  const files = {
    'src/mocked.test.js': page['src/mocked.test.js'] ?? '',
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
