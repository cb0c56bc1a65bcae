import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { filesIn, prompts } from '../helpers/cli.ts'
import { commitAll } from '../helpers/git-repository.ts'
import {
  appFiles,
  CONFIG,
  monorepo,
  NEW_REPLY,
  NEW_TRIAGE,
  REPLY,
  TRIAGE,
} from '../helpers/monorepo.ts'

const SITE_PLACE = { file: '../site/src/main.ts', line: 2, column: 24, slug: 'reply' }

describe('with the option `apps`, `prompts pull`', () => {
  test('writes nothing that breaks another app, and names the place in it', async () => {
    const { root, web, service } = await monorepo()
    service.serve(NEW_REPLY, TRIAGE)
    const before = await filesIn(root)
    const run = await prompts(['pull', '--json'], { cwd: web, env: service.live })
    expect(run.code).toBe(3)
    expect(JSON.parse(run.stdout)).toMatchObject({ outcome: 'declined', impact: [SITE_PLACE] })
    expect(await filesIn(root)).toEqual(before)
  })

  test('reads each prompt once, and updates the declarations and folders of all apps', async () => {
    const outDir = 'generated'
    const { root, web, service } = await monorepo({
      ...appFiles('jobs', 'export { prompts }'),
      'apps/jobs/prompts.config.json': JSON.stringify({ ...CONFIG, dts: false, outDir }),
    })
    service.serve(REPLY, NEW_TRIAGE, { slug: 'new', version: 'v1', system: 'Hi' })
    const run = await prompts(['pull', '--json'], { cwd: web, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({ outcome: 'written', reads: 3, impact: [] })
    const read = (path: string): Promise<string> => readFile(join(root, 'apps', path), 'utf8')
    expect(await read('site/prompts.d.ts')).toBe(await read('web/prompts.d.ts'))
    expect(await read('site/prompts.d.ts')).toContain('"new"')
    expect(await read('jobs/generated/definitions.js')).toContain('Sort: ')
    expect(Object.keys(await filesIn(root))).not.toContain('apps/jobs/prompts.d.ts')
  })

  test('updates live and staging versions, and the declarations of all apps follow both', async () => {
    const { root, web, service } = await monorepo()
    const env = service.both
    const staging = { version: 'v24', system: 'Sort {{ ticket }} by {{ mood }}' }
    service.serve(REPLY, { ...NEW_TRIAGE, staging })
    const run = await prompts(['pull', '--json'], { cwd: web, env })
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'written',
      changes: [{ environment: 'live' }, { environment: 'test' }],
    })
    const read = (path: string): Promise<string> => readFile(join(root, 'apps', path), 'utf8')
    expect(await read('site/prompts.d.ts')).toBe(await read('web/prompts.d.ts'))
    expect(await read('site/prompts.d.ts')).toContain('mood')
    expect((await prompts(['check'], { cwd: web, env })).code).toBe(0)
  })

  test('leaves with --skip-breaking what breaks another app', async () => {
    const { root, web, service } = await monorepo()
    service.serve(NEW_REPLY, NEW_TRIAGE)
    const run = await prompts(['pull', '--skip-breaking', '--json'], {
      cwd: web,
      env: service.live,
    })
    const { slug, ...place } = SITE_PLACE
    expect(JSON.parse(run.stdout)).toMatchObject({
      changes: [{ slug: 'triage' }],
      skipped: [{ slug, places: [place] }],
    })
    expect(await readFile(join(root, 'prompts.lock.json'), 'utf8')).toContain('Dear {{ name }}')
  })

  test('leaves with --skip-breaking a removed prompt that another app uses', async () => {
    const { web, service } = await monorepo()
    service.serve(TRIAGE)
    const run = await prompts(['pull', '--skip-breaking', '--json'], {
      cwd: web,
      env: service.live,
    })
    expect(JSON.parse(run.stdout)).toMatchObject({
      skipped: [{ slug: 'reply', places: [{ file: '../site/src/main.ts' }] }],
    })
  })

  test('edits with --fix the app that it is run in only', async () => {
    const { web, site, service } = await monorepo()
    service.serve(NEW_REPLY, { ...TRIAGE, version: 'v23', system: 'Sort {{ issue }}' })
    const renames = ['--rename', 'reply:name=person', '--rename', 'triage:ticket=issue']
    const args = ['pull', '--fix', '--allow-dirty', '--yes', '--json', ...renames]
    const run = await prompts(args, { cwd: web, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'written',
      changes: [{ slug: 'triage' }],
      edits: [{ file: 'src/main.ts' }],
      skipped: [
        {
          slug: 'reply',
          reason: 'not edited: the file is outside of the project',
          places: [{ file: '../site/src/main.ts' }],
        },
      ],
    })
    expect(await readFile(join(web, 'src/main.ts'), 'utf8')).toContain(`render({ issue: '' })`)
    expect(await readFile(join(site, 'src/main.ts'), 'utf8')).toContain(`render({ name: '' })`)
  })
})

