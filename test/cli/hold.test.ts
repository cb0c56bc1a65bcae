import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesIn, prompts } from '../helpers/cli.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { type AppWithPrompts, pinnedVersions, servedProject } from '../helpers/pinned-project.ts'

const TRIAGE = { slug: 'support-triage', version: 'v22', system: 'Sort {{ ticket }}' }
const NEWER = { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} in a {{ tone }} tone' }
const REPLY = { slug: 'support-reply', version: 'v3', system: 'Dear {{ name }}' }

const KEY = 'svc_live_Abc123Def456Ghi789'

/** A project whose `support-triage` is held at v22 while the service serves v23. */
async function heldProject(): Promise<AppWithPrompts> {
  const { cwd, env, service } = await servedProject([TRIAGE, REPLY])
  const run = await prompts(['hold', 'support-triage', '--reason', 'Waiting for legal'], { cwd })
  expect(run.code).toBe(0)
  service.serve(NEWER, { ...REPLY, version: 'v4' })
  return { cwd, env, service }
}

const HELD = { slug: 'support-triage', reason: 'Waiting for legal', version: 'v22' }
const UPDATE = { kind: 'updated', version: { before: 'v22', after: 'v23' } }

describe('prompts hold', () => {
  test('records the prompt and the reason, without a key or a request', async () => {
    const { cwd, service } = await heldProject()
    expect(await pinnedVersions(cwd)).toEqual([
      'support-reply@v3',
      'support-triage@v22 (Waiting for legal)',
    ])
    expect(service.asked()).toEqual([])
    const { json } = await prompts(['check', '--offline', '--json'], { cwd })
    expect(json).toMatchObject({ ok: true, findings: [], held: [HELD] })
  })

  test('writes nothing with --dry-run, for an unknown slug and for a reason that holds a key', async () => {
    const { cwd } = await heldProject()
    const before = await filesIn(cwd)
    const dry = await prompts(['hold', 'support-reply', '--json', '--dry-run'], { cwd })
    expect(dry).toMatchObject({ code: 0, stderr: '' })
    expect(dry.json).toEqual({
      environment: 'live',
      lock: join(cwd, 'prompts.lock.json'),
      outcome: 'dry-run',
      held: [
        { slug: 'support-reply', environment: 'live', reason: '', version: 'v3' },
        { ...HELD, environment: 'live' },
      ],
    })
    for (const [code, ...args] of [
      ['SLUG_UNKNOWN', 'support-reply', 'support-tirage'],
      ['TEXT_HOLDS_KEY', 'support-reply', '--reason', `see ${KEY}`],
    ]) {
      const run = await prompts(['hold', ...args, '--json'], { cwd })
      expect(run).toMatchObject({ code: 1, json: { error: { code } } })
      expect(run.stdout + run.stderr).not.toContain(KEY)
    }
    expect(await filesIn(cwd)).toEqual(before)
  })
})

test('a lock is not called up to date while an update of a held version waits', async () => {
  const { cwd, service } = await heldProject()
  const call = { cwd, env: service.live }
  await prompts(['pull', '--yes'], call)
  const { stderr } = await prompts(['pull'], call)
  expect(stderr).toContain('prompts.lock.json is unchanged.')
  const { code, stdout } = await prompts(['check'], call)
  expect(code).toBe(0)
  expect(stdout).toContain('lists what is pinned, and 1 held update; no text was fetched')
  const diff = await prompts(['diff', '--fail-on', 'any'], call)
  expect(diff.code).toBe(0)
  expect(diff.stderr).toContain('prompts.lock.json: no difference in 1 text; 1 held update.')
})

