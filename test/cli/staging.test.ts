import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ErrorJson } from '../../src/cli/view/json.ts'
import { REPLY } from '../helpers/breaking-update.ts'
import { filesIn, folderWith, prompts, promptsOnScreen } from '../helpers/cli.ts'
import { commitAll } from '../helpers/git-repository.ts'
import {
  type AppWithPrompts,
  appWithPrompts,
  pinnedVersions,
  servedProject,
} from '../helpers/pinned-project.ts'
import { commandsUnder } from '../helpers/workflow-page.ts'

const TRIAGE = {
  slug: 'triage',
  version: 'v22',
  system: 'Sort {{ ticket }}',
  staging: { version: 'v23', system: 'Rank {{ ticket }}' },
}
const NEW_REPLY = { ...REPLY, version: 'v4', system: 'Hello {{ name }}' }
const NEW_STAGING = { version: 'v24', system: 'Order {{ ticket }}' }

const SERVES_STAGING = { 'prompts.config.json': '{ "environment": "test" }' }

/** A project whose lock has live and staging parts. */
function project(files: Readonly<Record<string, string>> = {}): Promise<AppWithPrompts> {
  return servedProject([TRIAGE, REPLY], files, 'both')
}

async function json(args: readonly string[], call: Parameters<typeof prompts>[1]): Promise<object> {
  return (await prompts([...args, '--json'], call)).json as object
}

