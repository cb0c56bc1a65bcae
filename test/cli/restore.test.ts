import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GONE, REPLY, TRIAGE } from '../helpers/breaking-update.ts'
import { filesIn, prompts, promptsOnScreen } from '../helpers/cli.ts'
import { commitAll, git as runGit } from '../helpers/git-repository.ts'
import { type AppWithPrompts, appWithPrompts, pinnedIn } from '../helpers/pinned-project.ts'

interface Repository extends AppWithPrompts {
  readonly git: (...args: readonly string[]) => string
}

/** A repository whose tag `v1` has older prompts than its work tree; the service is newer still. */
async function repository(): Promise<Repository> {
  const use = "prompts.triage.render({ ticket: '', tone: '' })"
  const app = await appWithPrompts([GONE, REPLY, TRIAGE], use)
  const { cwd, service } = app
  commitAll(cwd, 'one')
  const git: Repository['git'] = (...args) => runGit(cwd, ...args)
  git('tag', 'v1')
  const newer = { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} by {{ tone }}' }
  service.serve({ ...REPLY, version: 'v4', system: 'Hello {{ name }}' }, newer)
  await prompts(['pull', '--yes'], app)
  git('commit', '--quiet', '-am', 'two')
  service.serve({ ...REPLY, version: 'v5' }, { ...newer, version: 'v24' })
  service.forget()
  return { ...app, git }
}

const NOW = ['reply@v4 Hello {{ name }}', 'triage@v23 Sort {{ ticket }} by {{ tone }}']
const RESTORED = 'reply@v3 Dear {{ name }} (restored from v1)'

