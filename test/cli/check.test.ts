import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesIn, prompts, transcript } from '../helpers/cli.ts'
import { git } from '../helpers/git-repository.ts'
import { servedProject } from '../helpers/pinned-project.ts'

const TRIAGE = { slug: 'support-triage', version: 'v22', user: '{{ ticket }}' }
const SQL = { slug: 'sql-explainer', folder: 'engineering', version: 'v1' }

/** Replaces a text in a file. */
async function edit(path: string, from: string, to: string): Promise<void> {
  await writeFile(path, (await readFile(path, 'utf8')).replace(from, to))
}

describe('prompts check', () => {
  test('exits with 0 when everything is up to date, after one list call', async () => {
    const { cwd, env, service } = await servedProject([TRIAGE, SQL])
    const before = await filesIn(cwd)
    const run = await prompts(['check'], { cwd, env })
    expect(run.code).toBe(0)
    expect(run.stdout).toMatchInlineSnapshot(`
      "✔ Lock           valid, 2 prompts
      ✔ Options        match the lock
      ✔ Declarations   current
      ✔ Service        lists what is pinned; no text was fetched, plan status trialing
      "
    `)
    expect(service.asked()).toStrictEqual(['GET /api/v1/prompts 200'])
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('exits with 3 on drift, with the line of the lock', async () => {
    const { cwd, env, service } = await servedProject([
      TRIAGE,
      SQL,
      { slug: 'gone', version: 'v1' },
    ])
    service.serve(
      { ...TRIAGE, version: 'v23' },
      { ...SQL, model: 'gpt-6' },
      { slug: 'new', version: 'v1' },
    )
    const run = await prompts(['check'], { cwd, env })
    expect(run.code).toBe(3)
    expect(run.stdout).toContain(`
warning   prompts.lock.json:5    gone was removed from the service.
warning   prompts.lock.json:1    new (v1) is in the service but not pinned.
warning   prompts.lock.json:25   sql-explainer differs in the service: model gpt-5 → gpt-6.
`)
    expect(run.stderr).toContain('`npx prompts pull`')
    const { code, json, stderr } = await prompts(['check', '--json'], { cwd, env })
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' })
    const fix = expect.stringContaining('`npx prompts pull`')
    const message = expect.stringMatching(/support-triage.*v22.*v23/)
    expect(json).toMatchObject({ ok: false, environment: 'live', prompts: 3 })
    expect(json.steps.at(-1)).toMatchObject({ name: 'service', state: 'warning', fix })
    expect(json.findings.at(-1)).toEqual({
      kind: 'prompt-updated',
      severity: 'warning',
      slug: 'support-triage',
      environment: 'live',
      message,
      fix,
      file: join(cwd, 'prompts.lock.json'),
      line: 39,
    })
  })

  test('does not call texts up to date that it has not read', async () => {
    const staging = { version: 'v23' }
    const files = { 'prompts.config.json': '{ "environment": "test" }' }
    const { cwd, service } = await servedProject([{ ...TRIAGE, staging }, SQL], files, 'test')
    const run = await prompts(['check'], { cwd, env: service.test })
    expect(run.code).toBe(0)
    expect(transcript(run, cwd)).toMatchSnapshot()
  })

  test('needs no key with --offline, and fails without both', async () => {
    const { cwd, service } = await servedProject([TRIAGE])
    const offline = await prompts(['check', '--offline'], { cwd })
    expect(offline.code).toBe(0)
    expect(transcript(offline, cwd)).toMatchSnapshot('offline')
    const keyless = await prompts(['check'], { cwd })
    expect(keyless.code).toBe(1)
    expect(transcript(keyless, cwd)).toMatchSnapshot('keyless')
    const { json } = await prompts(['check', '--json'], { cwd })
    expect(json).toMatchObject({ ok: false, error: { code: 'KEY_MISSING' } })
    const github = await prompts(['check', '--format=github'], { cwd })
    expect(github.stdout).toMatch(/^::error title=Prompts%3A check failed::.*%0A.*\n$/)
    expect(service.asked()).toStrictEqual([])
  })

  test('exits with 1 for a lock that is unfit, edited, in conflict, broken or missing, and asks nothing', async () => {
    const slug = 'sup\u200bport'
    const { cwd, env, service } = await servedProject([{ ...TRIAGE, slug }, SQL])
    const call = { cwd, env }
    const path = join(cwd, 'prompts.lock.json')
    const config = join(cwd, 'prompts.config.json')
    await writeFile(config, '{ "exclude": "engineering/*" }')
    const unfit = await prompts(['check'], call)
    expect(unfit.code).toBe(1)
    expect(unfit.stdout).toMatch(/prompts\.lock\.json:5 .*sql-explainer/)
    await rm(config)
    await edit(path, '"v22"', '"v21"')
    const edited = await prompts(['check', '--json'], call)
    const message = expect.stringMatching(/^\[LOCK_EDITED\] support was changed/)
    expect(edited).toMatchObject({ code: 1, json: { findings: [{ slug, line: 21, message }] } })
    await edit(path, '  "prompts"', '<<<<<<< ours\n  "prompts"')
    const conflicted = await prompts(['check'], call)
    expect(conflicted.code).toBe(1)
    expect(conflicted.stdout).toContain('prompts.lock.json:3 ')
    expect(conflicted.stdout).not.toContain('(line 3). (line 3)')
    await edit(path, '<<<<<<< ours\n', '')
    await edit(path, '"v21",', '"v21"')
    const broken = await prompts(['check', '--json'], call)
    const syntax = expect.stringMatching(/^\[LOCK_SYNTAX\].*line 24, in the entry of support/)
    expect(broken).toMatchObject({ json: { findings: [{ slug, line: 24, message: syntax }] } })
    await rm(path)
    const missing = await prompts(['check', '--offline'], call)
    expect(missing.code).toBe(1)
    expect(transcript(missing, cwd)).toMatchSnapshot('missing')
    expect(service.asked()).toStrictEqual([])
  })

  test('exits with 3 when declarations or files of outDir are missing or were changed', async () => {
    const config = { 'prompts.config.js': "export default { outDir: 'out' }\n" }
    const { cwd } = await servedProject([TRIAGE], config)
    await edit(join(cwd, 'prompts.d.ts'), 'ticket:', 'tickets:')
    await edit(join(cwd, 'out/definitions.js'), 'v22', 'v21')
    await rm(join(cwd, 'out/package.json'))
    const stale = await prompts(['check', '--offline'], { cwd })
    expect(stale.code).toBe(3)
    expect(transcript(stale, cwd)).toMatchSnapshot('stale')
    await rm(join(cwd, 'prompts.d.ts'))
    const missing = await prompts(['check', '--offline'], { cwd })
    expect(missing.code).toBe(3)
    expect(missing.stdout).toMatch(/^warning   prompts\.d\.ts +The declarations do not exist\.$/m)
    await prompts(['generate'], { cwd })
    const current = await prompts(['check', '--offline'], { cwd })
    expect(current.stdout).toMatch(/✔ Generated files +current/)
  })
})

describe('prompts check with a generated folder that no option names', () => {
  test('finds it by its marks, ignored by git or not, until it is generated again', async () => {
    const { cwd, env, service } = await servedProject([TRIAGE], { '.gitignore': 'src/\n' })
    git(cwd, 'init', '--quiet')
    await prompts(['generate', '--out-dir', 'src/prompts', '--format', 'esm'], { cwd })
    const files = async (): Promise<string | undefined> => {
      const { json } = await prompts(['check', '--offline', '--json'], { cwd })
      return json.steps.find(({ name }: { name: string }) => name === 'files')?.state
    }
    expect(await files()).toBe('ok')
    service.serve({ ...TRIAGE, version: 'v23' })
    await prompts(['pull'], { cwd, env })
    const run = await prompts(['check', '--offline'], { cwd })
    expect(run.code).toBe(3)
    expect(run.stdout).toContain('src/prompts/definitions.js:1 ')
    expect(run.stderr).toContain('`npx prompts generate --out-dir src/prompts`')
    const below = await prompts(['check', '--offline'], { cwd: join(cwd, 'src') })
    expect(below.stderr).toContain('`npx prompts generate --out-dir prompts`')
    await prompts(['generate', '--out-dir', 'src/prompts'], { cwd })
    expect(await files()).toBe('ok')
  })

  test('leaves out the copy of a folder of the option that a build makes where git ignores it', async () => {
    const files = { '.gitignore': 'dist/\n', 'prompts.config.json': '{ "outDir": "out" }' }
    const { cwd, env, service } = await servedProject([TRIAGE], files)
    git(cwd, 'init', '--quiet')
    await cp(join(cwd, 'out'), join(cwd, 'dist/out'), { recursive: true })
    service.serve({ ...TRIAGE, version: 'v23' })
    await prompts(['pull'], { cwd, env })
    expect((await prompts(['check', '--offline'], { cwd })).code).toBe(0)
    await writeFile(join(cwd, '.gitignore'), '')
    expect((await prompts(['check', '--offline'], { cwd })).code).toBe(3)
  })

  test.each([
    ['--environment test', ''],
    ['', '"environment": "test"'],
    ['--environment live', '"environment": "test"'],
  ])('names the command for the view that it has: %j, options {%s}', async (view, option) => {
    const staged = { ...TRIAGE, staging: { version: 'v23' } }
    const config = { 'prompts.config.json': `{ ${option} }` }
    const { cwd, service } = await servedProject([staged], config, 'both')
    const command = `generate --out-dir out ${view}`.trim()
    await prompts(command.split(' '), { cwd })
    service.serve({ ...TRIAGE, version: 'v24', staging: { version: 'v25' } })
    await prompts(['pull'], { cwd, env: service.both })
    const { stderr } = await prompts(['check', '--offline'], { cwd })
    expect(stderr).toContain(`\`npx prompts ${command}\``)
  })

  test('takes one with the other view, and leaves out what others wrote or own', async () => {
    const staged = { ...TRIAGE, staging: { version: 'v23' } }
    const { cwd } = await servedProject([staged], {}, 'both')
    await prompts(['generate', '--out-dir', 'of-staging', '--environment', 'test'], { cwd })
    await prompts(['generate', '--out-dir', 'apps/web/prompts'], { cwd })
    await prompts(['generate', '--out-dir', 'compiled'], { cwd })
    await edit(join(cwd, 'apps/web/prompts/definitions.js'), 'v22', 'v21')
    await writeFile(join(cwd, 'apps/web/prompts.lock.json'), '{}')
    // `tsc` copies no such file.
    await rm(join(cwd, 'compiled/package.json'))
    await edit(join(cwd, 'compiled/definitions.js'), 'v22', 'v21')
    const { json } = await prompts(['check', '--offline', '--json'], { cwd })
    expect(json).toMatchObject({ ok: true, findings: [] })
  })
})

test('prompts check --format github annotates the lines of the lock, by paths from the root of the repository', async () => {
  const { cwd, service } = await servedProject([TRIAGE])
  service.serve({ ...TRIAGE, version: '50%\n::error::x, y: z' })
  const env = { ...service.live, GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: join(cwd, '..') }
  const run = await prompts(['check', '--format', 'github'], { cwd, env })
  expect(run.code).toBe(3)
  const folder = cwd.split('/').at(-1)
  const start = `::error file=${folder}/prompts.lock.json,line=7,title=Prompts::`
  expect(run.stdout.slice(0, start.length)).toBe(start)
  expect(run.stdout.slice(start.length)).toMatchSnapshot()
})