describe('prompts pull with both keys', () => {
  test('shows live rows before staging rows in one report, and a published version as two changes', async () => {
    const { cwd, service } = await project()
    service.serve({ ...TRIAGE, staging: NEW_STAGING }, NEW_REPLY)
    const patch = await prompts(['diff', '--format', 'patch'], { cwd, env: service.both })
    expect(patch.stdout).toContain('+++ b/triage/staging.system')
    const run = await prompts(['pull', '--report', 'report.md'], { cwd, env: service.both })
    expect(run.code).toBe(0)
    expect(run.stdout).toMatchInlineSnapshot(`
      "~ text   reply              v3 → v4     system text changed
      ~ text   triage (staging)   v23 → v24   system text changed

      2 text
      "
    `)
    expect(await pinnedVersions(cwd)).toEqual(['reply@v4', 'triage@v22', 'triage@v24+'])
    const report = await readFile(join(cwd, 'report.md'), 'utf8')
    expect(report.match(/^(?:<!--|###|\||<details|[-+]\w).*/gm)).toEqual([
      '<!-- unplugin-prompts -->',
      '### Prompts: 2 text',
      '|  | prompt | version | what |',
      '| --- | --- | --- | --- |',
      '| text | `reply` | `v3` → `v4` | system text changed |',
      '| text | `triage` (staging) | `v23` → `v24` | system text changed |',
      '<details><summary><code>reply</code></summary>',
      '-Dear {{ name }}',
      '+Hello {{ name }}',
      '<details><summary><code>triage &#40;staging&#41;</code></summary>',
      '-Rank {{ ticket }}',
      '+Order {{ ticket }}',
    ])
    service.serve({ slug: 'triage', ...NEW_STAGING }, NEW_REPLY)
    const published = await prompts(['pull'], { cwd, env: service.both })
    expect(published.stdout).toMatchInlineSnapshot(`
      "~ text       triage             v22 → v24   system text changed
      ~ settings   triage (staging)   v24         published

      1 text · 1 settings · 1 unchanged
      "
    `)
    expect(await pinnedVersions(cwd)).toEqual(['reply@v4', 'triage@v24'])
  })

  test('says when it pins the first staging versions, what differs, and how code gets them', async () => {
    const { cwd, service } = await servedProject([TRIAGE, REPLY])
    const advice = /1 prompt is staged: triage.*\n +import .* from 'virtual:prompts\/staging'/
    const first = await prompts(['pull'], { cwd, env: service.both })
    expect(first.stdout).toContain('~ text   triage (staging)   v22 → v23   system text changed')
    expect(first.stderr).toMatch(advice)
    expect((await prompts(['pull'], { cwd, env: service.both })).stderr).not.toMatch(advice)
    const whole = await prompts(['pull'], { cwd: await folderWith(), env: service.both })
    expect(whole.stdout).toMatchInlineSnapshot(`
      "+ added   reply              v3    +name
      + added   triage             v22   +ticket
      + added   triage (staging)   v23   +ticket

      3 added
      "
    `)
  })

  test('names the folder with staging where no module is virtual', async () => {
    const config = { 'prompts.config.json': '{ "dts": false, "outDir": "generated" }' }
    const { cwd, service } = await servedProject([TRIAGE], config)
    const { stderr } = await prompts(['pull'], { cwd, env: service.both })
    expect(stderr).toContain("import { prompts as staging } from './generated/staging/index.js'")
  })
})

test('prompts pull with a live key names the staging version that it does not read', async () => {
  const { cwd, service } = await project()
  service.serve({ ...TRIAGE, staging: NEW_STAGING }, NEW_REPLY)
  const args = ['pull', '--report', 'report.md']
  const run = await prompts(args, { cwd, env: service.live })
  expect(run).toMatchObject({ code: 0 })
  expect(run.stdout).toContain(
    '\n1 version not fetched without a test key: triage (staging) v23 → v24\n',
  )
  expect(await readFile(join(cwd, 'report.md'), 'utf8')).toMatch(/not pulled[^]*triage.*test key/)
  expect(await pinnedVersions(cwd)).toEqual(['reply@v4', 'triage@v22', 'triage@v23+'])
  const named = '1 version not fetched without a test key: triage (staging) v23 → v24'
  for (const command of ['check', 'diff']) {
    const { stdout, stderr } = await prompts([command], { cwd, env: service.live })
    expect(stdout + stderr).toContain(named)
  }
})

test('while an option serves staging, a pull with a live key and a check name its file', async () => {
  const { cwd, service } = await servedProject([TRIAGE, REPLY], SERVES_STAGING, 'test')
  const named = /serves staging: `environment: 'test'` in prompts\.config\.json/
  expect((await prompts(['pull'], { cwd, env: service.test })).stderr).not.toMatch(named)
  for (const env of [service.live, service.both]) {
    const run = await prompts(['pull'], { cwd, env })
    expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(named) })
  }
  expect((await prompts(['pull', 'reply'], { cwd, env: service.live })).stderr).not.toMatch(named)
  expect(await pinnedVersions(cwd)).toEqual(['reply@v3', 'triage@v22', 'triage@v23+'])
  const offline = ['check', '--offline']
  expect((await prompts(offline, { cwd })).stdout).toMatch(named)
  await rm(join(cwd, 'prompts.config.json'))
  const env = { ...service.live, PROMPTS_ENVIRONMENT: 'test' }
  expect((await prompts(['pull'], { cwd, env })).stderr).not.toContain('serves staging')
  expect((await prompts(offline, { cwd, env })).stdout).not.toContain('serves staging')
})

test('an update of staging that breaks code is written with --yes only, or left', async () => {
  const use = `import { prompts as staging } from 'virtual:prompts/staging'
export const main = (flag: boolean) =>
  (flag ? staging : prompts).triage.render({ ticket: '' })`
  const { cwd, service } = await appWithPrompts([TRIAGE, REPLY], use, {}, 'both')
  const needsTone = { version: 'v24', system: 'Rank {{ ticket }} by {{ tone }}' }
  service.serve({ ...TRIAGE, staging: needsTone }, { ...REPLY, version: 'v4' })
  const call = { cwd, env: service.both }
  const impact = [{ file: 'src/main.ts', line: 4, slug: 'triage' }]
  const before = await filesIn(cwd)
  const run = await prompts(['pull', '--json'], call)
  expect(run.code).toBe(3)
  const reply = { slug: 'reply', environment: 'live', class: 'settings' }
  const triage = { slug: 'triage', environment: 'test', class: 'breaking' }
  expect(run.json).toMatchObject({ outcome: 'declined', impact, changes: [reply, triage] })
  expect(await filesIn(cwd)).toEqual(before)
  for (const [options, changes] of [
    [['--skip-breaking'], [reply]],
    [['--fix', '--allow-dirty'], []],
  ]) {
    const left = await json(['pull', ...(options as string[])], call)
    expect(left).toMatchObject({ changes, skipped: [triage] })
    expect(await pinnedVersions(cwd)).toEqual(['reply@v4', 'triage@v22', 'triage@v23+'])
  }
  service.serve({ ...TRIAGE, staging: needsTone }, { ...REPLY, version: 'v4' })
  await prompts(['pull', '--yes'], call)
  expect(await json(['check', '--offline', '--impact'], { cwd })).toMatchObject({
    ok: false,
    impact,
  })
})

