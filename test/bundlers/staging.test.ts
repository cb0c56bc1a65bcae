import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { printLock } from '../../src/core/lock/print-lock.ts'
import type { PinnedPrompt } from '../../src/core/prompt.ts'
import { sha256 } from '../../src/fs/files.ts'
import { prompts } from '../helpers/cli.ts'
import { git } from '../helpers/git-repository.ts'
import { testService } from '../helpers/local-service.ts'
import { liveLock, testLock } from '../helpers/pinned.ts'
import { SOON } from '../helpers/soon.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { numberedLock, readCode, runBundle, writeApp, writeLock } from './app.ts'
import { type BundlerName, BUNDLERS } from './bundlers.ts'
import { devServer } from './vite-server.ts'

const BOTH =
  `import { prompts } from 'virtual:prompts'\n` +
  `import { prompts as staging } from 'virtual:prompts/staging'\n`

const NAMES = Object.keys(BUNDLERS) as BundlerName[]

async function writeTestLock(
  root: string,
  ...pinned: readonly Partial<PinnedPrompt>[]
): Promise<void> {
  await writeFile(join(root, 'prompts.test.lock.json'), printLock(testLock(...pinned), sha256))
}

/** Builds `main.js` and returns what it prints, and its code. */
async function build(bundler: BundlerName, root: string): Promise<{ said: unknown; code: string }> {
  const outDir = await temporaryFolder()
  await BUNDLERS[bundler]({ root, outDir, entries: { main: 'main.js' }, minify: true })
  return { said: await runBundle(join(outDir, 'main.mjs')), code: await readCode(outDir) }
}

test.each(['Vite SSR', 'webpack', 'esbuild'] as const)(
  'an edit goes from staging to some users and to live, without a network in a build (%s)',
  async (bundler) => {
    const triage = { slug: 'triage', version: 'v22', system: 'Sort {{ ticket }}.' }
    const reply = { slug: 'reply', version: 'v3', system: 'Answer the letter.' }
    const edit = { version: 'v23', system: 'Rank {{ ticket }} in a {{ tone }} tone.' }
    const service = await testService([triage, reply])
    const keys = { ...service.live, PROMPTS_TEST_API_KEY: service.test['PROMPTS_API_KEY'] ?? '' }
    const cwd = await temporaryFolder()
    const run = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await prompts(args, { cwd, env: keys })
      expect(code, stderr).toBe(0)
      return stdout
    }
    await writeApp(cwd, {
      '.gitignore': 'prompts.d.ts.map\n',
      'main.js':
        `${BOTH}const answer = (user) => {\n` +
        `  const triage = user.isEarly ? staging.triage : prompts.triage\n` +
        `  const reply = user.isEarly ? staging.reply : prompts.reply\n` +
        `  const { text } = triage.render({ ticket: 'it', tone: 'calm' })\n` +
        `  return [triage.version, text, reply.render().text]\n}\n` +
        `console.log(JSON.stringify([answer({}), answer({ isEarly: true }), staging.triage === prompts.triage]))\n`,
    })
    await run('pull')
    await run('pull', '--environment', 'test')
    git(cwd, 'init', '--quiet', '--initial-branch', 'main')
    git(cwd, 'add', '.')
    git(cwd, 'commit', '--quiet', '--message', 'base')
    const before = ['v22', 'Sort it.', 'Answer the letter.']
    expect((await build(bundler, cwd)).said).toEqual([before, before, true])

    // The author saves a staging version; a pull request pins and shows it.
    service.serve({ ...triage, staging: edit }, reply)
    await run('pull')
    const changed = git(cwd, 'diff', '--name-only').trim().split('\n')
    expect(changed).toEqual(['prompts.d.ts', 'prompts.test.lock.json'])
    const review = await run('diff', '--base', 'HEAD', '--environment', 'test')
    expect(review).toContain('v22 → v23')
    await run('check', '--offline')
    const { said, code } = await build(bundler, cwd)
    const after = ['v23', 'Rank it in a calm tone.', 'Answer the letter.']
    expect(said).toEqual([before, after, false])
    expect(code.split('Answer the letter.')).toHaveLength(2)

    // The author publishes it, and the flag changes nothing anymore.
    service.serve({ ...triage, ...edit }, reply)
    await run('pull')
    expect((await build(bundler, cwd)).said).toEqual([after, after, true])
  },
)

test.each(NAMES)(
  'a prompt that is the same in staging costs no byte of text (%s)',
  async (bundler) => {
    const lock = numberedLock(10)
    const codeOf = async (name: string): Promise<string> => {
      const root = await temporaryFolder()
      const say = `console.log(JSON.stringify([prompts.prompt6.slug, ${name}.prompt6.version]))\n`
      await writeApp(root, { 'main.js': BOTH + say }, lock)
      await writeTestLock(root, ...lock.prompts)
      return (await build(bundler, root)).code
    }
    const [live, both] = await Promise.all(['prompts', 'staging'].map(codeOf))
    expect(both?.match(/Text number/g)).toHaveLength(1)
    // In esbuild, `prompts` and `staging` are objects with their members.
    expect((both?.length ?? 0) - (live?.length ?? 0)).toBeLessThanOrEqual(
      bundler === 'esbuild' ? 60 : 0,
    )
  },
)

describe('a dev server of Vite', () => {
  test('updates both modules when either lock changes, is added or removed', async () => {
    const root = await temporaryFolder()
    const code = `${BOTH}export const versions = () => [prompts, staging].map(({ greeting }) => greeting.version)\nexport const isSame = () => staging.greeting === prompts.greeting\n`
    const lock = (version: string) => liveLock({ slug: 'greeting', version })
    await writeApp(root, { 'main.js': code }, lock('v1'))
    const { server } = await devServer(root)
    const serves = (versions: readonly string[], isSame: boolean): Promise<void> =>
      vi.waitFor(async () => {
        const main = await server.ssrLoadModule('/main.js')
        expect([main['versions'](), main['isSame']()]).toEqual([versions, isSame])
      }, SOON)
    await expect(server.ssrLoadModule('/main.js')).rejects.toThrow('[STAGING_MISSING]')
    await writeTestLock(root, { slug: 'greeting', version: 'v2' })
    await serves(['v1', 'v2'], false)
    await writeTestLock(root, { slug: 'greeting', version: 'v3' })
    await serves(['v1', 'v3'], false)
    await writeLock(root, lock('v3'))
    await serves(['v3', 'v3'], true)
    await rm(join(root, 'prompts.test.lock.json'))
    await vi.waitFor(
      () => expect(server.ssrLoadModule('/main.js')).rejects.toThrow('[STAGING_MISSING]'),
      SOON,
    )
  })
})
