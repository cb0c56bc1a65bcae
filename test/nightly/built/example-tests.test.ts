import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { Run } from '../../helpers/binary.ts'
import { installedApp, runNode } from '../../helpers/installed-app.ts'
import { liveLock } from '../../helpers/pinned.ts'

const REPOSITORY = resolve(import.meta.dirname, '../../..')
const LOCK = liveLock({ slug: 'support-triage', system: 'Be {{ tone }}.', user: '{{ ticket }}' })

/** The files of the page, by the path in the first line of their code. */
function filesOfPage(): Record<string, string> {
  const text = readFileSync(join(REPOSITORY, 'src/docs/testing.md'), 'utf8')
  const blocks = text.matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```/gms)
  return Object.fromEntries(Array.from(blocks, ([, path = '', code = '']) => [path, code]))
}

test('the tests of the page pass in Vitest, and a spy on a prompt fails as the page says', async () => {
  const spy = `import { expect, test, vi } from 'vitest'
import { prompts } from 'virtual:prompts'

test('fails', () => {
  expect(() => vi.spyOn(prompts.supportTriage, 'render')).toThrow('Cannot redefine property: render')
})
`
  const files = { ...filesOfPage(), 'src/spy.test.ts': spy }
  const root = await installedApp({
    files: { ...files, 'rendered/triage.md': 'Be calm.\n\nIt beeps' },
    lock: LOCK,
    packages: ['vite', 'vitest'],
  })
  expect((await vitest(root)).stdout).toMatch(/Tests +4 passed/)
})

function vitest(root: string): Promise<Run> {
  const environment = { PROMPTS_PULL: 'never', NO_COLOR: '1', CI: 'true' }
  return runNode([join(REPOSITORY, 'node_modules/vitest/vitest.mjs'), 'run'], root, environment)
}