describe('prompts unhold', () => {
  test('says with --dry-run that nothing was written, as the others do', async () => {
    const { cwd } = await heldProject()
    commitAll(cwd)
    const before = await filesIn(cwd)
    for (const line of [
      'unhold support-triage',
      'hold support-reply',
      'restore support-triage --from HEAD',
    ]) {
      const { stderr } = await prompts([...line.split(' '), '--dry-run'], { cwd })
      expect(stderr, line).toContain('Dry run: nothing was written.')
    }
    expect(await filesIn(cwd)).toEqual(before)
  })

  test('lets the next pull update the prompt, and changes nothing for another one', async () => {
    const { cwd, service } = await heldProject()
    const before = await filesIn(cwd)
    const other = await prompts(['unhold', 'support-reply', '--json'], { cwd })
    expect(other.json).toMatchObject({ outcome: 'unchanged', held: [HELD], unheld: [] })
    expect(await filesIn(cwd)).toEqual(before)
    const unheld = { outcome: 'written', held: [], unheld: ['support-triage'] }
    const { json } = await prompts(['unhold', 'support-triage', '--json'], { cwd })
    expect(json).toMatchObject(unheld)
    expect(await pinnedVersions(cwd)).toEqual(['support-reply@v3', 'support-triage@v22'])
    await prompts(['pull'], { cwd, env: service.live })
    expect(await pinnedVersions(cwd)).toEqual(['support-reply@v4', 'support-triage@v23'])
  })

  const NO_LONGER = 'support-reply was not held.\nsupport-triage is no longer held.\n'

  test.each([
    ['unhold support-reply support-triage', NO_LONGER],
    ['restore support-triage --from HEAD --yes', ''],
  ])(
    'says that the lock no longer fits if the options exclude a prompt that is held no longer: %s',
    async (line, stdout) => {
      const { cwd, service } = await servedProject([TRIAGE, REPLY])
      commitAll(cwd)
      await prompts(['hold', 'support-triage'], { cwd })
      await writeFile(join(cwd, 'prompts.config.mjs'), "export default { exclude: '*-triage' }")
      const run = await prompts(line.split(' '), { cwd })
      expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining(stdout) })
      const said = /\[LOCK_UNFIT\][^]* support-triage, which the options exclude[^]*prompts pull/
      expect(run.stderr).toMatch(said)
      const { stderr } = await prompts(['generate'], { cwd })
      expect(stderr).toMatch(said)
      expect((await prompts(['pull'], { cwd, env: service.live })).stderr).not.toMatch(said)
    },
  )
})

describe('a held prompt', () => {
  test('that the options exclude is not compared by diff, as by pull', async () => {
    const draft = { ...TRIAGE, staging: { version: 'v30' } }
    const { cwd, service } = await servedProject([draft, REPLY], {}, 'both')
    await prompts(['hold', 'support-triage'], { cwd })
    await writeFile(join(cwd, 'prompts.config.mjs'), "export default { exclude: '*-triage' }")
    const call = { cwd, env: service.both }
    const { json } = await prompts(['pull', '--dry-run', '--json'], call)
    service.forget()
    const diff = await prompts(['diff', '--json'], call)
    const [{ slug, environment, version }] = json.changes
    expect(diff.json.prompts).toMatchObject([{ slug, environment, version }])
    expect(service.asked().join()).not.toContain('triage')
  })

  test('causes no drift for check and no difference for diff, which show what it waits for', async () => {
    const { cwd, service } = await heldProject()
    const call = { cwd, env: service.live }
    await prompts(['pull'], call)
    service.forget()
    const held = [{ ...HELD, update: UPDATE }]
    const row = '  support-triage   v22 → v23   Waiting for legal\n'
    for (const args of [['check'], ['check', '--impact']]) {
      const { code, json } = await prompts([...args, '--json'], call)
      expect({ code, json }).toMatchObject({ code: 0, json: { ok: true, findings: [], held } })
      expect((await prompts(args, call)).stdout).toContain(row)
    }
    expect(service.asked().join()).not.toContain('/support-triage')
    const diff = await prompts(['diff'], call)
    expect(diff).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining(row) })
    const { json } = await prompts(['diff', '--json'], call)
    expect(json).toMatchObject({ prompts: [], held })
    const markdown = await prompts(['diff', '--format', 'markdown'], call)
    expect(markdown.stdout).toContain(
      '| `support-triage` | <code>v22 → v23</code> | <code>Waiting for legal</code> |',
    )
    const named = await prompts(['diff', 'support-triage', '--json'], call)
    expect(named.json).toMatchObject({ prompts: [{ version: UPDATE.version }] })
    const advice = await prompts(['diff', 'support-triage'], call)
    expect(advice.stderr).not.toContain('npx prompts pull')

    service.serve({ ...REPLY, version: 'v4' })
    const removed = { held: [{ update: { kind: 'removed' } }] }
    const gone = await prompts(['check', '--impact', '--json'], call)
    expect(gone).toMatchObject({ code: 0, json: removed })
  })

  test('is marked in the list with its reason', async () => {
    const { cwd } = await heldProject()
    const { stdout } = await prompts(['list'], { cwd })
    expect(stdout).toContain('= support-triage   v22')
    expect(stdout).toContain('  support-triage   v22   Waiting for legal\n')
  })
})
