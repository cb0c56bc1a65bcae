import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesIn, folderWith, prompts } from '../helpers/cli.ts'
import { commitAll, git as runGit } from '../helpers/git-repository.ts'
import { testService, type TestService } from '../helpers/local-service.ts'
import { parsedLock } from '../helpers/pinned.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'

const TRIAGE = { slug: 'support-triage', version: 'v22', system: 'Sort {{ ticket }}' }
const NEWER = { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} in a {{ tone }} tone' }
const REPLY = { slug: 'support-reply', version: 'v3', system: 'Dear {{ name }}' }

const KEY = 'svc_live_Abc123Def456Ghi789'

interface Held {
  readonly cwd: string
  readonly service: TestService
  /** The prompts of the lock, as `slug@version: reason`. */
  readonly pinned: () => Promise<string[]>
}

/** A project whose `support-triage` is held at v22 while the service serves v23. */
async function heldProject(files: Readonly<Record<string, string>> = {}): Promise<Held> {
  const service = await testService([TRIAGE, REPLY])
  const cwd = await pinnedProject(service, files)
  const run = await prompts(['hold', 'support-triage', '--reason', 'Waiting for legal'], { cwd })
  expect(run.code).toBe(0)
  service.serve(NEWER, { ...REPLY, version: 'v4' })
  return { cwd, service, pinned: () => pinnedIn(cwd) }
}

async function pinnedIn(cwd: string): Promise<string[]> {
  const lock = parsedLock(await readFile(join(cwd, 'prompts.lock.json'), 'utf8'))
  return lock.parts.map(
    ({ slug, version, held }) => `${slug}@${version}${held ? `: ${held.reason}` : ''}`,
  )
}

const HELD = { slug: 'support-triage', reason: 'Waiting for legal', version: 'v22' }
const UPDATE = { kind: 'updated', version: { before: 'v22', after: 'v23' } }

describe('prompts hold', () => {
  test('records the prompt and the reason, without a key or a request', async () => {
    const { cwd, service, pinned } = await heldProject()
    expect(await pinned()).toEqual(['support-reply@v3', 'support-triage@v22: Waiting for legal'])
    expect(service.asked()).toEqual([])
    const check = await prompts(['check', '--offline', '--json'], { cwd })
    expect(JSON.parse(check.stdout)).toMatchObject({ ok: true, findings: [], held: [HELD] })
  })

  test('prints the held prompts as JSON, and writes nothing with --dry-run', async () => {
    const cwd = await pinnedProject(await testService([TRIAGE]))
    const before = await filesIn(cwd)
    const run = await prompts(['hold', 'support-triage', '--json', '--dry-run'], { cwd })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(run.stdout)).toEqual({
      environment: 'live',
      lock: join(cwd, 'prompts.lock.json'),
      outcome: 'dry-run',
      held: [{ slug: 'support-triage', environment: 'live', reason: '', version: 'v22' }],
    })
    expect(await filesIn(cwd)).toEqual(before)
  })

  test('refuses a reason that holds a key', async () => {
    const { cwd, pinned } = await heldProject()
    const before = await pinned()
    const args = ['hold', 'support-reply', '--reason', `see ${KEY}`, '--json']
    const run = await prompts(args, { cwd })
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'TEXT_HOLDS_KEY' } })
    expect(run.stdout + run.stderr).not.toContain(KEY)
    expect(await pinned()).toEqual(before)
  })

  test('leaves the lock and exits with 1 for a slug that it does not have', async () => {
    const { cwd, pinned } = await heldProject()
    const run = await prompts(['hold', 'support-reply', 'support-tirage', '--json'], { cwd })
    expect(run.code).toBe(1)
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'SLUG_UNKNOWN' } })
    expect(await pinned()).toEqual(['support-reply@v3', 'support-triage@v22: Waiting for legal'])
  })

  test.each([['hold'], ['release']])('%s without a slug is a usage error', async (command) => {
    expect((await prompts([command], { cwd: await folderWith() })).code).toBe(2)
  })
})

describe('prompts release', () => {
  test('lets the next pull update the prompt', async () => {
    const { cwd, service, pinned } = await heldProject()
    const run = await prompts(['release', 'support-triage', '--json'], { cwd })
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'written',
      held: [],
      released: ['support-triage'],
    })
    expect(await pinned()).toEqual(['support-reply@v3', 'support-triage@v22'])
    await prompts(['pull'], { cwd, env: service.live })
    expect(await pinned()).toEqual(['support-reply@v4', 'support-triage@v23'])
  })

  test('changes nothing for a prompt that is not held', async () => {
    const { cwd } = await heldProject()
    const before = await filesIn(cwd)
    const run = await prompts(['release', 'support-reply', '--json'], { cwd })
    expect(await filesIn(cwd)).toEqual(before)
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'unchanged',
      held: [HELD],
      released: [],
    })
    const shown = await prompts(['release', 'support-reply', 'support-triage'], { cwd })
    expect(shown.stdout).toBe('support-reply was not held.\nsupport-triage is released.\n')
  })

  test('warns that builds refuse the lock if the options exclude the prompt', async () => {
    const { cwd } = await heldProject()
    const exclude = "export default { exclude: ['support-triage'] }"
    await writeFile(join(cwd, 'prompts.config.mjs'), exclude)
    const run = await prompts(['release', 'support-triage'], { cwd })
    expect(run.code).toBe(0)
    expect(run.stderr).toContain('prompts pull')
    expect((await prompts(['generate'], { cwd })).stderr).toContain('LOCK_UNFIT')
  })
})

