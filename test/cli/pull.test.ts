import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesIn, folderWith, prompts, promptsOnScreen, transcript } from '../helpers/cli.ts'
import { testService } from '../helpers/local-service.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'

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

      ✔ Wrote prompts.lock.json and prompts.d.ts. 2 reads · plan status “trialing”
      "
    `)
    expect(Object.keys(await filesIn(cwd))).toContain('prompts.lock.json')
    expect(Object.keys(await filesIn(cwd))).toContain('prompts.d.ts')
  })

  test('of two at once, one writes the lock and the other is refused with exit code 1', async () => {
    const service = await testService([TRIAGE, SQL], { latency: 20 })
    const cwd = await folderWith()
    const call = { cwd, env: service.live }
    const runs = await Promise.all([1, 2].map(() => prompts(['pull', '--json'], call)))
    const results = runs.map(({ code, stdout }) => {
      const { outcome, error } = JSON.parse(stdout)
      return [code, outcome ?? error.code]
    })
    expect(results.toSorted()).toEqual([
      [0, 'written'],
      [1, 'LOCK_CHANGED'],
    ])
    const one = await pinnedProject(service)
    expect(await filesIn(cwd)).toStrictEqual(await filesIn(one))
  })

  test('names a place for declarations that TypeScript does not find', async () => {
    const { live: env } = await testService([TRIAGE])
    const tsconfig = { 'tsconfig.json': '{ "include": ["src"] }', 'src/main.ts': '' }
    const cwd = await folderWith(tsconfig)
    const unseen = await prompts(['pull'], { cwd, env })
    expect(unseen.code).toBe(0)
    expect(transcript(unseen, cwd)).toMatchSnapshot('unseen')
    const coloured = await prompts(['pull'], {
      cwd: await folderWith(tsconfig),
      env: { ...env, FORCE_COLOR: '1' },
    })
    expect(coloured.stderr).toContain('\u001b[36mFix:\u001b[39m Set `dts')
    const config = "export default { dts: 'src/prompts.d.ts' }\n"
    const seeing = await folderWith({ ...tsconfig, 'prompts.config.js': config })
    const seen = await prompts(['pull'], { cwd: seeing, env })
    expect(seen.stderr).not.toContain('tsconfig')
  })

  test('shows versions, contract changes, likely renames, settings and removed prompts', async () => {
    const service = await testService([TRIAGE, REPLY, SQL, { slug: 'gone', version: 'v1' }])
    const cwd = await pinnedProject(service)
    service.serve(
      { ...TRIAGE, version: 'v23', user: '{{ ticket }} in a {{ tone }} tone' },
      { ...REPLY, version: 'v4', user: 'Dear {{ customer_name }}: {{ ticket }}' },
      { ...SQL, temperature: 0.5 },
      { slug: 'new', version: 'v1' },
    )
    const run = await prompts(['pull'], { cwd, env: service.live })
    expect(run.stdout).toMatchInlineSnapshot(`
      "- contract   gone             v1 → gone   removed
      + added      new              v1          no variables
      ~ settings   sql-explainer    v1          temperature 0.2 → 0.5
      ~ contract   support-reply    v3 → v4     name → customer_name (renamed?), user text
      ~ contract   support-triage   v22 → v23   +tone, user text

      3 contract · 1 settings · 1 added
      "
    `)
  })

  test('reports a text that was rewritten under the same version', async () => {
    const service = await testService([TRIAGE])
    const cwd = await pinnedProject(service)
    service.serve({ ...TRIAGE, system: 'Be brief.' })
    const run = await prompts(['pull'], { cwd, env: service.live })
    expect(transcript(run, cwd)).toMatchSnapshot()
  })

  test('shows notes in one line, once', async () => {
    const { live: env } = await testService([
      { ...SQL, system: 'One\n{{#if x}} {{}} {{' },
      { ...TRIAGE, user: '{{}}' },
    ])
    const cwd = await folderWith()
    const { stdout } = await prompts(['pull'], { cwd, env })
    expect(stdout.slice(stdout.indexOf('▲'))).toMatchInlineSnapshot(`
      "▲ 4 notes in 2 prompts: sql-explainer:system:2:1 {{#if x}} and 3 more
      "
    `)
    const again = await prompts(['pull', '--json'], { cwd, env })
    expect(JSON.parse(again.stdout)).toMatchObject({ unchanged: 2, notes: [] })
  })

  test('shows one line of notes, however many there are', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      slug: `p${index}`,
      version: 'v1',
      system: '{{'.repeat(25_000),
    }))
    const { live: env } = await testService(many)
    const { stdout } = await prompts(['pull'], { cwd: await folderWith(), env })
    const notes = stdout.slice(stdout.indexOf('▲'))
    expect(notes).toContain('500,000')
    expect(notes.trimEnd().split('\n')).toHaveLength(1)
    expect(notes.length).toBeLessThan(200)
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

  test('shows slugs that would share an identifier', async () => {
    const { live: env } = await testService([
      { slug: 'a-b', version: 'v1' },
      { slug: 'a_b', version: 'v1' },
    ])
    const cwd = await folderWith()
    const run = await prompts(['pull'], { cwd, env })
    expect(transcript(run, cwd)).toMatchSnapshot()
  })

  test('counts only, from the 21st added prompt on', async () => {
    const many = Array.from({ length: 25 }, (_, index) => ({ slug: `p${index}`, version: 'v1' }))
    const { live: env } = await testService(many)
    const cwd = await folderWith()
    const run = await prompts(['pull'], { cwd, env })
    expect(run.stdout.match(/^\+ added/gm)).toHaveLength(20)
    expect(transcript(run, cwd)).toMatchSnapshot()
  })

  test('prints everything as one JSON object with --json, and nothing on stderr', async () => {
    const service = await testService([TRIAGE, REPLY])
    const cwd = await pinnedProject(service)
    service.serve({ ...TRIAGE, version: 'v23', user: '{{ tone }} {{}}' }, REPLY)
    const run = await prompts(['pull', '--json'], { cwd, env: service.live })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(run.stdout)).toStrictEqual({
      environment: 'live',
      lock: join(cwd, 'prompts.lock.json'),
      outcome: 'written',
      prompts: 2,
      changes: [
        {
          slug: 'support-triage',
          environment: 'live',
          kind: 'updated',
          class: 'contract',
          version: { before: 'v22', after: 'v23' },
          effects: [
            { kind: 'variable-renamed', from: 'ticket', to: 'tone' },
            { kind: 'text', fields: ['user'] },
          ],
          places: [],
          reason: null,
        },
      ],
      unchanged: 1,
      held: [],
      edits: [],
      renames: [],
      impact: [],
      next: null,
      notes: [
        {
          slug: 'support-triage',
          count: 1,
          first: [{ field: 'user', line: 1, column: 12, kind: 'empty', excerpt: '{{}}' }],
        },
      ],
      collisions: [],
      planStatus: 'trialing',
      reads: 2,
      skipped: [],
      kept: [],
      lists: 2,
      retries: 0,
    })
  })

  test('prints nothing with --silent, and writes', async () => {
    const { live: env } = await testService([TRIAGE])
    const cwd = await folderWith()
    const run = await prompts(['pull', '--silent'], { cwd, env })
    expect(run).toStrictEqual({ code: 0, stdout: '', stderr: '' })
    expect(Object.keys(await filesIn(cwd))).toContain('prompts.lock.json')
  })

  test('refuses an empty workspace, unless --allow-replace', async () => {
    const service = await testService([TRIAGE])
    const cwd = await pinnedProject(service)
    const before = await filesIn(cwd)
    service.serve()
    const refused = await prompts(['pull'], { cwd, env: service.live })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('PULL_EMPTY') })
    expect(await filesIn(cwd)).toStrictEqual(before)
    const run = await prompts(['pull', '--allow-replace', '--json'], { cwd, env: service.live })
    expect(run.code).toBe(0)
    expect(JSON.parse(run.stdout)).toMatchObject({ changes: [{ kind: 'removed' }] })
  })

  test('asks on a terminal before another workspace replaces all prompts', async () => {
    const slugs = ['a', 'b', 'c'].map((slug) => ({ slug, version: 'v1', system: 'x' }))
    const service = await testService(slugs)
    const cwd = await pinnedProject(service)
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

  test('names what it wrote: the lock, the declarations and outDir', async () => {
    const service = await testService([TRIAGE])
    const cwd = await pinnedProject(service)
    await writeFile(join(cwd, 'prompts.config.js'), `export default { outDir: 'src/prompts' }`)
    service.serve({ ...TRIAGE, version: 'v9', system: 'Be brief.' })
    const live = await prompts(['pull'], { cwd, env: service.live })
    expect(live.stderr).toContain('✔ Wrote prompts.lock.json, prompts.d.ts, and src/prompts. ')
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

  test('rejects --interactive without a terminal, before it asks the service', async () => {
    const service = await testService([TRIAGE])
    const run = await prompts(['pull', '-i'], { cwd: await folderWith(), env: service.live })
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('USAGE') })
    expect(service.asked()).toEqual([])
  })
})
