import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { APP_TSCONFIG, installTypes } from '../../helpers/app-folder.ts'
import { REPLY, TRIAGE } from '../../helpers/breaking-update.ts'
import { filesIn, prompts } from '../../helpers/cli.ts'
import { type GivenPrompt, testService } from '../../helpers/local-service.ts'
import { pinnedProject } from '../../helpers/pinned-project.ts'

const NEW_REPLY: GivenPrompt = { ...REPLY, version: 'v4', system: 'Dear {{ person }}' }
const NEW_TRIAGE: GivenPrompt = { ...TRIAGE, version: 'v23', system: 'Sort: {{ ticket }}' }

const CONFIG = { lock: '../../prompts.lock.json', apps: '../*' }

/**
 * A monorepo whose two apps use one lock: `apps/web` uses `triage`, `apps/site` uses `reply`.
 *
 * @param more - other files, or other texts of these
 */
async function monorepo(more: Readonly<Record<string, string>> = {}) {
  const service = await testService([REPLY, TRIAGE])
  const files = {
    ...appFiles('web', `prompts.triage.render({ ticket: '' })`),
    ...appFiles('site', `prompts.reply.render({ name: '' })`),
    ...more,
  }
  const root = await pinnedProject(service, files, 'live', 'apps/web')
  await installTypes(root)
  return { root, web: join(root, 'apps/web'), site: join(root, 'apps/site'), service }
}

function appFiles(name: string, code: string): Record<string, string> {
  return {
    [`apps/${name}/package.json`]: '{ "type": "module" }',
    [`apps/${name}/prompts.config.json`]: JSON.stringify(CONFIG),
    [`apps/${name}/tsconfig.json`]: APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
    [`apps/${name}/src/main.ts`]: `import { prompts } from 'virtual:prompts'\n${code}\n`,
  }
}

const SITE_PLACE = { file: '../site/src/main.ts', line: 2, column: 24, slug: 'reply' }

describe('with the option `apps`, `prompts pull`', () => {
  test('writes nothing that breaks another app, and leaves it with --skip-breaking', async () => {
    const { root, web, service } = await monorepo()
    const call = { cwd: web, env: service.live }
    service.serve(NEW_REPLY, NEW_TRIAGE)
    const before = await filesIn(root)
    const run = await prompts(['pull', '--json'], call)
    expect(run.code).toBe(3)
    expect(run.json).toMatchObject({ outcome: 'declined', impact: [SITE_PLACE] })
    expect(await filesIn(root)).toEqual(before)
    const { slug, ...place } = SITE_PLACE
    expect((await prompts(['pull', '--skip-breaking', '--json'], call)).json).toMatchObject({
      changes: [{ slug: 'triage' }],
      skipped: [{ slug, places: [place] }],
    })
    expect(await readFile(join(root, 'prompts.lock.json'), 'utf8')).toContain('Dear {{ name }}')
    service.serve(NEW_TRIAGE)
    expect((await prompts(['pull', '--skip-breaking', '--json'], call)).json).toMatchObject({
      skipped: [{ slug, kind: 'removed', places: [{ file: place.file }] }],
    })
  })

  test('reads each version once, and updates the declarations and folders of all apps', async () => {
    const outDir = 'generated'
    const { root, web, service } = await monorepo({
      ...appFiles('jobs', 'export { prompts }'),
      'apps/jobs/prompts.config.json': JSON.stringify({ ...CONFIG, dts: false, outDir }),
    })
    const call = { cwd: web, env: service.both }
    const staging = { version: 'v24', system: 'Sort {{ ticket }} by {{ mood }}' }
    const added = { slug: 'new', version: 'v1', system: 'Hi' }
    service.serve(REPLY, { ...NEW_TRIAGE, staging }, added)
    const { json } = await prompts(['pull', '--json'], call)
    expect(json).toMatchObject({ outcome: 'written', reads: 4, impact: [] })
    const files = await filesIn(root)
    expect(files['apps/site/prompts.d.ts']).toBe(files['apps/web/prompts.d.ts'])
    expect(files['apps/site/prompts.d.ts']).toMatch(/"new".*mood/s)
    expect(files['apps/jobs/generated/definitions.js']).toContain('Sort: ')
    expect(files).not.toHaveProperty(['apps/jobs/prompts.d.ts'])
    expect((await prompts(['check'], call)).code).toBe(0)
  })
})

describe('with the option `apps`', () => {
  test('`prompts check` finds stale declarations in all apps, and says how to write them', async () => {
    const { web, site } = await monorepo()
    await rm(join(site, 'prompts.d.ts'))
    const run = await prompts(['check', '--offline', '--json'], { cwd: web })
    const fix = `Run \`npx prompts generate --root ${site}\`.`
    const findings = [{ kind: 'declarations-missing', file: join(site, 'prompts.d.ts'), fix }]
    expect(run).toMatchObject({ code: 3, json: { findings } })
    await prompts(['generate', '--root', site], { cwd: web })
    expect((await prompts(['check', '--offline'], { cwd: web })).code).toBe(0)
  })

  test('an app without a configuration is checked and left; a shared file is reported once', async () => {
    const include = '["src", "prompts.d.ts", "../../shared"]'
    const tsconfig = APP_TSCONFIG.replace('["src"]', include)
    const use = `import { prompts } from 'virtual:prompts'\nprompts.reply.render({ name: '' })\n`
    const { root, web, service } = await monorepo({
      'apps/site/tsconfig.json': tsconfig,
      'apps/web/tsconfig.json': tsconfig,
      'shared/reply.ts': use,
      'apps/tool/package.json': '{}',
      'apps/tool/tsconfig.json': APP_TSCONFIG,
      'apps/tool/src/main.ts': use,
    })
    service.serve(NEW_REPLY, TRIAGE)
    const { json } = await prompts(['pull', '--yes', '--json'], { cwd: web, env: service.live })
    expect(json.impact.map(({ file }: { file: string }) => file)).toEqual([
      '../../shared/reply.ts',
      '../site/src/main.ts',
      '../tool/src/main.ts',
    ])
    expect(Object.keys(await filesIn(root)).filter((path) => path.includes('tool'))).toHaveLength(3)
  })
})

