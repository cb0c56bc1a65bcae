import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesIn, folderWith, prompts, transcript } from '../helpers/cli.ts'
import { testService } from '../helpers/local-service.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'

const TRIAGE = { slug: 'support-triage', version: 'v22', user: '{{ ticket }}' }
const SQL = { slug: 'sql-explainer', folder: 'engineering', version: 'v1' }

/** Replaces a text in a file. */
async function edit(path: string, from: string, to: string): Promise<void> {
  await writeFile(path, (await readFile(path, 'utf8')).replace(from, to))
}

describe('prompts check', () => {
  test('exits with 0 when everything is up to date, after one list call', async () => {
    const service = await testService([TRIAGE, SQL])
    const cwd = await pinnedProject(service)
    const before = await filesIn(cwd)
    const run = await prompts(['check'], { cwd, env: service.live })
    expect(run.code).toBe(0)
    expect(run.stdout).toMatchInlineSnapshot(`
      "✔ Lock           valid, 2 prompts, live
      ✔ Options        match the lock
      ✔ Declarations   current
      ✔ Service        lists what is pinned; texts were not read, plan status trialing
      "
    `)
    expect(service.asked()).toStrictEqual(['GET /api/v1/prompts 200'])
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('exits with 3 on drift, with the line of the lock', async () => {
    const service = await testService([TRIAGE, SQL, { slug: 'gone', version: 'v1' }])
    const cwd = await pinnedProject(service)
    service.serve(
      { ...TRIAGE, version: 'v23' },
      { ...SQL, model: 'gpt-6' },
      { slug: 'new', version: 'v1' },
    )
    const run = await prompts(['check'], { cwd, env: service.live })
    expect(run.code).toBe(3)
    expect(run.stdout).toMatchInlineSnapshot(`
      "✔ Lock           valid, 3 prompts, live
      ✔ Options        match the lock
      ✔ Declarations   current
      ▲ Service        4 findings

      drift   prompts.lock.json:6    gone was removed from the service.
      drift   prompts.lock.json:1    new (v1) is in the service but not pinned.
      drift   prompts.lock.json:25   sql-explainer differs in the service: model gpt-5 → gpt-6.
      drift   prompts.lock.json:43   support-triage differs in the service: v22 → v23.
      "
    `)
    expect(run.stderr).toContain('`npx prompts pull`')
  })

  test('does not call texts up to date that it has not read', async () => {
    const staging = { version: 'v23' }
    const service = await testService([{ ...TRIAGE, staging }, SQL])
    const cwd = await pinnedProject(service, {}, 'test')
    const run = await prompts(['check'], { cwd, env: service.test })
    expect(run.code).toBe(0)
    expect(transcript(run, cwd)).toMatchSnapshot()
  })

  test('needs no key with --offline, and fails without both', async () => {
    const service = await testService([TRIAGE])
    const cwd = await pinnedProject(service)
    const offline = await prompts(['check', '--offline'], { cwd })
    expect(offline.code).toBe(0)
    expect(transcript(offline, cwd)).toMatchSnapshot('offline')
    const keyless = await prompts(['check'], { cwd })
    expect(keyless.code).toBe(1)
    expect(keyless.stderr).toContain('KEY_MISSING')
    expect(transcript(keyless, cwd)).toMatchSnapshot('keyless')
    expect(service.asked()).toStrictEqual([])
  })

  test('exits with 1 for a lock that is missing, edited or in conflict', async () => {
    const service = await testService([TRIAGE, SQL])
    const cwd = await pinnedProject(service)
    const path = join(cwd, 'prompts.lock.json')
    await edit(path, '"v22"', '"v21"')
    const edited = await prompts(['check', '--offline'], { cwd })
    expect(edited.code).toBe(1)
    expect(edited.stdout).toMatch(/prompts\.lock\.json:22 .*support-triage/)
    await edit(path, '  "environment"', '<<<<<<< ours\n  "environment"')
    const conflicted = await prompts(['check', '--offline'], { cwd })
    expect(conflicted.code).toBe(1)
    expect(conflicted.stdout).toContain('prompts.lock.json:3 ')
    await rm(path)
    const missing = await prompts(['check', '--offline'], { cwd })
    expect(missing.code).toBe(1)
    expect(transcript(missing, cwd)).toMatchSnapshot('missing')
  })

  test('finds the line of an edited prompt whose slug has an invisible character', async () => {
    const slug = 'sup\u200bport'
    const cwd = await pinnedProject(await testService([SQL, { ...TRIAGE, slug }]))
    await edit(join(cwd, 'prompts.lock.json'), '"v22"', '"v21"')
    const { stdout } = await prompts(['check', '--offline', '--json'], { cwd })
    const [finding] = JSON.parse(stdout).findings
    expect(finding).toMatchObject({ slug, line: 22 })
    expect(finding.message).toMatch(/^\[LOCK_EDITED\] support was changed/)
  })

  test('exits with 1 when the lock does not match the options, and does not ask the service', async () => {
    const service = await testService([TRIAGE, SQL])
    const cwd = await pinnedProject(service)
    await writeFile(
      join(cwd, 'prompts.config.mjs'),
      "export default { exclude: 'engineering/*' }\n",
    )
    const run = await prompts(['check'], { cwd, env: service.live })
    expect(run.code).toBe(1)
    expect(run.stdout).toMatch(/prompts\.lock\.json:6 .*sql-explainer/)
    expect(service.asked()).toStrictEqual([])
  })

  test('exits with 3 when the declarations are missing or were changed below their header', async () => {
    const cwd = await pinnedProject(await testService([TRIAGE]))
    const path = join(cwd, 'prompts.d.ts')
    await edit(path, 'ticket:', 'tickets:')
    const stale = await prompts(['check', '--offline'], { cwd })
    expect(stale.code).toBe(3)
    expect(transcript(stale, cwd)).toMatchSnapshot('stale')
    await rm(path)
    const missing = await prompts(['check', '--offline'], { cwd })
    expect(missing.code).toBe(3)
    expect(transcript(missing, cwd)).toMatchSnapshot('missing')
  })

  test('exits with 3 when the files of the option outDir are missing or stale', async () => {
    const config = "export default { outDir: 'out' }\n"
    const cwd = await pinnedProject(await testService([TRIAGE]), { 'prompts.config.js': config })
    expect((await prompts(['check', '--offline'], { cwd })).stdout).toMatch(
      /✔ Generated files +current/,
    )
    await edit(join(cwd, 'out/definitions.js'), 'v22', 'v21')
    await rm(join(cwd, 'out/package.json'))
    const stale = await prompts(['check', '--offline'], { cwd })
    expect(stale.code).toBe(3)
    expect(transcript(stale, cwd)).toMatchSnapshot('stale')
  })

  test('prints findings as JSON, with the error if the service does not answer', async () => {
    const service = await testService([TRIAGE])
    const cwd = await pinnedProject(service)
    service.serve({ ...TRIAGE, version: 'v23' })
    const run = await prompts(['check', '--json'], { cwd, env: service.live })
    expect(run).toMatchObject({ code: 3, stderr: '' })
    expect(JSON.parse(run.stdout)).toStrictEqual({
      ok: false,
      steps: [
        { name: 'lock', state: 'ok', message: 'valid, 1 prompt, live' },
        { name: 'options', state: 'ok', message: 'match the lock' },
        { name: 'declarations', state: 'ok', message: 'current' },
        {
          name: 'service',
          state: 'warning',
          message: expect.stringMatching(/support-triage.*v22.*v23.*\(line 11\)/),
          fix: expect.stringContaining('`npx prompts pull`'),
        },
      ],
      environment: 'live',
      prompts: 1,
      findings: [
        {
          kind: 'prompt-updated',
          severity: 'drift',
          slug: 'support-triage',
          environment: 'live',
          message: expect.stringMatching(/support-triage.*v22.*v23/),
          fix: expect.stringContaining('`npx prompts pull`'),
          file: join(cwd, 'prompts.lock.json'),
          line: 11,
        },
      ],
      held: [],
      kept: [],
      retries: 0,
    })
    const keyless = await prompts(['check', '--json'], { cwd })
    expect(JSON.parse(keyless.stdout)).toMatchObject({ ok: false, error: { code: 'KEY_MISSING' } })
  })

  test('rejects options that cannot be combined', async () => {
    const cwd = await folderWith()
    const format = await prompts(['check', '--format', 'github', '--json'], { cwd })
    expect(format.code).toBe(2)
  })
})

describe('prompts check --format github', () => {
  test('annotates the lines of the lock, by paths from the root of the repository', async () => {
    const service = await testService([TRIAGE])
    const cwd = await pinnedProject(service)
    service.serve({ ...TRIAGE, version: '50%\n::error::x, y: z' })
    const env = { ...service.live, GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: join(cwd, '..') }
    const run = await prompts(['check', '--format', 'github'], { cwd, env })
    expect(run.code).toBe(3)
    const folder = cwd.split('/').at(-1)
    const start = `::error file=${folder}/prompts.lock.json,line=11,title=Prompts%3A drift::`
    expect(run.stdout.slice(0, start.length)).toBe(start)
    expect(run.stdout.slice(start.length)).toMatchSnapshot()
  })

  test('annotates a failed service check', async () => {
    const cwd = await pinnedProject(await testService([TRIAGE]))
    const run = await prompts(['check', '--format=github'], { cwd })
    expect(run.stdout).toMatch(/^::error title=Prompts%3A service::.*%0A.*\n$/)
  })

  test('appends a table to the job summary, with remote text as plain words', async () => {
    const service = await testService([TRIAGE])
    const cwd = await pinnedProject(service, { 'summary.md': 'before\n' })
    service.serve({ ...TRIAGE, version: '<b>|[x](y)' })
    const env = { ...service.live, GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') }
    await prompts(['check', '--format', 'github'], { cwd, env })
    expect(await readFile(join(cwd, 'summary.md'), 'utf8')).toMatchInlineSnapshot(`
      "before
      ## Prompts

      | | where | what |
      | --- | --- | --- |
      | drift | prompts&#46;lock&#46;json&#58;11 | support&#45;triage differs in the service&#58; v22 → &#60;b&#62;&#124;&#91;x&#93;&#40;y&#41;&#46; |

      "
    `)
  })
})