test('a held staging version stays beside an equal live one, and ends with its hold', async () => {
  const { cwd, service } = await project()
  const part = ['triage', '--environment', 'test']
  await prompts(['hold', ...part], { cwd })
  service.serve({ slug: 'triage', ...TRIAGE.staging }, REPLY)
  await prompts(['pull'], { cwd, env: service.both })
  expect(await pinnedVersions(cwd)).toEqual(['reply@v3', 'triage@v23', 'triage@v23+ ()'])
  const { stdout } = await prompts(['unhold', ...part], { cwd })
  expect(stdout).toContain('triage (staging) is no longer held.\n~ settings   triage (staging)')
  expect(await pinnedVersions(cwd)).toEqual(['reply@v3', 'triage@v23'])
})

describe('a published version that breaks code of the former one', () => {
  const STAGED = {
    ...TRIAGE,
    staging: { version: 'v23', system: 'Sort {{ ticket }} by {{ tone }}' },
  }
  const PUBLISHED = { slug: 'triage', ...STAGED.staging }
  const LIVE = "prompts.triage.render({ ticket: '' })"
  const STAGING = `import { prompts as staging } from 'virtual:prompts/staging'
staging.triage.render({ ticket: '', tone: '' })`

  async function app(code: string): Promise<AppWithPrompts> {
    const { cwd, service } = await appWithPrompts([STAGED, REPLY], code, {}, 'both')
    service.serve(PUBLISHED, NEW_REPLY, { slug: 'new' })
    return { cwd, service, env: { ...service.both, NO_COLOR: '1' } }
  }

  test.each([
    ['stays staged where code needs it', `${LIVE}\n${STAGING}`, ['triage@v22', 'triage@v23+']],
    ['is not staged any more', LIVE, ['triage@v22']],
  ])('%s if a person does not choose its live update', async (_, code, pins) => {
    const call = await app(code)
    // The safe ones are chosen. The end of the staging version is not offered.
    const steps = [{ await: 'Which prompts', send: '\r' }]
    const { output, code: exitCode } = await promptsOnScreen(['pull', '-i'], { ...call, steps })
    expect(output).toMatch(/◻ triage ✖ 1 line stops/)
    expect(output).not.toMatch(/[◻◼] triage \(staging\)/)
    expect(exitCode).toBe(0)
    expect(await pinnedVersions(call.cwd)).toEqual(['new@v22', 'reply@v4', ...pins])
  })
})

test('check names what the service lists for staging, as drift if a key reads it', async () => {
  const { cwd, service } = await project()
  service.serve({ ...TRIAGE, staging: NEW_STAGING }, REPLY)
  const [both, live] = [
    { cwd, env: service.both },
    { cwd, env: service.live },
  ]
  const check = await prompts(['check', '--json'], both)
  expect(check.code).toBe(3)
  expect(check.json).toMatchObject({
    environment: 'live',
    prompts: 2,
    findings: [{ kind: 'prompt-updated', slug: 'triage', environment: 'test' }],
    kept: [],
  })
  const unread = await prompts(['check'], live)
  expect(unread.code).toBe(0)
  expect(unread.stdout).toContain(
    'lists what is pinned, and 1 version not fetched; no text was fetched',
  )
})