describe('a held prompt', () => {
  test('survives a merge in which the other branch pulled it and its neighbour', async () => {
    const { cwd, service, pinned } = await heldProject({ '.gitignore': '*.d.ts*\n' })
    const git = (...args: string[]): string => runGit(cwd, ...args)
    await prompts(['release', 'support-triage'], { cwd })
    commitAll(cwd, 'base')
    git('checkout', '--quiet', '-b', 'other')
    await prompts(['pull'], { cwd, env: service.live })
    git('commit', '--quiet', '-am', 'pull')
    git('checkout', '--quiet', 'main')
    await prompts(['hold', 'support-triage', '--reason', 'Waiting for legal'], { cwd })
    git('commit', '--quiet', '-am', 'hold')
    expect(() => git('merge', '--quiet', 'other')).toThrow('Command failed')
    service.forget()
    const run = await prompts(['pull', '--json'], { cwd, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({ outcome: 'written', held: [HELD] })
    expect(await pinned()).toEqual(['support-reply@v4', 'support-triage@v22: Waiting for legal'])
  })

  test.each([[['check']], [['check', '--impact']]])('is no drift for %j', async (args) => {
    const { cwd, service } = await heldProject()
    await prompts(['pull'], { cwd, env: service.live })
    service.forget()
    const run = await prompts([...args, '--json'], { cwd, env: service.live })
    expect(run.code).toBe(0)
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: true,
      findings: [],
      held: [{ ...HELD, update: UPDATE }],
    })
    expect(service.asked().join()).not.toContain('/support-triage')
    const text = await prompts(args, { cwd, env: service.live })
    expect(text.stdout).toContain('  support-triage   v22 → v23   Waiting for legal\n')
  })

  test('does not fail a complete check although the service no longer has it', async () => {
    const { cwd, service } = await heldProject()
    service.serve({ ...REPLY, version: 'v3' })
    const run = await prompts(['check', '--impact', '--json'], { cwd, env: service.live })
    expect(run.code).toBe(0)
    expect(JSON.parse(run.stdout)).toMatchObject({ held: [{ update: { kind: 'removed' } }] })
  })

  test('is in the job summary of a check', async () => {
    const { cwd, service } = await heldProject()
    await prompts(['pull'], { cwd, env: service.live })
    const summary = join(cwd, 'summary.md')
    const env = { ...service.live, GITHUB_STEP_SUMMARY: summary }
    expect((await prompts(['check', '--format', 'github'], { cwd, env })).code).toBe(0)
    expect(await readFile(summary, 'utf8')).toContain(
      'Held: support&#45;triage, v22 → v23. Waiting for legal',
    )
  })

  test('is listed with what it waits for, and not counted as an update', async () => {
    const { cwd, service } = await heldProject()
    const { stdout, stderr } = await prompts(['list', '--updates'], { cwd, env: service.live })
    expect(stdout).toMatchInlineSnapshot(`
      "  prompt           version     model   characters   variables
      support
      ~ support-reply    v3 → v4     gpt-5           15   name
      = support-triage   v22 → v23   gpt-5           17   ticket

      1 prompt held, and unchanged by pulls:
        support-triage   v22 → v23   Waiting for legal
      "
    `)
    expect(stderr).toContain('1 waiting')
    const json = await prompts(['list', '--updates', '--json'], { cwd, env: service.live })
    expect(JSON.parse(json.stdout)).toMatchObject({
      prompts: [{ held: null }, { held: 'Waiting for legal', update: UPDATE }],
    })
    const offline = await prompts(['list'], { cwd })
    expect(offline.stdout).toContain('  support-triage   v22   Waiting for legal\n')
  })

  test('is not a difference for a diff, which shows what it waits for', async () => {
    const { cwd, service } = await heldProject()
    await prompts(['pull'], { cwd, env: service.live })
    const run = await prompts(['diff'], { cwd, env: service.live })
    expect(run).toMatchObject({ code: 0, stdout: '' })
    expect(run.stderr).toContain('  support-triage   v22 → v23   Waiting for legal\n')
    const json = await prompts(['diff', '--json'], { cwd, env: service.live })
    expect(JSON.parse(json.stdout)).toMatchObject({
      prompts: [],
      held: [{ ...HELD, update: UPDATE }],
    })
    const markdown = await prompts(['diff', '--format', 'markdown'], { cwd, env: service.live })
    expect(markdown.stdout).toContain(
      '| `support-triage` | <code>v22 → v23</code> | <code>Waiting for legal</code> |',
    )
  })

  test('is compared by a diff that names it', async () => {
    const { cwd, service } = await heldProject()
    const run = await prompts(['diff', 'support-triage', '--json'], { cwd, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({
      prompts: [{ slug: 'support-triage', version: { before: 'v22', after: 'v23' } }],
    })
  })
})
