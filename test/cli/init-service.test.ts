import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { filesIn, folderWith, prompts } from '../helpers/cli.ts'
import { testService } from '../helpers/local-service.ts'

const run = promisify(execFile)

const VITE = {
  'package.json': '{ "devDependencies": { "vite": "8", "unplugin-prompts": "*" } }\n',
  'vite.config.ts': 'export default { plugins: [] }\n',
}

const KEY = 'svc_live_0123456789ABCDEFwxyz'

describe('prompts init with a service', () => {
  test('writes the address and the key of the command line to .env.local, which git ignores', async () => {
    const service = await testService([{ slug: 'greeting', version: 'v1' }])
    const { PROMPTS_BASE_URL = '', PROMPTS_API_KEY = '' } = service.live
    const cwd = await folderWith({ ...VITE, '.env.local': 'OTHER=1\nPROMPTS_API_KEY=\n' })
    await run('git', ['init', '--quiet'], { cwd })
    const flags = ['--base-url', PROMPTS_BASE_URL, '--api-key', PROMPTS_API_KEY]
    const { stdout, stderr } = await prompts(['init', '--yes', ...flags], { cwd })
    expect(await readFile(join(cwd, '.env.local'), 'utf8')).toBe(
      `OTHER=1\nPROMPTS_API_KEY=${PROMPTS_API_KEY}\nPROMPTS_BASE_URL=${PROMPTS_BASE_URL}\n`,
    )
    expect(await run('git', ['check-ignore', '.env.local'], { cwd })).toMatchObject({
      stdout: '.env.local\n',
    })
    expect(stderr).toContain('+PROMPTS_API_KEY=[key]')
    expect(stdout + stderr).not.toContain(PROMPTS_API_KEY)
  })

  test('replaces a key that is set twice, since the last one counts', async () => {
    const lines = ['PROMPTS_API_KEY=svc_live_old', 'OTHER=1', 'PROMPTS_API_KEY=svc_live_older', '']
    const cwd = await folderWith({ ...VITE, '.env.local': lines.join('\n') })
    await prompts(['init', '--yes', '--api-key', KEY], { cwd })
    const { PROMPTS_API_KEY, OTHER } = parseEnv(await readFile(join(cwd, '.env.local'), 'utf8'))
    expect({ PROMPTS_API_KEY, OTHER }).toEqual({ PROMPTS_API_KEY: KEY, OTHER: '1' })
  })

  test('pulls from it', async () => {
    const service = await testService([{ slug: 'greeting', version: 'v1' }])
    const { PROMPTS_BASE_URL = '', PROMPTS_API_KEY = '' } = service.live
    const cwd = await folderWith(VITE)
    const flags = ['--base-url', PROMPTS_BASE_URL, '--api-key', PROMPTS_API_KEY]
    const { code, stdout } = await prompts(['init', '--yes', '--json', ...flags], { cwd })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ pulled: { outcome: 'written', prompts: 1 } })
    const again = await prompts(['init', '--yes', '--json', ...flags], { cwd })
    expect(JSON.parse(again.stdout)).toMatchObject({ changes: [], pulled: null })
  })

  test.each([
    ['with a bundler, by its module', VITE, true],
    ['without a bundler, which has no such module, not at all', { 'package.json': '{}' }, false],
  ])('shows how to import a prompt %s', async (_, files, isShown) => {
    const service = await testService([{ slug: 'greeting', version: 'v1' }])
    const cwd = await folderWith(files)
    const { stdout, stderr } = await prompts(['init', '--yes', '--no-install'], {
      cwd,
      env: service.live,
    })
    expect(stderr).toContain('Commit the lock')
    expect(stdout.includes("import { prompts } from 'virtual:prompts'")).toBe(isShown)
  })

  test('has a lock, declarations and an example to edit after --example, and repeats nothing', async () => {
    const cwd = await folderWith(VITE)
    const { code, stdout, stderr } = await prompts(['init', '--yes', '--example'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('    npx prompts serve\n')
    expect(stderr).toContain(
      'Serve the example before you run `pull`, `diff`, `check` or `doctor`.',
    )
    const files = await filesIn(cwd)
    expect(Object.keys(files)).toStrictEqual(
      expect.arrayContaining(['prompts.d.ts', 'prompts.lock.json', 'prompts.workspace.yaml']),
    )
    expect(files['.gitignore']).toContain('.env.local\n')
    await prompts(['init', '--yes', '--example'], { cwd })
    expect(await filesIn(cwd)).toStrictEqual(files)
  })

  test.each([
    [
      { slug: 'support-triage', version: 'v1', system: '{{ tone }} {{ user.name }}' },
      `prompts.supportTriage.render({ tone: '…', 'user.name': '…' })`,
    ],
    [{ slug: '3d', version: 'v1', system: 'Hello' }, `prompts['3d'].render()`],
  ])('ends with the code that renders a pinned prompt: %#', async (prompt, call) => {
    const service = await testService([prompt])
    const env = { ...service.live }
    const { stdout } = await prompts(['init', '--yes'], { cwd: await folderWith(VITE), env })
    expect(stdout).toMatch(/import \{ prompts \} from 'virtual:prompts'\n.*\n$/)
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(`    const { messages } = ${call}`)
  })

  test.each([
    { flags: ['--base-url', 'http://prompts.example.com'], error: 'BASE_URL_INVALID' },
    { flags: ['--api-key', 'secret'], error: 'KEY_KIND_UNKNOWN' },
    { flags: ['--api-key', 'svc_live_abc def'], error: 'KEY_MALFORMED' },
    {
      flags: ['--base-url', 'http://127.0.0.1:9', '--api-key', KEY],
      error: 'SERVICE_UNREACHABLE',
    },
    { flags: ['--example', '--api-key', KEY], error: 'USAGE' },
  ])('writes nothing after $flags', async ({ flags, error }) => {
    const cwd = await folderWith(VITE)
    const { code, stdout } = await prompts(['init', '--yes', '--json', ...flags], { cwd })
    expect(code).toBe(error === 'USAGE' ? 2 : 1)
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: error } })
    expect(await filesIn(cwd)).toStrictEqual(VITE)
  })
})

