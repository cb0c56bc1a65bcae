import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { APP_TSCONFIG, installTypes } from '../helpers/app-folder.ts'
import { filesIn, folderWith, prompts } from '../helpers/cli.ts'
import { git } from '../helpers/git-repository.ts'
import { testService } from '../helpers/local-service.ts'
import { pinnedProject, servedProject } from '../helpers/pinned-project.ts'

const TRIAGE = { slug: 'support-triage', version: 'v22' }

const SOUND = {
  'package.json': '{ "devDependencies": { "unplugin-prompts": "1.0.0", "vite": "8.0.0" } }',
  'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
  '.gitignore': '.env.local\n',
}

interface Check {
  readonly name: string
  readonly state: string
  readonly code?: string
  readonly message: string
}

async function checksOf(cwd: string, env = {}, ...args: string[]): Promise<Record<string, Check>> {
  const { json } = await prompts(['check', '--all', '--json', ...args], { cwd, env })
  const { steps } = json as { steps: Check[] }
  return Object.fromEntries(steps.map((check) => [check.name, check]))
}

describe('prompts check --all', () => {
  test('reports no problem in a healthy project, and writes nothing', async () => {
    const service = await testService([TRIAGE])
    const cwd = await pinnedProject(service, {
      ...SOUND,
      '.gitignore': '.env.local\nnode_modules\n',
    })
    await installTypes(cwd)
    git(cwd, 'init', '--quiet')
    service.forget()
    const before = await filesIn(cwd)
    const { code, stdout } = await prompts(['check', '--all'], { cwd, env: service.live })
    expect({ code, stdout }).toMatchObject({ code: 0 })
    expect(stdout.match(/^\S/gm)?.filter((sign) => sign !== '✔')).toStrictEqual([])
    expect(service.asked()).toStrictEqual(['GET /api/v1/prompts 200'])
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('makes no request with --offline, masks the key, and needs none', async () => {
    const { cwd, service } = await servedProject([TRIAGE], SOUND)
    expect(await checksOf(cwd)).toMatchObject({
      key: { state: 'skipped' },
      url: { state: 'skipped' },
      service: { state: 'skipped' },
      lock: { state: 'ok' },
    })
    const key = 'svc_live_0123456789ABCDEFwxyz'
    const env = `PROMPTS_BASE_URL=${service.server.url}\nPROMPTS_API_KEY=${key}\n`
    await writeFile(join(cwd, '.env.local'), env)
    const { stdout } = await prompts(['check', '--all', '--offline'], { cwd })
    expect(stdout).toContain('svc_live_…wxyz from PROMPTS_API_KEY in .env.local')
    expect(stdout).toContain(`${service.server.url} from PROMPTS_BASE_URL in .env.local`)
    expect(stdout).not.toContain(key)
    expect(service.asked()).toStrictEqual([])
    const open = "{ name: 'Own', secrets: [], list: () => [], get: () => null }"
    await writeFile(join(cwd, 'prompts.config.mjs'), `export default { service: ${open} }`)
    expect(await checksOf(cwd)).not.toHaveProperty('key')
  })

  test('exits with 1 and names the problems: no lock, key rejected', async () => {
    const service = await testService([TRIAGE])
    const cwd = await folderWith(SOUND)
    const env = { ...service.live, PROMPTS_API_KEY: 'svc_live_wrong' }
    expect(await prompts(['check', '--all'], { cwd, env })).toMatchObject({ code: 1 })
    expect(await checksOf(cwd, env)).toMatchObject({
      service: { state: 'error', code: 'KEY_REFUSED' },
      lock: { state: 'error' },
      git: { state: 'skipped' },
    })
  })

  test('reports a configuration that cannot be loaded or has unknown or invalid options', async () => {
    const cwd = await folderWith({ ...SOUND, 'prompts.config.ts': 'export default {' })
    const { configuration } = await checksOf(cwd)
    expect(configuration).toMatchObject({ state: 'error', code: 'CONFIG_UNREADABLE' })
    expect(configuration?.message).toMatch(/\nCause: ./)
    const unknown = await folderWith({
      ...SOUND,
      'prompts.config.ts': 'export default { dtss: 1 }',
    })
    const { stderr } = await prompts(['check', '--all'], { cwd: unknown })
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(/Did you mean dts\? The options are baseUrl, /)
    const invalid = await folderWith({ 'prompts.config.json': '{ "pull": "often" }' })
    const { code, json } = await prompts(['check', '--all', '--json'], { cwd: invalid })
    expect(code).toBe(1)
    expect(json).toMatchObject({
      ok: false,
      steps: [
        { name: 'node', state: 'ok' },
        { name: 'package', state: 'warning' },
        { name: 'configuration', state: 'error', code: 'OPTIONS_INVALID' },
      ],
    })
  })

  test('names the secrets of a service that no variable has', async () => {
    const service = "{ name: 'Own', secrets: ['A_KEY', 'B_KEY'], list: () => [], get: () => null }"
    const config = { 'prompts.config.js': `export default { service: ${service} }` }
    const cwd = await folderWith({ ...SOUND, ...config })
    const { key } = await checksOf(cwd, { A_KEY: 'secret-of-a-service' }, '--offline')
    expect(key).toMatchObject({ state: 'skipped', message: expect.stringMatching(/^no B_KEY:/) })
  })

  test('names files that import prompts and that no tsconfig has, in an app that has one', async () => {
    const service = await testService([TRIAGE])
    const code = "import { prompts } from 'virtual:prompts'\nprompts.supportTriage.render()\n"
    const code2 = { 'src/main.ts': code, 'server/index.ts': code, 'server/other.ts': '' }
    const cwd = await pinnedProject(service, { ...SOUND, ...code2 })
    await installTypes(cwd)
    const run = await prompts(['check', '--all', '--offline'], { cwd })
    expect(run.stdout).toContain('in no tsconfig.json:\n  server/index.ts\n')
    expect(run.stdout).toContain('--import unplugin-prompts/register')
    const { json } = await prompts(['check', '--all', '--offline', '--json'], { cwd })
    expect(json).toMatchObject({ strays: ['server/index.ts'], impact: [] })
    await rm(join(cwd, 'tsconfig.json'))
    const without = await prompts(['check', '--all', '--offline', '--json'], { cwd })
    expect(without.json).toMatchObject({ strays: [], impact: [] })
  })

  test('finds a key file that git would commit, a lock that it ignores, and an edited prompt', async () => {
    const { cwd } = await servedProject([TRIAGE], {
      ...SOUND,
      '.gitignore': '',
      '.env.local': 'A=1',
    })
    git(cwd, 'init', '--quiet')
    expect(await checksOf(cwd)).toMatchObject({ git: { state: 'error' } })
    await writeFile(join(cwd, '.gitignore'), '.env.local\nprompts.d.ts\n')
    expect(await checksOf(cwd)).toMatchObject({ git: { state: 'ok' } })
    await writeFile(join(cwd, '.gitignore'), '.env.local\n*.json\n')
    expect(await checksOf(cwd)).toMatchObject({
      git: { state: 'error', message: expect.stringContaining('prompts.lock.json') },
    })
    await writeFile(join(cwd, '.gitignore'), '.env.local\n')
    await writeFile(join(cwd, '.env'), 'PROMPTS_API_KEY=svc_live_Abc123Def456Ghi789\n')
    for (const env of [{}, { PROMPTS_API_KEY: 'svc_live_0123456789abcdefXYZ' }])
      expect(await checksOf(cwd, env)).toMatchObject({
        git: { state: 'error', message: expect.stringMatching(/not ignore \.env,/) },
      })
    await writeFile(join(cwd, '.gitignore'), '.env*\n')
    expect(await checksOf(cwd)).toMatchObject({
      git: { message: '.env.local and .env are ignored' },
    })
    const path = join(cwd, 'prompts.lock.json')
    await writeFile(path, (await readFile(path, 'utf8')).replace('"v22"', '"v21"'))
    git(cwd, 'add', '--force', path)
    expect(await checksOf(cwd)).toMatchObject({
      git: { state: 'ok' },
      lock: { message: expect.stringMatching(/support-triage .*\(line \d+\)/) },
    })
  })
})