describe('with the option `apps`', () => {
  test('`prompts diff --impact` shows what breaks in all apps', async () => {
    const { web, service } = await monorepo()
    service.serve(NEW_REPLY, { ...TRIAGE, version: 'v23', system: 'Sort {{ issue }}' })
    const run = await prompts(['diff', '--impact', '--json'], { cwd: web, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({
      impact: [SITE_PLACE, { file: 'src/main.ts', slug: 'triage' }],
    })
  })

  test('`prompts list --usage` shows the uses in all apps', async () => {
    const { web } = await monorepo()
    const { stdout } = await prompts(['list', '--usage', '--json'], { cwd: web })
    expect(JSON.parse(stdout)).toMatchObject({
      usage: {
        unused: [],
        prompts: [
          { slug: 'reply', sites: [{ file: '../site/src/main.ts' }] },
          { slug: 'triage', sites: [{ file: 'src/main.ts' }] },
        ],
      },
    })
  })

  test('`prompts check` finds stale declarations in all apps, and says how to write them', async () => {
    const { web, site } = await monorepo()
    await rm(join(site, 'prompts.d.ts'))
    const run = await prompts(['check', '--offline', '--json'], { cwd: web })
    expect(run.code).toBe(3)
    const fix = 'Run `npx prompts generate --root ../site`.'
    expect(JSON.parse(run.stdout)).toMatchObject({
      findings: [{ kind: 'declarations-missing', file: join(site, 'prompts.d.ts'), fix }],
    })
    await prompts(['generate', '--root', '../site'], { cwd: web })
    expect((await prompts(['check', '--offline'], { cwd: web })).code).toBe(0)
  })

  test('`prompts diff --base` and `restore` find the lock in the folder above', async () => {
    const { root, web, service } = await monorepo()
    commitAll(root)
    service.serve(REPLY, NEW_TRIAGE)
    await prompts(['pull'], { cwd: web, env: service.live })
    const { stdout } = await prompts(['diff', '--base', 'HEAD', '--json'], { cwd: web })
    expect(JSON.parse(stdout)).toMatchObject({ prompts: [{ slug: 'triage' }] })
    await prompts(['restore', 'triage', '--from', 'HEAD', '--yes'], { cwd: web })
    expect(await readFile(join(root, 'prompts.lock.json'), 'utf8')).toContain('Sort {{ ticket }}')
  })

  test('a folder above all apps has them by globs, and a `dts` of false writes none there', async () => {
    const { root, service } = await monorepo({
      'prompts.config.json': JSON.stringify({ apps: 'apps/*', dts: false }),
      'package.json': '{}',
    })
    service.serve(NEW_REPLY, TRIAGE)
    const run = await prompts(['pull', '--yes', '--json'], { cwd: root, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'written',
      impact: [{ ...SITE_PLACE, file: 'apps/site/src/main.ts' }],
    })
    const files = await filesIn(root)
    expect(files['apps/site/prompts.d.ts']).toContain('person')
    expect(Object.keys(files)).not.toContain('prompts.d.ts')
  })

  test('an app without a configuration is checked, and nothing is written to it', async () => {
    const { root, web, service } = await monorepo({
      'apps/tool/package.json': '{}',
      'apps/tool/tsconfig.json': APP_TSCONFIG,
      'apps/tool/src/main.ts': `import { prompts } from 'virtual:prompts'\nprompts.reply.render({ name: '' })\n`,
    })
    service.serve(NEW_REPLY, TRIAGE)
    const run = await prompts(['pull', '--yes', '--json'], { cwd: web, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({
      impact: [{ file: '../site/src/main.ts' }, { file: '../tool/src/main.ts' }],
    })
    expect(Object.keys(await filesIn(root)).filter((path) => path.includes('tool'))).toHaveLength(3)
  })

  test('a file that two apps compile is reported once', async () => {
    const include = '["src", "prompts.d.ts", "../../shared"]'
    const tsconfig = APP_TSCONFIG.replace('["src"]', include)
    const { web, service } = await monorepo({
      'apps/site/tsconfig.json': tsconfig,
      'apps/web/tsconfig.json': tsconfig,
      'shared/reply.ts': `import { prompts } from 'virtual:prompts'\nprompts.reply.render({ name: '' })\n`,
    })
    service.serve(NEW_REPLY, TRIAGE)
    const run = await prompts(['diff', '--impact', '--json'], { cwd: web, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({
      impact: [{ file: '../../shared/reply.ts' }, { file: '../site/src/main.ts' }],
    })
  })
})

test('a key beside a shared lock serves commands that run in an app, which can have its own', async () => {
  const { root, web, service } = await monorepo()
  const text = Object.entries(service.live).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(join(root, '.env.local'), text)
  const check = async (): Promise<unknown> =>
    JSON.parse((await prompts(['check', '--json'], { cwd: web })).stdout)
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
    const run = await prompts(['pull', '--json'], { cwd: web, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'declined',
      impact: [{ ...SITE_PLACE, file: '../../site/src/main.ts' }],
    })
  })

  test.each([
    ['lock', { lock: 'prompts.lock.json' }],
    ['include', { include: 'support/*' }],
  ])('is refused for an app with another `%s`, and both files are named', async (option, other) => {
    const { web, site, service } = await monorepo()
    await writeFile(join(site, 'prompts.config.json'), JSON.stringify({ ...CONFIG, ...other }))
    const run = await prompts(['pull', '--json'], { cwd: web, env: service.live })
    expect(run.code).toBe(1)
    const { error } = JSON.parse(run.stdout) as { error: { code: string; why: string } }
    expect(error.code).toBe('APP_UNFIT')
    const [source, path] = [join(web, 'prompts.config.json'), join(site, 'prompts.config.json')]
    expect(error.why).toContain(`${source} and ${path}`)
    expect(error.why).toMatch(new RegExp(`differ in:.*\\b${option}\\b`, 's'))
    expect(service.asked()).toEqual([])
  })

  test('is refused for an app without a configuration that has a lock of its own', async () => {
    const files = { 'apps/old/package.json': '{}', 'apps/old/prompts.lock.json': '{}' }
    const { root, web } = await monorepo()
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
    const run = await prompts(['list', '--usage', '--json'], { cwd: web })
    const { error } = JSON.parse(run.stdout) as { error: { code: string; why: string } }
    expect(error.code).toBe('APP_UNFIT')
    expect(error.why).toContain(join(root, 'apps/old/prompts.lock.json'))
  })

  test('is refused if a glob begins with `!`, which would leave out nothing', async () => {
    const { web } = await monorepo()
    const apps = ['../*', '!../site']
    await writeFile(join(web, 'prompts.config.json'), JSON.stringify({ ...CONFIG, apps }))
    const run = await prompts(['list', '--json'], { cwd: web })
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'OPTIONS_INVALID' } })
  })

  test('is refused if a glob matches no package, so a wrong path does not go unnoticed', async () => {
    const { web, service } = await monorepo()
    await writeFile(
      join(web, 'prompts.config.json'),
      JSON.stringify({ ...CONFIG, apps: '../sites' }),
    )
    const run = await prompts(['pull', '--json'], { cwd: web, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'APP_NOT_FOUND' } })
  })

  test('does not keep a build from its lock if the other apps are not there', async () => {
    const { web } = await monorepo()
    await writeFile(
      join(web, 'prompts.config.json'),
      JSON.stringify({ ...CONFIG, apps: '../sites' }),
    )
    expect((await prompts(['show', 'reply'], { cwd: web })).code).toBe(0)
    expect((await prompts(['generate'], { cwd: web })).code).toBe(0)
  })
})