test('prompts init stores nothing if the service refuses the key', async () => {
  const service = await testService([{ slug: 'greeting', version: 'v1' }])
  const { PROMPTS_BASE_URL = '' } = service.live
  const cwd = await folderWith(VITE)
  const flags = ['--base-url', PROMPTS_BASE_URL, '--api-key', KEY]
  const { code, stdout } = await prompts(['init', '--yes', '--json', ...flags], { cwd })
  expect(code).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'KEY_REFUSED' } })
  expect(await filesIn(cwd)).toStrictEqual(VITE)
})

describe('prompts init in a git repository', () => {
  test('collapses the declarations in pull requests, and never the lock', async () => {
    const cwd = await folderWith({ ...VITE, '.gitattributes': '* text=auto' })
    await run('git', ['init', '--quiet'], { cwd })
    await prompts(['init', '--yes'], { cwd })
    expect(await readFile(join(cwd, '.gitattributes'), 'utf8')).toBe(
      '* text=auto\nprompts.d.ts linguist-generated=true\n',
    )
    const again = await prompts(['init', '--yes', '--json'], { cwd })
    expect(JSON.parse(again.stdout)).toMatchObject({ changes: [] })
  })

  test('has it ignore a key that somebody else wrote, before anything else is written', async () => {
    const cwd = await folderWith({ ...VITE, '.env.local': `PROMPTS_API_KEY=${KEY}\n` })
    await run('git', ['init', '--quiet'], { cwd })
    const { stdout } = await prompts(['init', '--yes', '--json'], { cwd })
    expect(JSON.parse(stdout).changes[0]).toMatchObject({ name: '.gitignore' })
    await run('git', ['add', '.'], { cwd })
    expect((await run('git', ['ls-files'], { cwd })).stdout).not.toMatch(/^\.env\.local$/m)
  })

  test('edits in a package the lists of the folders above, and creates none beside them', async () => {
    const inPackage = (files: object): Record<string, string> =>
      Object.fromEntries(
        Object.entries(files).map(([path, text]) => [`packages/app/${path}`, text]),
      )
    const lists = {
      '.gitignore': '.env*\n',
      '.prettierignore': 'dist\n',
      'biome.json': '{ "files": { "includes": ["**"] } }\n',
    }
    const root = await folderWith({ ...inPackage(VITE), ...lists })
    await run('git', ['init', '--quiet'], { cwd: root })
    const cwd = join(root, 'packages/app')
    await prompts(['init', '--yes', '--example'], { cwd })
    expect(await filesIn(root)).toMatchObject({
      '.gitignore': '.env*\nprompts.d.ts.map\n',
      '.prettierignore': 'dist\nprompts.lock.json\nprompts.d.ts\n',
      'biome.json':
        '{ "files": { "includes": ["**", "!**/prompts.lock.json", "!**/prompts.d.ts"] } }\n',
    })
    expect(Object.keys(await filesIn(cwd))).not.toContain('.gitignore')
    const again = await prompts(['init', '--yes', '--json', '--example'], { cwd })
    expect(JSON.parse(again.stdout)).toMatchObject({ changes: [] })
    const library = await folderWith({ ...lists, 'packages/core/package.json': '{}' })
    await run('git', ['init', '--quiet'], { cwd: library })
    const args = ['init', '--yes', '--no-install', '--root', 'packages/core']
    await prompts(args, { cwd: library })
    expect((await filesIn(library))['.prettierignore']).toContain('\npackages/core/prompts/**\n')
  })
})

test('prompts init suggests PROMPTS_PULL=never to a project that CI builds', async () => {
  const cwd = await folderWith({ ...VITE, '.github/workflows/ci.yml': '' })
  const { stdout } = await prompts(['init', '--dry-run'], { cwd })
  expect(stdout).toContain('    PROMPTS_PULL=never\n')
})
