import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesIn, folderWith, prompts } from '../helpers/cli.ts'
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
      + added   support-triage   v22   ticket

      2 added
      "
    `)
    expect(run.stderr.replace(/http:\S+/, 'URL')).toMatchInlineSnapshot(`
      "Pulling from URL (live)

      ✔ Wrote prompts.lock.json and prompts.d.ts. 2 reads · plan status “trialing”
      "
    `)
    expect(Object.keys(await filesIn(cwd))).toContain('prompts.lock.json')
    expect(Object.keys(await filesIn(cwd))).toContain('prompts.d.ts')
  })

  test('says where TypeScript would see the declarations, where it does not', async () => {
    const { live: env } = await testService([TRIAGE])
    const tsconfig = { 'tsconfig.json': '{ "include": ["src"] }', 'src/main.ts': '' }
    const cwd = await folderWith(tsconfig)
    const unseen = await prompts(['pull'], { cwd, env })
    expect(unseen.code).toBe(0)
    expect(unseen.stderr).toMatch(
      /▲ TypeScript does not see prompts\.d\.ts: no tsconfig\.json inclu/,
    )
    expect(unseen.stderr).toContain("Fix: Say `dts: 'src/prompts.d.ts'` in prompts.config.ts.\n")
    const config = "export default { dts: 'src/prompts.d.ts' }\n"
    const seeing = await folderWith({ ...tsconfig, 'prompts.config.js': config })
    const seen = await prompts(['pull'], { cwd: seeing, env })
    expect(seen.stderr).not.toContain('TypeScript')
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
      "- removed   gone             v1
      + added     new              v1          no variables
      ~ updated   sql-explainer    v1          temperature 0.2 → 0.5  settings only
      ~ updated   support-reply    v3 → v4     ~ name → customer_name (renamed?)  user text
      ~ updated   support-triage   v22 → v23   +tone  user text

      1 added · 3 updated · 1 removed
      "
    `)
  })

  test('says so when a text was rewritten under its label', async () => {
    const service = await testService([TRIAGE])
    const cwd = await pinnedProject(service)
    service.serve({ ...TRIAGE, system: 'Be brief.' })
    const run = await prompts(['pull'], { cwd, env: service.live })
    expect(run.stdout).toContain('v22   system text rewritten under the same label\n')
  })

  test('shows lints with slug, field, line and column', async () => {
    const { live: env } = await testService([{ ...SQL, system: 'One\n{{#if x}} {{}} {{' }])
    const run = await prompts(['pull'], { cwd: await folderWith(), env })
    expect(run.stdout).toContain(`
▲ Double braces that are no variable; they stay as they are:
  sql-explainer:system:2:1    {{#if x}}   no variable name
  sql-explainer:system:2:11   {{}}        nothing between the braces
  sql-explainer:system:2:16   {{          never closed
`)
  })

  test('shows slugs that would share an identifier', async () => {
    const { live: env } = await testService([
      { slug: 'a-b', version: 'v1' },
      { slug: 'a_b', version: 'v1' },
    ])
    const run = await prompts(['pull'], { cwd: await folderWith(), env })
    expect(run.stdout).toContain(
      'prompts.aB could be a-b and a_b, so it is neither: use the slugs.',
    )
  })

  test('counts only, from the 21st added prompt on', async () => {
    const many = Array.from({ length: 25 }, (_, index) => ({ slug: `p${index}`, version: 'v1' }))
    const { live: env } = await testService(many)
    const run = await prompts(['pull'], { cwd: await folderWith(), env })
    expect(run.stdout.match(/^\+ added/gm)).toHaveLength(20)
    expect(run.stdout).toContain('… and 5 more added; prompts list shows them\n\n25 added\n')
  })

  test('leaves all files alone when nothing changed', async () => {
    const service = await testService([TRIAGE])
    const cwd = await pinnedProject(service)
    const before = await filesIn(cwd)
    const run = await prompts(['pull'], { cwd, env: service.live })
    expect(run.stdout).toBe('1 unchanged\n')
    expect(run.stderr).toContain('✔ prompts.lock.json is up to date. 1 read ·')
    expect(await filesIn(cwd)).toStrictEqual(before)
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
          kind: 'updated',
          version: { before: 'v22', after: 'v23' },
          fields: ['version', 'user', 'source'],
          variables: {
            added: ['tone'],
            removed: ['ticket'],
            renamed: { from: 'ticket', to: 'tone' },
          },
        },
      ],
      unchanged: 1,
      lints: [
        {
          slug: 'support-triage',
          field: 'user',
          line: 1,
          column: 12,
          kind: 'empty',
          excerpt: '{{}}',
        },
      ],
      collisions: [],
      planStatus: 'trialing',
      reads: 2,
      lists: 2,
      retries: 0,
    })
  })

  test('says nothing with --silent, and writes', async () => {
    const { live: env } = await testService([TRIAGE])
    const cwd = await folderWith()
    const run = await prompts(['pull', '--silent'], { cwd, env })
    expect(run).toStrictEqual({ code: 0, stdout: '', stderr: '' })
    expect(Object.keys(await filesIn(cwd))).toContain('prompts.lock.json')
  })

  test('updates only the given slugs', async () => {
    const service = await testService([TRIAGE, REPLY])
    const cwd = await pinnedProject(service)
    service.serve({ ...TRIAGE, version: 'v23' }, { ...REPLY, version: 'v4' })
    const run = await prompts(['pull', 'support-reply'], { cwd, env: service.live })
    expect(run.stdout).toContain('1 updated · 1 unchanged')
    expect(service.asked().filter((request) => request.includes('prompts/'))).toStrictEqual([
      'GET /api/v1/prompts/support-reply 200',
    ])
    expect(await readFile(join(cwd, 'prompts.lock.json'), 'utf8')).toContain('"version": "v22"')
  })

  test('asks whether another slug was meant', async () => {
    const service = await testService([TRIAGE])
    const cwd = await pinnedProject(service)
    const before = await filesIn(cwd)
    const run = await prompts(['pull', 'support-traige'], { cwd, env: service.live })
    expect(run).toMatchObject({ code: 1, stdout: '' })
    expect(run.stderr).toContain('✖ The workspace has no prompt called: SLUG_UNKNOWN\n')
    expect(run.stderr).toContain('Fix: Did you mean support-triage?')
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('of some slugs needs a lock, and asks nobody without one', async () => {
    const service = await testService([TRIAGE])
    const cwd = await folderWith()
    const run = await prompts(['pull', 'support-triage'], { cwd, env: service.live })
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('LOCK_MISSING') })
    expect(service.asked()).toEqual([])
    expect(await filesIn(cwd)).toStrictEqual({})
  })

  test('writes nothing with --dry-run', async () => {
    const service = await testService([TRIAGE])
    const cwd = await pinnedProject(service)
    const before = await filesIn(cwd)
    service.serve({ ...TRIAGE, version: 'v23', system: 'Be brief.' })
    const run = await prompts(['pull', '--dry-run'], { cwd, env: service.live })
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('v22 → v23') })
    expect(run.stderr).toContain('✔ Dry run: nothing was written.')
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('reads with --changed only what the list says has changed', async () => {
    const service = await testService([TRIAGE, REPLY])
    const cwd = await pinnedProject(service)
    service.serve(TRIAGE, { ...REPLY, version: 'v4' })
    const run = await prompts(['pull', '--changed'], { cwd, env: service.live })
    expect(run.stderr).toContain('1 read ·')
    expect(service.asked()).toStrictEqual([
      'GET /api/v1/prompts 200',
      'GET /api/v1/prompts/support-reply 200',
      'GET /api/v1/prompts 200',
    ])
  })

  test('refuses an empty workspace, unless --allow-empty', async () => {
    const service = await testService([TRIAGE])
    const cwd = await pinnedProject(service)
    const before = await filesIn(cwd)
    service.serve()
    const refused = await prompts(['pull'], { cwd, env: service.live })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('PULL_EMPTY') })
    expect(await filesIn(cwd)).toStrictEqual(before)
    const run = await prompts(['pull', '--allow-empty'], { cwd, env: service.live })
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('1 removed') })
  })

  test('pins what the test key serves into the lock of that environment', async () => {
    const staging = { version: 'v23', system: 'Be brief.' }
    const service = await testService([{ ...TRIAGE, staging }])
    const cwd = await folderWith()
    const run = await prompts(['pull', '--environment', 'test'], { cwd, env: service.test })
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('v23') })
    expect(Object.keys(await filesIn(cwd))).toContain('prompts.test.lock.json')
    const wrong = await prompts(['pull', '--environment', 'test'], { cwd, env: service.live })
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ENVIRONMENT_MISMATCH'),
    })
  })

  test('works on the folder that --root names, with the key of the .env file that --mode chooses', async () => {
    const { live } = await testService([TRIAGE])
    const cwd = await folderWith({
      'app/.env.staging': `PROMPTS_API_KEY=${live['PROMPTS_API_KEY']}\n`,
    })
    const env = { PROMPTS_BASE_URL: live['PROMPTS_BASE_URL'] ?? '' }
    const keyless = await prompts(['pull', '--root', 'app'], { cwd, env })
    expect(keyless).toMatchObject({ code: 1, stderr: expect.stringContaining('KEY_MISSING') })
    const run = await prompts(['pull', '--root', 'app', '--mode=staging'], { cwd, env })
    expect(run.stderr).toContain('✔ Wrote app/prompts.lock.json and app/prompts.d.ts.')
  })

  test('mends a lock with a merge conflict, and says why everything is new', async () => {
    const service = await testService([TRIAGE])
    const cwd = await pinnedProject(service)
    const path = join(cwd, 'prompts.lock.json')
    const whole = await readFile(path, 'utf8')
    await writeFile(path, `<<<<<<< ours\n${whole}=======\n${whole}>>>>>>> theirs\n`)
    const run = await prompts(['pull'], { cwd, env: service.live })
    expect(run.code).toBe(0)
    expect(run.stderr).toMatch(
      /▲ .*unresolved merge conflict.*; it is written anew, so every prompt counts as added\./,
    )
    expect(await readFile(path, 'utf8')).toBe(whole)
  })

  test('prints an error as JSON too', async () => {
    const run = await prompts(['pull', '--json'], { cwd: await folderWith() })
    expect(run).toMatchObject({ code: 1, stderr: '' })
    expect(JSON.parse(run.stdout)).toStrictEqual({
      error: {
        code: 'KEY_MISSING',
        why: expect.stringContaining('needs a key'),
        fix: expect.stringContaining('PROMPTS_API_KEY'),
        causes: [],
      },
    })
  })
})
