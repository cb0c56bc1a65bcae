import { expect, test, vi } from 'vitest'
import type { Lock } from '../../src/core/prompt.ts'
import { lockOf } from '../helpers/pinned.ts'
import { SOON } from '../helpers/soon.ts'
import { type Files, newApp, numberedLock, writeLock } from './app.ts'
import { buildAndRun, type BundlerName, ONE_EACH } from './bundlers.ts'
import { jobIn } from './configs.ts'
import { devServer } from './vite-server.ts'

const PROMPTS = `import { prompts } from 'virtual:prompts'\n`
const BOTH = `${PROMPTS}import { prompts as staging } from 'virtual:prompts/staging'\n`

/** Builds an app of these files. */
async function build(bundler: BundlerName, files: Files, lock: Lock) {
  return buildAndRun(bundler, jobIn(await newApp(files, lock)))
}

test.each(ONE_EACH)('a prompt that is the same in staging costs no byte (%s)', async (bundler) => {
  const files = (name: string): Files => ({
    'main.js': `${BOTH}console.log(JSON.stringify([prompts.prompt6.slug, ${name}.prompt6.version]))\n`,
  })
  const [live, both] = await Promise.all(
    ['prompts', 'staging'].map((name) => build(bundler, files(name), numberedLock(10))),
  )
  expect(both?.code.match(/Text number/g)).toHaveLength(1)
  // In esbuild, `prompts` and `staging` are objects with their members.
  const most = bundler === 'esbuild' ? 60 : 0
  expect((both?.code.length ?? 0) - (live?.code.length ?? 0)).toBeLessThanOrEqual(most)
})

test('a dev server of Vite updates both modules when either part of a prompt changes, is added or removed', async () => {
  const code = `${BOTH}export const versions = () => [prompts, staging].map(({ greeting }) => greeting?.version)\nexport const isSame = () => staging.greeting === prompts.greeting\n`
  const lock = (live: readonly string[], staging: readonly string[] = []): Lock => {
    const part = (version: string) => ({ slug: 'greeting', version })
    return lockOf({ live: live.map(part), staging: staging.map(part) })
  }
  const root = await newApp({ 'main.js': code }, lock([], ['v0']))
  const { server } = await devServer(root)
  const serves = (versions: readonly unknown[], isSame: boolean): Promise<void> =>
    vi.waitFor(async () => {
      const main = await server.ssrLoadModule('/main.js')
      expect([main['versions'](), main['isSame']()]).toEqual([versions, isSame])
    }, SOON)
  await serves([undefined, 'v0'], false)
  await writeLock(root, lock(['v1']))
  await serves(['v1', 'v1'], true)
  await writeLock(root, lock(['v1'], ['v2']))
  await serves(['v1', 'v2'], false)
  await writeLock(root, lock(['v1'], ['v3']))
  await serves(['v1', 'v3'], false)
  await writeLock(root, lock(['v3']))
  await serves(['v3', 'v3'], true)
})