describe('--environment test', () => {
  test('lists, shows and edits staging versions, and creates one by an edit', async () => {
    const { cwd } = await project({ 'text.md': 'Dear {{ name }},\n' })
    expect((await prompts(['list'], { cwd })).stdout).toMatch(/triage +v22, staging v23 /)
    expect((await prompts(['show', 'triage'], { cwd })).stdout).toMatch(/staging +v23\n/)
    const list = await json(['list', '--environment', 'test'], { cwd })
    expect(list).toMatchObject({
      environment: 'test',
      prompts: [
        { slug: 'reply', environment: 'live', version: 'v3' },
        { slug: 'triage', environment: 'test', version: 'v23' },
      ],
    })
    const show = await prompts(['show', 'triage', '--environment', 'test'], { cwd })
    expect(show.stdout).toMatch(/^triage \(staging\) +v23[^]*Rank \{\{ ticket \}\}/)
    expect((await prompts(['show', 'triage'], { cwd })).stdout).toMatch(/^triage +v22/)
    const edit = ['edit', 'reply', '--environment', 'test', '--system-file', 'text.md', '--yes']
    const part = { slug: 'reply', environment: 'test' }
    // Neither a view nor what needs no service minds the kind of a key.
    const env = { PROMPTS_ENVIRONMENT: 'test', PROMPTS_API_KEY: 'svc_live_x' }
    const edited = { ...part, version: { after: 'v3-edited' } }
    const written = { environment: 'test', changes: [edited], held: [part] }
    expect(await json(edit, { cwd, env })).toMatchObject(written)
    expect(await pinnedVersions(cwd)).toContain('reply@v3-edited+ ()')
  })

  test('is not called missing from the lock where only the live version is', async () => {
    const { cwd } = await servedProject([TRIAGE], SERVES_STAGING, 'test')
    for (const line of [
      'show triage --environment live',
      'list triage --environment live',
      'edit triage --system-file text.md',
    ]) {
      const { error } = (await json(line.split(' '), { cwd })) as ErrorJson
      const why = 'No live prompt in prompts.lock.json is called: triage'
      expect({ line, ...error }).toMatchObject({ line, code: 'SLUG_UNKNOWN', why })
    }
  })

  test('is advised where a command looks for a live version, and only staging has one', async () => {
    const { cwd } = await servedProject([TRIAGE], SERVES_STAGING, 'test')
    commitAll(cwd)
    for (const line of [
      'show triage --environment live',
      'edit triage --system-file text.md',
      'hold triage',
      'unhold triage',
      'restore triage --from HEAD',
    ])
      expect(await json(line.split(' '), { cwd }), line).toMatchObject({
        error: { code: 'SLUG_UNKNOWN', fix: 'The lock has it with `--environment test`.' },
      })
    const { error } = (await json(['hold', 'triage', 'triaje'], { cwd })) as ErrorJson
    expect(error.fix).toContain('Check the spelling')
  })

  test('holds, unholds and restores the staging version, and only that', async () => {
    const { cwd, service } = await project({ '.gitignore': '*.d.ts*\n' })
    commitAll(cwd)
    const part = ['--environment', 'test']
    const held = await json(['hold', 'triage', ...part, '--reason', 'Wait'], { cwd })
    expect(held).toMatchObject({ environment: 'test', held: [{ environment: 'test' }] })
    service.serve({ ...TRIAGE, version: 'v30', staging: NEW_STAGING }, REPLY)
    await prompts(['pull', '--yes'], { cwd, env: service.both })
    expect(await pinnedVersions(cwd)).toEqual(['reply@v3', 'triage@v30', 'triage@v23+ (Wait)'])
    const unheld = await json(['unhold', 'triage', ...part], { cwd })
    expect(unheld).toMatchObject({ unheld: ['triage'], held: [] })
    await prompts(['pull', '--yes'], { cwd, env: service.both })
    const restore = ['restore', 'triage', '--from', 'HEAD', '--yes']
    await prompts([...restore, ...part], { cwd })
    expect((await pinnedVersions(cwd)).at(-1)).toBe('triage@v23+')
    const live = await json(['hold', 'reply', ...part], { cwd })
    expect(live).toMatchObject({ error: { code: 'SLUG_UNKNOWN' } })
  })
})

