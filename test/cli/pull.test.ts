import { existsSync, watch, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { installTypes } from '../helpers/app-folder.ts'
import { finished } from '../helpers/binary.ts'
import { filesIn, folderWith, prompts, promptsOnScreen, start } from '../helpers/cli.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { testService } from '../helpers/local-service.ts'
import { pinnedProject, servedProject } from '../helpers/pinned-project.ts'

const TRIAGE = { slug: 'support-triage', version: 'v22', user: '{{ ticket }}' }
const REPLY = { slug: 'support-reply', version: 'v3', user: 'Dear {{ name }}: {{ ticket }}' }
const SQL = { slug: 'sql-explainer', folder: 'engineering', version: 'v1' }

describe('prompts pull', () => {
  test('writes lock and declarations, the changes on stdout and the ending on stderr', async () => {
    const { live: env } = await testService([TRIAGE, SQL])
    const cwd = await folderWith()
    const run = await prompts(['pull'], { cwd, env })
    expect(run.code).toBe(0)
    expect(run.stdout).toMatchInlineSnapshot(`
      "+ added   sql-explainer    v1    no variables
      + added   support-triage   v22   +ticket

      2 added
      "
    `)
    expect(run.stderr.replace(/http:\S+/, 'URL')).toMatchInlineSnapshot(`
      "Pulling from URL

      ✔ Wrote prompts.lock.json and prompts.d.ts. 2 prompts fetched · plan status “trialing”
      "
    `)
    const names = ['prompts.d.ts', 'prompts.d.ts.map', 'prompts.lock.json']
    expect(Object.keys(await filesIn(cwd))).toEqual(names)
  })

  test('says on Ctrl-C what it has written if it does not write the rest', async () => {
    const { live: env } = await testService([TRIAGE])
    const cwd = await folderWith()
    const running = start(['pull'], { cwd, env })
    const watcher = watch(cwd, () => {
      if (!existsSync(join(cwd, 'prompts.d.ts'))) return
      watcher.close()
      writeFileSync(join(cwd, 'prompts.lock.json'), 'of another pull')
      running.kill('SIGINT')
    })
    const { code, stderr } = await finished(running)
    expect(code).toBe(1)
    expect(stderr).toContain('FILE_CHANGED')
    expect(stderr).toContain('prompts.d.ts')
    expect(stderr).not.toContain('Nothing was written')
  })

  test('names the folder from which declarations do not find the types of the package', async () => {
    const { live: env } = await testService([TRIAGE])
    const cwd = await folderWith({
      'apps/web/prompts.config.json': '{ "dts": "../../types/prompts.d.ts" }',
      'types/README.md': '',
    })
    const call = { cwd: join(cwd, 'apps/web'), env }
    // Where nothing is installed, nothing is known.
    expect((await prompts(['pull'], call)).stderr).not.toContain('TypeScript')
    await installTypes(join(cwd, 'apps/web'))
    const shown = async (...args: string[]): Promise<string> =>
      (await prompts(args, call)).stderr.replaceAll(/\s+/g, ' ')
    const why = /prompts\.d\.ts imports types .* can't find from \S*types: every prompt is `any`/
    expect(await shown('pull')).toMatch(why)
    expect(await shown('generate')).toMatch(why)
    expect(await shown('generate', '--out-dir', '../../lib')).toMatch(/can't find from \S*lib: /)
    expect(await shown('generate', '--out-dir', 'lib')).not.toContain('TypeScript')
  })

  test('shows versions, contract changes, likely renames, settings and removed prompts', async () => {
    const rewritten = { slug: 'rewritten', version: 'v2' }
    const before = [TRIAGE, REPLY, SQL, rewritten, { slug: 'gone', version: 'v1' }]
    const service = await testService(before)
    const config = { 'prompts.config.js': "export default { outDir: 'src/prompts' }" }
    const cwd = await pinnedProject(service, config)
    service.serve(
      { ...TRIAGE, version: 'v23', user: '{{ ticket }} in a {{ tone }} tone' },
      { ...REPLY, version: 'v4', user: 'Dear {{ customer_name }}: {{ ticket }}' },
      { ...SQL, temperature: 0.5 },
      { ...rewritten, system: 'Be brief.' },
      { slug: 'new', version: 'v1' },
    )
    const run = await prompts(['pull'], { cwd, env: service.live })
    expect(run.stdout).toMatchInlineSnapshot(`
      "- contract   gone             v1 → gone   removed
      + added      new              v1          no variables
      ~ text       rewritten        v2          system text rewritten under the same label
      ~ settings   sql-explainer    v1          temperature 0.2 → 0.5
      ~ contract   support-reply    v3 → v4     name → customer_name (renamed?), user text changed
      ~ contract   support-triage   v22 → v23   +tone, user text changed

      3 contract · 1 text · 1 settings · 1 added
      "
    `)
    expect(run.stderr).toContain('✔ Wrote prompts.lock.json, prompts.d.ts, and src/prompts. ')
  })

  test('calls up to date what it has read, and names a file that it has written besides the lock', async () => {
    const service = await testService([SQL, TRIAGE])
    const call = { cwd: await folderWith(), env: service.live }
    await prompts(['pull'], call)
    service.serve({ ...SQL, system: 'Rewritten' }, TRIAGE)
    for (const [end, ...args] of [
      ['is unchanged. 1 prompt fetched', TRIAGE.slug],
      ['is unchanged. 0 prompts fetched', '--changed'],
    ]) {
      const { stderr } = await prompts(['pull', ...args], call)
      expect(stderr).toContain(`✔ prompts.lock.json ${end}`)
    }
    await prompts(['pull'], call)
    await prompts(['hold', SQL.slug], call)
    for (const args of [['pull'], ['hold', SQL.slug]]) {
      await rm(join(call.cwd, 'prompts.d.ts'))
      if (args[0] === 'hold') service.serve()
      const { stderr } = await prompts(args, call)
      expect(stderr).toMatch(/^✔ Wrote .*prompts\.d\.ts\./m)
      expect((await prompts(args, call)).stderr).toContain('prompts.lock.json is')
    }
  })

  test('shows all notes in one line, once', async () => {
    const { live: env } = await testService([
      { ...SQL, system: 'One\n{{#if x}} {{}} {{' },
      { ...TRIAGE, user: '{{'.repeat(25_000) },
    ])
    const cwd = await folderWith()
    const { stdout } = await prompts(['pull'], { cwd, env })
    expect(stdout.slice(stdout.indexOf('▲'))).toMatchInlineSnapshot(`
      "▲ sql-explainer, system 2:1: \`{{#if x}}\` is not a variable; it stays as text, and 25,002 more notes
      "
    `)
    const again = await prompts(['pull', '--json'], { cwd, env })
    expect(again.json).toMatchObject({ unchanged: 2, notes: [] })
    const first = await prompts(['pull', '--json'], { cwd: await folderWith(), env })
    expect(first).toMatchObject({ code: 0, stderr: '' })
    const note = { field: 'system', line: 2, column: 1, kind: 'foreign', excerpt: '{{#if x}}' }
    expect(first.json).toMatchObject({
      outcome: 'written',
      notes: [{ slug: SQL.slug, count: 3, first: [note, {}, {}] }, { count: 25_000 }],
      planStatus: 'trialing',
      reads: 2,
      lists: 2,
    })
  })

  test('shows the first ten variables of a prompt, each cut to a line', async () => {
    const many = Array.from({ length: 2000 }, (_, index) => `{{ v${index} }}`).join('')
    const service = await testService([{ ...SQL, system: many }, TRIAGE])
    const cwd = await folderWith()
    const first = await prompts(['pull'], { cwd, env: service.live })
    expect(first.stdout).toMatch(/\+v8, \+v9, .*1,990/)
    service.serve({ ...SQL, system: `{{ ${'x'.repeat(100_000)} }}` }, TRIAGE)
    const second = await prompts(['pull'], { cwd, env: service.live })
    expect(second.stdout).toMatch(/-v9, … and 1,991 more/)
    expect(first.stdout.length + second.stdout.length).toBeLessThan(1000)
  })

  test('counts only, from the 21st added prompt on, and shows slugs that share an identifier', async () => {
    const slugs = ['a-b', 'a_b', ...Array.from({ length: 23 }, (_, index) => `p${index}`)]
    const { live: env } = await testService(slugs.map((slug) => ({ slug, version: 'v1' })))
    const { stdout } = await prompts(['pull'], { cwd: await folderWith(), env })
    expect(stdout.match(/^\+ added/gm)).toHaveLength(20)
    expect(stdout).toContain('… and 5 more added\n\n25 added\n')
    expect(stdout).toContain(
      '▲ prompts.aB could be a-b and a_b, so it is neither: use the slugs.\n',
    )
  })

  test('refuses an empty workspace, unless --allow-replace', async () => {
    const { cwd, env, service } = await servedProject([TRIAGE])
    const before = await filesIn(cwd)
    service.serve()
    const refused = await prompts(['pull'], { cwd, env })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('PULL_EMPTY') })
    expect(await filesIn(cwd)).toStrictEqual(before)
    const run = await prompts(['pull', '--allow-replace', '--json'], { cwd, env })
    expect(run).toMatchObject({ code: 0, json: { changes: [{ kind: 'removed' }] } })
  })

  test('asks on a terminal before another workspace replaces all prompts', async () => {
    const slugs = ['a', 'b', 'c'].map((slug) => ({ slug, version: 'v1', system: 'x' }))
    const { cwd, service } = await servedProject(slugs)
    const before = await filesIn(cwd)
    service.serve(TRIAGE)
    const call = { cwd, env: service.live }
    const refused = await prompts(['pull', '--yes'], call)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('PULL_UNRELATED') })
    const no = [{ await: 'Replace the whole lock?', send: '\r' }]
    expect((await promptsOnScreen(['pull', '--yes'], { ...call, steps: no })).code).toBe(1)
    expect(await filesIn(cwd)).toStrictEqual(before)
    const yes = [{ await: 'Replace the whole lock?', send: 'y' }]
    const run = await promptsOnScreen(['pull', '--yes'], { ...call, steps: yes })
    expect(run).toMatchObject({ code: 0, output: expect.stringContaining('Wrote') })
  })

  test('works in the folder of --root, with the key of the .env file of --mode', async () => {
    const { live } = await testService([TRIAGE])
    const cwd = await folderWith({
      'app/.env.staging': `PROMPTS_API_KEY=${live['PROMPTS_API_KEY']}\n`,
    })
    const env = { PROMPTS_BASE_URL: live['PROMPTS_BASE_URL'] ?? '' }
    const keyless = await prompts(['pull', '--root', 'app'], { cwd, env })
    expect(keyless).toMatchObject({ code: 1, stderr: expect.stringContaining('KEY_MISSING') })
    const run = await prompts(['pull', '--root', 'app', '--mode=staging'], { cwd, env })
    expect(run.code).toBe(0)
    expect(Object.keys(await filesIn(join(cwd, 'app')))).toEqual(
      expect.arrayContaining(['prompts.d.ts', 'prompts.lock.json']),
    )
  })
})

test.each([['--skip-breaking'], ['--report', 'report.md']])(
  'prompts pull %s updates a lock and creates none, and names those of other folders',
  async (...options) => {
    const service = await testService([TRIAGE])
    const files = { 'package.json': '{}', 'app/package.json': '{}' }
    const root = await pinnedProject(service, files, 'live', 'app')
    commitAll(root)
    const before = await filesIn(root)
    expect(await prompts(['pull', ...options], { cwd: root, env: service.live })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/LOCK_MISSING[^]*: app\/prompts\.lock\.json\n/),
    })
    expect(await filesIn(root)).toEqual(before)
  },
)
