import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, test } from 'vitest'
import { filesIn, folderWith, prompts } from '../helpers/cli.ts'
import { git } from '../helpers/git-repository.ts'
import { testService } from '../helpers/local-service.ts'

const VITE = {
  'package.json': '{ "devDependencies": { "vite": "8", "unplugin-prompts": "*" } }\n',
  'vite.config.ts': 'export default { plugins: [] }\n',
}

const KEY = 'svc_live_0123456789ABCDEFwxyz'

describe('prompts init with a service', () => {
  test('writes the address and the key of the command line to .env.local, which git ignores, and shows none of its values', async () => {
    const service = await testService([{ slug: 'greeting', version: 'v1' }])
    const { PROMPTS_BASE_URL = '', PROMPTS_API_KEY = '' } = service.live
    const env = `OTHER=sk-proj-0123456789\nPROMPTS_API_KEY=${KEY}\n`
    const cwd = await folderWith({ ...VITE, '.env.local': env })
    git(cwd, 'init', '--quiet')
    const flags = ['--base-url', PROMPTS_BASE_URL, '--api-key', PROMPTS_API_KEY]
    const { stdout, stderr } = await prompts(['init', '--yes', ...flags], { cwd })
    expect(await readFile(join(cwd, '.env.local'), 'utf8')).toBe(
      `OTHER=sk-proj-0123456789\nPROMPTS_API_KEY=${PROMPTS_API_KEY}\nPROMPTS_BASE_URL=${PROMPTS_BASE_URL}\n`,
    )
    expect(git(cwd, 'check-ignore', '.env.local')).toBe('.env.local\n')
    expect(stdout).toMatch(/~ update +\.env\.local /)
    for (const secret of [PROMPTS_API_KEY, KEY, 'sk-proj-0123456789'])
      expect(stdout + stderr).not.toContain(secret)
  })

  test('replaces a key that is set twice, also by one with a sign that begins a comment', async () => {
    const lines = ['PROMPTS_API_KEY=svc_live_old', 'OTHER=1', 'PROMPTS_API_KEY=svc_live_older', '']
    const cwd = await folderWith({ ...VITE, '.env.local': lines.join('\n') })
    const run = await prompts(['init', '--yes', '--api-key', 'svc_live_a#b'], { cwd })
    expect(run.stderr).toContain('→ Set PROMPTS_BASE_URL in .env.local')
    // It refuses a project with a key.
    expect(run.stdout).not.toContain('--example')
    const env = parseEnv(await readFile(join(cwd, '.env.local'), 'utf8'))
    expect(env).toEqual({ PROMPTS_API_KEY: 'svc_live_a#b', OTHER: '1' })
  })

  test('pulls from it, once', async () => {
    const { live } = await testService([{ slug: 'greeting', version: 'v1' }])
    const cwd = await folderWith(VITE)
    const { PROMPTS_BASE_URL = '', PROMPTS_API_KEY = '' } = live
    const flags = ['--base-url', PROMPTS_BASE_URL, '--api-key', PROMPTS_API_KEY]
    const run = await prompts(['init', '--yes', '--json', ...flags], { cwd })
    const pulled = { outcome: 'written', prompts: 1 }
    expect(run).toMatchObject({ code: 0, json: { pulled } })
    const again = await prompts(['init', '--yes', '--json', ...flags], { cwd })
    expect(again.json).toMatchObject({ changes: [], pulled: null })
  })

  test('writes a lock, declarations and an example to edit with --example, shows them, and repeats nothing', async () => {
    const cwd = await folderWith(VITE)
    const { code, stdout, stderr } = await prompts(['init', '--yes', '--example'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('    npx prompts serve\n')
    const example = (await filesIn(cwd))['prompts.workspace.yaml'] ?? ''
    expect(example).toContain('`prompts ')
    expect(stdout).toMatch(/\+ create +prompts\.workspace\.yaml /)
    expect(stderr).not.toContain(example.split('\n')[0])
    expect(stderr).toContain('Serve the example before you run `pull`, `diff` or `check`.')
    const files = await filesIn(cwd)
    expect(Object.keys(files)).toStrictEqual(
      expect.arrayContaining(['prompts.d.ts', 'prompts.lock.json', 'prompts.workspace.yaml']),
    )
    expect(files['.gitignore']).toContain('.env.local\n')
    await prompts(['init', '--yes', '--example'], { cwd })
    expect(await filesIn(cwd)).toStrictEqual(files)
  })

  test('reads the example with its own key, whatever the shell has', async () => {
    const cwd = await folderWith(VITE)
    const env = { PROMPTS_API_KEY: KEY, PROMPTS_TEST_API_KEY: KEY.replace('live', 'test') }
    const run = await prompts(['init', '--yes', '--example'], { cwd, env })
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('added') })
  })

  test('leaves the key of another service alone with --example', async () => {
    const files = { ...VITE, '.env.local': `PROMPTS_API_KEY=${KEY}\n` }
    const cwd = await folderWith(files)
    const run = await prompts(['init', '--yes', '--json', '--example'], { cwd })
    expect(run).toMatchObject({ code: 2, json: { error: { code: 'USAGE' } } })
    expect(await filesIn(cwd)).toStrictEqual(files)
  })

  test.each([
    [
      { slug: 'support-triage', version: 'v1', system: '{{ tone }} {{ user.name }}' },
      `prompts.supportTriage.render({ tone: '…', 'user.name': '…' })`,
    ],
    [{ slug: '3d', version: 'v1', system: 'Hello' }, `prompts['3d'].render()`],
  ])('ends with the code that renders a pinned prompt: %#', async (prompt, call) => {
    const { live: env } = await testService([prompt])
    const { stdout } = await prompts(['init', '--yes'], { cwd: await folderWith(VITE), env })
    expect(stdout).toMatch(/import \{ prompts \} from 'virtual:prompts'\n.*\n$/)
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(`    const { messages } = ${call}`)
  })

  test('shows no code in the root of a monorepo, where no file could import the prompts', async () => {
    const { live: env } = await testService([{ slug: 'greeting', version: 'v1' }])
    const cwd = await folderWith({ 'package.json': '{ "workspaces": ["apps/*"] }' })
    const { stdout, stderr } = await prompts(['init', '--yes', '--no-install'], { cwd, env })
    expect(stderr).toContain('root of a monorepo')
    expect(stdout).not.toContain('prompts.greeting')
  })

  test('writes nothing for an address or a key that it cannot use', async () => {
    const { live } = await testService([{ slug: 'greeting', version: 'v1' }])
    const cwd = await folderWith(VITE)
    for (const [error, ...flags] of [
      ['BASE_URL_INVALID', '--base-url', 'http://prompts.example.com'],
      ['KEY_KIND_UNKNOWN', '--api-key', 'secret'],
      ['KEY_MALFORMED', '--api-key', 'svc_live_abc def'],
      ['SERVICE_UNREACHABLE', '--base-url', 'http://127.0.0.1:9', '--api-key', KEY],
      ['KEY_REFUSED', '--base-url', live['PROMPTS_BASE_URL'] ?? '', '--api-key', KEY],
    ]) {
      const run = await prompts(['init', '--yes', '--json', ...flags], { cwd })
      expect(run).toMatchObject({ code: 1, json: { error: { code: error } } })
      expect(await filesIn(cwd)).toStrictEqual(VITE)
    }
    // A key that is stored is verified with the address, of either kind.
    for (const name of ['PROMPTS_API_KEY', 'PROMPTS_TEST_API_KEY']) {
      const files = { ...VITE, '.env.local': `${name}=${KEY}\n` }
      const stored = await folderWith(files)
      const flags = ['--base-url', live['PROMPTS_BASE_URL'] ?? '']
      const run = await prompts(['init', '--yes', '--json', ...flags], { cwd: stored })
      expect({ name, ...run }).toMatchObject({ json: { error: { code: 'KEY_REFUSED' } } })
      expect(await filesIn(stored)).toStrictEqual(files)
    }
  })
})