describe('prompts restore', () => {
  test('pins the text of a revision and holds it, without a key or a request', async () => {
    const { cwd, env, service } = await repository()
    const run = await prompts(['restore', 'reply', '--from', 'v1', '--yes'], { cwd })
    expect(run.code).toBe(0)
    expect(run.stdout).toMatchInlineSnapshot(`
      "~ text  reply  v4 → v3  system text changed

        system
           1 - Hello {{ name }}
           1 + Dear {{ name }}

      1 version held: pulls skip it until \`prompts unhold\`:
        reply   v3   restored from v1
      "
    `)
    expect(await pinnedIn(cwd)).toEqual([RESTORED, NOW[1]])
    expect(service.asked()).toEqual([])
    await prompts(['pull'], { cwd, env })
    expect((await pinnedIn(cwd))[0]).toBe(RESTORED)
  })

  test('takes back from HEAD what was not committed: an edit, and the hold that it brought', async () => {
    const { cwd, git } = await repository()
    const committed = await filesIn(cwd)
    await writeFile(join(cwd, 'new.md'), 'Hi {{ name }}')
    await prompts(['edit', 'reply', '--system-file', 'new.md', '--yes'], { cwd })
    await rm(join(cwd, 'new.md'))
    await prompts(['hold', 'triage', '--reason', 'Legal'], { cwd })
    expect((await pinnedIn(cwd)).join()).toMatch(/reply@v4-edited Hi.*triage.*\(Legal\)/)
    for (const slug of ['reply', 'triage']) {
      const run = await prompts(['restore', slug, '--from', 'HEAD', '--yes', '--json'], { cwd })
      expect(run.json).toMatchObject({ outcome: 'written' })
    }
    expect(await filesIn(cwd)).toEqual(committed)
    await prompts(['hold', 'reply', '--reason', 'Legal'], { cwd })
    git('commit', '--quiet', '-am', 'held')
    await prompts(['unhold', 'reply'], { cwd })
    await prompts(['restore', 'reply', '--from', 'HEAD', '--yes'], { cwd })
    expect((await pinnedIn(cwd))[0]).toBe('reply@v4 Hello {{ name }} (Legal)')
  })

  test('brings a removed prompt back, with its declarations', async () => {
    const { cwd } = await repository()
    const args = ['restore', 'gone', '--from', 'HEAD~1', '--reason', 'Needed', '--yes', '--json']
    expect((await prompts(args, { cwd })).json).toMatchObject({
      outcome: 'written',
      changes: [{ slug: 'gone', kind: 'added' }],
      impact: [],
      held: [{ slug: 'gone', version: 'v1', reason: 'Needed' }],
    })
    expect(await pinnedIn(cwd)).toEqual(['gone@v1 Bye (Needed)', ...NOW])
    expect((await prompts(['check', '--offline'], { cwd })).code).toBe(0)
  })

  test('writes nothing off a terminal if the app breaks, with --dry-run, and for the same text', async () => {
    const { cwd } = await repository()
    const before = await filesIn(cwd)
    const restore = (...args: string[]): ReturnType<typeof prompts> =>
      prompts(['restore', ...args, '--json'], { cwd })
    const breaking = ['triage', '--from', 'v1']
    const declined = await restore(...breaking)
    expect(declined.code).toBe(3)
    expect(declined.json).toMatchObject({
      outcome: 'declined',
      impact: [{ file: 'src/main.ts', line: 2, slug: 'triage' }],
      next: ['prompts', 'restore', ...breaking, '--json', '--yes'],
      held: [],
    })
    const dry = await restore('reply', '--from', 'v1', '--dry-run')
    expect(dry).toMatchObject({ code: 0, json: { outcome: 'dry-run' } })
    const unchanged = { outcome: 'unchanged', changes: [], held: [] }
    expect((await restore('reply', '--from', 'HEAD')).json).toMatchObject(unchanged)
    expect(await filesIn(cwd)).toEqual(before)
  })

  test('asks on a terminal, also if no line stops compiling, and not the second time', async () => {
    const { cwd } = await repository()
    const steps = [{ await: 'Write prompts.lock.json and prompts.d.ts?', send: '\r' }]
    const reply = ['restore', 'reply', '--from', 'v1']
    expect((await promptsOnScreen(reply, { cwd, steps })).code).toBe(0)
    expect(await pinnedIn(cwd)).toEqual([RESTORED, NOW[1]])
    const again = await prompts([...reply, '--json'], { cwd })
    expect(again).toMatchObject({ code: 0, json: { outcome: 'unchanged' } })
    const anyway = [{ await: 'Write prompts.lock.json and prompts.d.ts anyway?', send: '\r' }]
    const triage = ['restore', 'triage', '--from', 'v1']
    expect((await promptsOnScreen(triage, { cwd, steps: anyway })).code).toBe(3)
    expect(await pinnedIn(cwd)).toEqual([RESTORED, NOW[1]])
  })

  test('holds a text that is the pinned one already', async () => {
    const { cwd } = await repository()
    const restore = ['restore', 'reply', '--from', 'v1', '--yes']
    await prompts(restore, { cwd })
    await prompts(['unhold', 'reply'], { cwd })
    await prompts(restore, { cwd })
    expect((await pinnedIn(cwd))[0]).toBe(RESTORED)
  })

  test('leaves the lock for what the revision does not have, and outside of a repository', async () => {
    const { cwd, git } = await repository()
    const path = join(cwd, 'prompts.lock.json')
    const text = await readFile(path, 'utf8')
    git('rm', '--quiet', '--cached', 'prompts.lock.json')
    git('commit', '--quiet', '-m', 'empty')
    git('tag', 'empty')
    const refused = async (line: string, code: string): Promise<void> => {
      const run = await prompts(['restore', ...line.split(' '), '--yes', '--json'], { cwd })
      expect({ line, ...run }).toMatchObject({ line, code: 1, json: { error: { code } } })
      expect(await readFile(path, 'utf8')).toBe(text)
    }
    await refused('reply --from v9', 'REVISION_UNREADABLE')
    await refused('reply --from=--all', 'REVISION_UNREADABLE')
    await refused('reply --from empty', 'REVISION_UNREADABLE')
    await refused('replay --from v1', 'SLUG_UNKNOWN')
    await refused('reply --environment test --from v1', 'SLUG_UNKNOWN')
    await rm(join(cwd, '.git'), { recursive: true })
    await refused('reply --from v1', 'REVISION_UNREADABLE')
  })
})