test('a key beside a shared lock serves commands that run in an app, which can have its own', async () => {
  const { root, web, service } = await monorepo()
  const text = Object.entries(service.live).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(join(root, '.env.local'), text)
  const check = async (): Promise<object> => (await prompts(['check', '--json'], { cwd: web })).json
  expect(await check()).not.toHaveProperty('error')
  await writeFile(join(web, '.env'), 'PROMPTS_API_KEY=svc_live_other\n')
  expect(await check()).toMatchObject({
    error: { code: 'KEY_REFUSED', why: expect.stringContaining('PROMPTS_API_KEY in .env (') },
  })
  await writeFile(join(root, '.env.local'), [...text, 'PROMPTS_API_KEY=no key\n'])
  await rm(join(web, '.env'))
  expect(await check()).toMatchObject({
    error: { code: 'KEY_MALFORMED', why: expect.stringContaining('../../.env.local') },
  })
})

describe('the option `apps`', () => {
  test('follows links to packages, once for each package and without end', async () => {
    const { root, web, site, service } = await monorepo()
    await rename(site, join(root, 'site'))
    await symlink(join(root, 'site'), site)
    await symlink(join(root, 'site'), join(root, 'apps/again'))
    await symlink(join(root, 'apps'), join(root, 'site/apps'))
    const text = (apps: string): string => JSON.stringify({ ...CONFIG, apps })
    await writeFile(join(web, 'prompts.config.json'), text('../**'))
    const lock = '../prompts.lock.json'
    await writeFile(join(root, 'site/prompts.config.json'), JSON.stringify({ ...CONFIG, lock }))
    service.serve(NEW_REPLY, TRIAGE)
    const { json } = await prompts(['pull', '--json'], { cwd: web, env: service.live })
    const impact = [{ ...SITE_PLACE, file: '../../site/src/main.ts' }]
    expect(json).toMatchObject({ outcome: 'declined', impact })
  })

  test('has no app with another lock or selection, and both configurations are named', async () => {
    const { root, web, site, service } = await monorepo()
    const [source, path] = [join(web, 'prompts.config.json'), join(site, 'prompts.config.json')]
    for (const [option, other] of Object.entries({
      lock: { lock: 'prompts.lock.json' },
      include: { include: 'support/*' },
    })) {
      await writeFile(path, JSON.stringify({ ...CONFIG, ...other }))
      const run = await prompts(['pull', '--json'], { cwd: web, env: service.live })
      expect(run).toMatchObject({ code: 1, json: { error: { code: 'APP_UNFIT' } } })
      expect(run.json.error.why).toContain(`${source} and ${path}`)
      expect(run.json.error.why).toMatch(new RegExp(`differ in:.*\\b${option}\\b`, 's'))
    }
    expect(service.asked()).toEqual([])
    const all = await prompts(['check', '--all', '--offline', '--json'], { cwd: web })
    const unfit = { name: 'configuration', state: 'error', code: 'APP_UNFIT' }
    expect(all.json.steps.at(-1)).toMatchObject(unfit)
    await writeFile(path, JSON.stringify(CONFIG))
    await mkdir(join(root, 'apps/old'))
    await writeFile(join(root, 'apps/old/package.json'), '{}')
    await writeFile(join(root, 'apps/old/prompts.lock.json'), '{}')
    const { json } = await prompts(['list', '--usage', '--json'], { cwd: web })
    const why = expect.stringContaining(join(root, 'apps/old/prompts.lock.json'))
    expect(json).toMatchObject({ error: { code: 'APP_UNFIT', why } })
  })

  test('has no glob that leaves out an app or matches none, which builds need not know', async () => {
    const { web, service } = await monorepo()
    const call = { cwd: web, env: service.live }
    const configure = (apps: unknown): Promise<void> =>
      writeFile(join(web, 'prompts.config.json'), JSON.stringify({ ...CONFIG, apps }))
    await configure(['../*', '!../site'])
    const invalid = { error: { code: 'OPTIONS_INVALID' } }
    expect((await prompts(['list', '--json'], call)).json).toMatchObject(invalid)
    await configure('../sites')
    const missing = { error: { code: 'APP_NOT_FOUND' } }
    expect((await prompts(['pull', '--json'], call)).json).toMatchObject(missing)
    expect((await prompts(['show', 'reply'], call)).code).toBe(0)
    expect((await prompts(['generate'], call)).code).toBe(0)
  })
})
