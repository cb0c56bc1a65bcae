import { symlink, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { filesIn, prompts, promptsOnTerminal } from '../helpers/cli.ts'
import { testService, type TestService } from '../helpers/local-service.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'

const TRIAGE = { slug: 'support-triage', version: 'v22', system: 'Sort {{ ticket }}' }
const NEEDS_TONE = { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} in a {{ tone }} tone' }
const IDLE = { slug: 'idle', version: 'v1', system: 'Nobody reads this' }

const FILES = {
  'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
  'src/main.ts': `import { prompts } from 'virtual:prompts'
prompts.supportTriage.render({ ticket: 'T' })
`,
}

const PLACE = 'src/main.ts:2:30   support-triage   `render` needs `tone`, added in v23'

describe('prompts diff --impact', () => {
  test('shows what would stop working, and writes nothing', async () => {
    const { cwd, service } = await brokenApp()
    const before = await filesIn(cwd)
    const run = await prompts(['diff', '--impact'], { cwd, env: service.live })
    expect(run.stdout).toContain(`✖ 1 place stops working:\n  ${PLACE}\n`)
    expect(run.code).toBe(0)
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('is part of the JSON', async () => {
    const { cwd, service } = await brokenApp()
    const run = await prompts(['diff', '--impact', '--json'], { cwd, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({
      impact: [
        { file: 'src/main.ts', line: 2, column: 30, slug: 'support-triage', kind: 'compile' },
      ],
    })
  })

  test('is part of a comment for a pull request', async () => {
    const { cwd, service } = await brokenApp()
    const args = ['diff', '--impact', '--format', 'markdown']
    const { stdout } = await prompts(args, { cwd, env: service.live })
    expect(stdout).toMatch(/^<!-- unplugin-prompts -->\n### Prompts: 1 breaking\n/)
    expect(stdout).toContain('**1 place stops working**')
    expect(stdout).toContain('+Sort {{ ticket }} in a {{ tone }} tone\n')
  })

  test('says so where nothing breaks', async () => {
    const { cwd, service } = await brokenApp()
    service.serve({ ...TRIAGE, version: 'v23', system: 'Sort kindly {{ ticket }}' }, IDLE)
    const { stdout } = await prompts(['diff', '--impact'], { cwd, env: service.live })
    expect(stdout).toContain('✔ Nothing breaks in 1 file that uses prompts.\n')
  })
})

describe('prompts check --impact', () => {
  test('exits with 3 where the app would break', async () => {
    const { cwd, service } = await brokenApp()
    const run = await prompts(['check', '--impact'], { cwd, env: service.live })
    expect(run.stdout).toContain(PLACE)
    expect(run.code).toBe(3)
  })
})

describe('prompts pull, where the app would break', () => {
  test('goes on off a terminal, and says so', async () => {
    const { cwd, service } = await brokenApp()
    const run = await prompts(['pull'], { cwd, env: service.live })
    expect(run.stderr).toContain(PLACE)
    expect(run.stderr).toContain('--strict would stop here')
    expect(run.code).toBe(0)
    expect(await readFile(join(cwd, 'prompts.lock.json'), 'utf8')).toContain('"v23"')
  })

  test('stops with --strict, and writes nothing', async () => {
    const { cwd, service } = await brokenApp()
    const before = await filesIn(cwd)
    const run = await prompts(['pull', '--strict'], { cwd, env: service.live })
    expect(run.stderr).toContain(PLACE)
    expect(run.code).toBe(3)
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('asks on a terminal; no leaves the lock as it is', async () => {
    const { cwd, service } = await brokenApp()
    const before = await filesIn(cwd)
    const answer = [{ await: 'Write the lock all the same?', send: 'n' }]
    const run = await promptsOnTerminal(['pull'], { cwd, env: service.live, steps: answer })
    expect(run.code).toBe(3)
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('does not ask with --yes', async () => {
    const { cwd, service } = await brokenApp()
    const run = await promptsOnTerminal(['pull', '--yes'], { cwd, env: service.live })
    expect(run.code).toBe(0)
    expect(await readFile(join(cwd, 'prompts.lock.json'), 'utf8')).toContain('"v23"')
  })

  test('goes on where the tsconfig is broken, and says so', async () => {
    const { cwd, service } = await brokenApp()
    await writeFile(join(cwd, 'tsconfig.json'), '{ "extends": "./no.json" }')
    const run = await prompts(['pull'], { cwd, env: service.live })
    expect(run.stderr).toContain("What breaks can't be told.")
    expect(run.code).toBe(0)
  })
})

describe('prompts list --usage', () => {
  test('shows who uses what and what nobody does, without a key', async () => {
    const { cwd } = await brokenApp()
    const run = await prompts(['list', '--usage'], { cwd })
    expect(run.stdout).toMatchInlineSnapshot(`
      "support-triage
        src/main.ts:2:9   render

      ▲ Nobody uses these, which spend 1 of the 2 metered reads of a whole pull; \`exclude\` drops them:
        idle
      "
    `)
    expect(run.code).toBe(0)
  })
})

/** An app whose one call of `render` the service has moved on from. */
async function brokenApp(): Promise<{ cwd: string; service: TestService }> {
  const service = await testService([TRIAGE, IDLE])
  const cwd = await pinnedProject(service, FILES)
  const installed = join(cwd, 'node_modules/unplugin-prompts')
  await mkdir(installed, { recursive: true })
  const manifest = { name: 'unplugin-prompts', exports: { './runtime': './runtime/index.ts' } }
  await writeFile(join(installed, 'package.json'), JSON.stringify(manifest))
  await symlink(resolve(import.meta.dirname, '../../src/runtime'), join(installed, 'runtime'))
  service.serve(NEEDS_TONE, IDLE)
  return { cwd, service }
}