describe('`prompts doctor`', () => {
  const BUILD = { outputs: ['dist/**'], env: ['PROMPTS_*'] }
  const SHARED =
    'Turborepo does not build apps/web, apps/site again when prompts.lock.json changes.'

  test.each<[string, object, string]>([
    ['no input', { tasks: { build: BUILD } }, SHARED],
    ['other inputs', { tasks: { build: { inputs: ['$TURBO_DEFAULT$', '../../*.md'] } } }, SHARED],
    [
      'the lock of the root as global',
      { globalDependencies: ['*.lock.json'], tasks: { build: BUILD } },
      '',
    ],
    [
      'the lock from the root',
      { tasks: { build: { ...BUILD, inputs: ['src/**', '$TURBO_ROOT$/prompts.lock.json'] } } },
      '',
    ],
    [
      'the lock from the package, and the variable as global',
      {
        globalEnv: ['PROMPTS_ENVIRONMENT'],
        tasks: { build: { inputs: ['../../prompts.lock.json'] } },
      },
      '',
    ],
    [
      'the lock, and not the variable',
      { globalDependencies: ['*.lock.json'], tasks: { build: {} } },
      SHARED.replace('prompts.lock.json', 'PROMPTS_ENVIRONMENT'),
    ],
  ])('finds whether Turborepo knows a shared lock: %s', async (_, turbo, message) => {
    const { web } = await monorepo({ 'turbo.json': `// Tasks\n${JSON.stringify(turbo)}` })
    const { code, stdout } = await prompts(['doctor', '--offline', '--json'], { cwd: web })
    const { steps } = JSON.parse(stdout) as { steps: { name: string }[] }
    expect(steps.find(({ name }) => name === 'cache')).toMatchObject(
      message === '' ? { state: 'ok' } : { state: 'error', message },
    )
    expect(code).toBe(message === '' ? 0 : 1)
  })

  test.each<[string, object]>([
    ['the inputs of the package', { extends: ['//'], tasks: { build: { inputs: ['src/**'] } } }],
    ['the default inputs', {}],
  ])('finds whether Turborepo knows the lock of one app: %s', async (_, own) => {
    const lock = 'prompts.lock.json'
    const { web } = await monorepo({
      'turbo.json': JSON.stringify({ tasks: { build: BUILD } }),
      'apps/web/turbo.json': JSON.stringify({ extends: ['//'], ...own }),
      'apps/web/prompts.config.json': JSON.stringify({ lock }),
    })
    const { stdout } = await prompts(['doctor', '--offline', '--json'], { cwd: web })
    const { steps } = JSON.parse(stdout) as { steps: { name: string; state: string }[] }
    const state = 'tasks' in own ? 'error' : 'ok'
    expect(steps.find(({ name }) => name === 'cache')).toMatchObject({ state })
  })

  test.each([
    [['^build'], 'ok'],
    [[], 'error'],
  ])(
    'finds whether apps are built after the package with the lock: %j',
    async (dependsOn, state) => {
      const { web } = await monorepo({
        'turbo.json': JSON.stringify({ tasks: { build: { ...BUILD, dependsOn } } }),
        'apps/web/prompts.config.json': JSON.stringify({ apps: '../tool' }),
        'apps/tool/package.json': '{}',
      })
      const { stdout } = await prompts(['doctor', '--offline', '--json'], { cwd: web })
      const { steps } = JSON.parse(stdout) as { steps: { name: string }[] }
      expect(steps.find(({ name }) => name === 'cache')).toMatchObject({ state })
    },
  )

  test('examines nothing of Turborepo in other projects', async () => {
    const { web } = await monorepo()
    const { stdout } = await prompts(['doctor', '--offline', '--json'], { cwd: web })
    expect(stdout).not.toContain('"cache"')
  })

  test('reports apps that do not fit as a wrong configuration', async () => {
    const { web } = await monorepo()
    await writeFile(join(web, 'prompts.config.json'), JSON.stringify({ ...CONFIG, include: 'a' }))
    const { stdout } = await prompts(['doctor', '--offline', '--json'], { cwd: web })
    const { steps } = JSON.parse(stdout) as { steps: object[] }
    expect(steps.at(-1)).toMatchObject({
      name: 'configuration',
      state: 'error',
      code: 'APP_UNFIT',
    })
  })
})