describe('prompts init in a git repository', () => {
  test('lets it ignore a key that somebody else wrote, before anything else is written', async () => {
    const cwd = await folderWith({ ...VITE, '.env.local': `PROMPTS_API_KEY=${KEY}\n` })
    git(cwd, 'init', '--quiet')
    const { json } = await prompts(['init', '--yes', '--json'], { cwd })
    expect(json.changes[0]).toMatchObject({ name: '.gitignore' })
    git(cwd, 'add', '.')
    expect(git(cwd, 'ls-files')).not.toMatch(/^\.env\.local$/m)
  })

  test('writes no key to a file that git commits, and says how to end that', async () => {
    const env = { '.env.local': 'OTHER=1\n' }
    const cwd = await folderWith({ ...VITE, ...env })
    git(cwd, 'init', '--quiet')
    git(cwd, 'add', '.')
    const { stdout } = await prompts(['init', '--yes', '--api-key', KEY], { cwd })
    expect(stdout).toContain('git rm --cached .env.local')
    expect(await filesIn(cwd)).toMatchObject(env)
    git(cwd, 'rm', '--quiet', '--cached', '.env.local')
    await prompts(['init', '--yes', '--api-key', KEY], { cwd })
    expect((await filesIn(cwd))['.env.local']).toContain(KEY)
  })

  test('edits in a package the list of a folder above, and creates none beside it', async () => {
    const inPackage = Object.entries(VITE).map(([path, text]) => [`packages/app/${path}`, text])
    const root = await folderWith({ ...Object.fromEntries(inPackage), '.gitignore': '.env*\n' })
    git(root, 'init', '--quiet')
    const cwd = join(root, 'packages/app')
    await prompts(['init', '--yes', '--example'], { cwd })
    expect((await filesIn(root))['.gitignore']).toBe('.env*\nprompts.d.ts.map\n')
    expect(Object.keys(await filesIn(cwd))).not.toContain('.gitignore')
    const { json } = await prompts(['init', '--yes', '--json', '--example'], { cwd })
    expect(json).toMatchObject({ changes: [] })
  })
})