test('check --impact compiles the app with the view that it serves', async () => {
  const code = "prompts.triage.render({ ticket: 'T' })"
  const staging = { version: 'v23', system: 'Sort {{ ticket }} by {{ tone }}' }
  const { cwd } = await appWithPrompts([{ ...TRIAGE, staging }], code, {}, 'both')
  const args = ['check', '--offline', '--impact', '--json']
  expect(await prompts(args, { cwd })).toMatchObject({ code: 0, json: { impact: [] } })
  const env = { PROMPTS_ENVIRONMENT: 'test', PROMPTS_API_KEY: 'svc_live_x' }
  expect(await prompts(args, { cwd, env })).toMatchObject({
    code: 3,
    json: { impact: [{ slug: 'triage', file: 'src/main.ts', line: 2 }] },
  })
})

describe('prompts diff --if-published', () => {
  const LIVE = { slug: 'triage', version: 'v22', system: 'Sort {{ ticket }}' }
  const SAFE = { version: 'v23', system: 'Rank {{ ticket }}' }
  const BREAKING = { version: 'v23', system: 'Sort {{ ticket }} by {{ tone }}' }

  const app = (): Promise<AppWithPrompts> =>
    appWithPrompts([LIVE, REPLY], "prompts.triage.render({ ticket: 'T' })")

  test('refuses a staging version that would break code, as documented, and nothing else', async () => {
    const [command = '', ...others] = commandsUnder('From staging to live')
    expect(others).toEqual([])
    const gate = command.split(' ').slice(2)
    const { cwd, service } = await app()
    const exitCode = async (): Promise<number | null> =>
      (await prompts(gate, { cwd, env: service.both })).code
    expect(await exitCode()).toBe(0)
    service.serve({ ...LIVE, staging: BREAKING }, REPLY)
    expect(await exitCode()).toBe(3)
    service.serve({ ...LIVE, staging: SAFE }, REPLY)
    expect(await exitCode()).toBe(0)
    service.serve({ ...LIVE, ...SAFE }, REPLY)
    const pull = await json(['pull'], { cwd, env: service.live })
    expect(pull).toMatchObject({ outcome: 'written', changes: [{ slug: 'triage' }] })
    expect(await exitCode()).toBe(0)
  })

  test('reads the staging versions alone, and shows them as live changes, whatever is held', async () => {
    const { cwd, service } = await app()
    await prompts(['hold', 'triage'], { cwd })
    service.serve({ ...LIVE, staging: BREAKING }, REPLY)
    const run = await prompts(['diff', '--if-published', '--impact'], { cwd, env: service.both })
    expect(run.stdout).toMatch(/✖? ?~ breaking +triage +v22 → v23 +\+tone[^]*src\/main\.ts:2/)
    expect(run.stderr).toContain('1 of 2 prompts would change in the live view')
    expect(service.asked().filter((request) => request.includes('/prompts/'))).toEqual([
      'GET /api/v1/prompts/triage 200',
    ])
  })

  test('needs a test key even where the lock has no staging versions', async () => {
    const { cwd, service } = await app()
    await writeFile(join(cwd, 'prompts.config.mjs'), 'export default { staging: false }\n')
    service.serve({ ...LIVE, staging: SAFE }, REPLY)
    expect(await json(['diff', '--if-published'], { cwd, env: service.test })).toMatchObject({
      prompts: [{ slug: 'triage', environment: 'live', version: { after: 'v23' } }],
    })
  })

  test('answers only if every staging version was read', async () => {
    const { cwd, service } = await app()
    const gate = ['diff', '--if-published', '--fail-on', 'breaking']
    const call = { cwd, env: service.live }
    expect(await prompts(gate, call)).toMatchObject({ code: 0 })
    service.serve({ ...LIVE, staging: SAFE }, REPLY)
    expect(await prompts(gate, call)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/KEY_MISSING[^]*\(staging\) v[^]*PROMPTS_TEST_API_KEY/),
    })
    expect(await prompts([...gate, 'reply'], call)).toMatchObject({ code: 0 })
  })
})
