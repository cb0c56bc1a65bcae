import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { LogJson } from '../../src/cli/commands/log.ts'
import type { ChangeRow } from '../../src/core/change-row.ts'
import { describePart, type PinnedPrompt } from '../../src/core/prompt.ts'
import { folderWith, prompts } from '../helpers/cli.ts'
import { branch, commitAll, git, importBranches } from '../helpers/git-repository.ts'
import { type GivenLock, lockOf, lockText } from '../helpers/pinned.ts'

const LOCK = 'prompts.lock.json'
const SQL = { slug: 'sql', version: 'v4', system: 'Explain {{ query }}.' }

/** A version of `triage`, with a text of its own. */
function triage(version: number): Partial<PinnedPrompt> {
  return { slug: 'triage', version: `v${version}`, system: `Sort {{ ticket }} (${version}).` }
}

/** The text of a lock. */
function printed(...live: readonly Partial<PinnedPrompt>[]): string {
  return lockText(lockOf({ live }))
}

/** A repository with these commits on `main`, which one process of git makes. */
async function history(...commits: readonly string[]): Promise<string> {
  const cwd = await folderWith()
  importBranches(cwd, [branch('main', { 'package.json': '{}' }), ...commits])
  git(cwd, 'checkout', '--quiet', 'main')
  return cwd
}

/** A commit for each text of the lock; `null` removes it. */
function repository(...locks: readonly (string | null)[]): Promise<string> {
  return history(...locks.map((lock) => branch('main', { [LOCK]: lock })))
}

async function log(cwd: string, ...args: readonly string[]): Promise<LogJson> {
  const run = await prompts(['log', ...args, '--json'], { cwd, env: {} })
  expect(run).toMatchObject({ code: 0 })
  return run.json as LogJson
}

/** The rows of each commit: `triage v1 → v2`. */
function versions({ entries }: LogJson): string[] {
  return entries.map(({ rows }) => rows?.map(describeRow).join(', ') ?? 'not valid')
}

function describeRow({ slug, environment, version: { before, after } }: ChangeRow): string {
  return `${describePart({ slug, environment })} ${before} → ${after}`
}

async function errorCode(cwd: string, ...args: readonly string[]): Promise<string> {
  const run = await prompts(['log', ...args, '--json'], { cwd, env: {} })
  expect(run).toMatchObject({ code: 1 })
  return run.json.error.code
}

describe('prompts log', () => {
  test('shows what each commit changed, newest first, and how to restore a prompt', async () => {
    const cwd = await repository(
      printed(SQL, triage(1)),
      printed(SQL, { ...triage(2), system: 'Sort {{ issue }}.' }),
    )
    const run = await prompts(['log'], { cwd, env: {} })
    expect(run.code).toBe(0)
    expect(run.stdout.replaceAll(/^[\da-f]{10} {2}\d{4}-\d\d-\d\d/gm, '<commit>  <date>'))
      .toMatchInlineSnapshot(`
        "<commit>  <date>  A  
        ~ contract   triage   v1 → v2   ticket → issue (renamed?), system text changed

        <commit>  <date>  A  
        + added   sql      v4   +query
        + added   triage   v1   +ticket
        "
      `)
    expect(run.stderr).toContain('prompts restore <slug> --from <commit>` brings')
    const { commit } = (await log(cwd)).entries[1] ?? {}
    const args = ['restore', 'triage', '--from', commit?.slice(0, 10) ?? '', '--dry-run', '--json']
    const { json } = await prompts(args, { cwd, env: {} })
    expect(json).toMatchObject({ changes: [{ version: { after: 'v1' } }] })
  })

  test('shows live and staging parts, and the commit of each', async () => {
    const staged: readonly GivenLock[] = [
      { live: [SQL, triage(1)] },
      { live: [SQL, triage(1)], staging: [triage(2)] },
      { live: [SQL, triage(2)] },
    ]
    const cwd = await repository(...staged.map((lock) => lockText(lockOf(lock))))
    const found = await log(cwd, 'triage')
    expect(versions(found)).toEqual([
      'triage v1 → v2, triage (staging) v2 → v2',
      'triage (staging) v1 → v2',
      'triage null → v1',
    ])
    const [newest] = found.entries
    expect(newest?.commit).toBe(git(cwd, 'rev-parse', 'HEAD').trim())
    expect(newest?.date).toBe(git(cwd, 'log', '-1', '--format=%cI').trim())
    expect(newest?.author).toBe('A')
    expect(newest?.subject).toBe(git(cwd, 'log', '-1', '--format=%s').trim())
    git(cwd, 'checkout', '--quiet', 'HEAD~1')
    const { stderr } = await prompts(['log', 'triage', '--limit', '1'], { cwd, env: {} })
    expect(stderr).toContain('prompts restore triage --from <commit> --environment test`')
  })

  test('leaves out commits that changed no prompt, or another one', async () => {
    const held = { ...triage(1), held: { reason: 'Waiting' } }
    const cwd = await repository(printed(triage(1)), printed(held), printed(SQL, held))
    expect(versions(await log(cwd))).toEqual(['sql null → v4', 'triage null → v1'])
    expect(versions(await log(cwd, 'triage'))).toEqual(['triage null → v1'])
  })

  test('ends at the limit, and says that older commits were not read', async () => {
    const cwd = await repository(printed(triage(1)), printed(triage(2)), printed(triage(3)))
    const found = await log(cwd, '--limit', '2')
    expect(versions(found)).toEqual(['triage v2 → v3', 'triage v1 → v2'])
    expect(found.end).toBe('limit')
    const { stderr } = await prompts(['log', '--limit', '2'], { cwd, env: {} })
    expect(stderr).toContain('--limit')
    expect((await log(cwd, '--limit', '3')).end).toBe('start')
  })

  test('shows the commits of a merged branch, of a merge what neither branch had, and nothing discarded', async () => {
    const commit = (name: string, sql: number, number: number, from?: string, merge?: string) =>
      branch(
        name,
        { [LOCK]: printed({ ...SQL, version: `v${sql}` }, triage(number)) },
        from,
        merge === undefined ? {} : { merge },
      )
    const cwd = await history(
      commit('main', 4, 1),
      commit('feature', 4, 2, 'main'),
      commit('main', 5, 1),
      commit('main', 5, 2, undefined, 'feature'),
      commit('other', 6, 3, 'main'),
      commit('main', 7, 2),
      commit('main', 8, 3, undefined, 'other'),
      commit('discarded', 9, 9, 'main'),
      commit('main', 8, 3, undefined, 'discarded'),
    )
    const [newest, ...older] = versions(await log(cwd))
    expect(newest).toBe('sql v7 → v8')
    expect(older.toSorted()).toEqual([
      'sql null → v4, triage null → v1',
      'sql v4 → v5',
      'sql v5 → v6, triage v2 → v3',
      'sql v5 → v7',
      'triage v1 → v2',
    ])
  })

  test.each([
    { order: 'before', date: 1, commits: ['triage v1 → v2', 'sql v4 → v5'] },
    // Git looks for the new name only, so the merge has the change.
    { order: 'after', date: 3, commits: ['sql v4 → v5', 'triage v1 → v2'] },
  ])(
    'follows a renamed lock, and a branch that changed it under its former name $order that',
    async ({ date, commits }) => {
      const moved = (lock: string) => ({ [LOCK]: null, [`app/${LOCK}`]: lock })
      const newSql = { ...SQL, version: 'v5' }
      const cwd = await history(
        branch('main', { [LOCK]: printed(SQL, triage(1)), 'app/package.json': '{}' }),
        branch('feature', { [LOCK]: printed(newSql, triage(1)) }, 'main', { date }),
        branch('main', moved(printed(SQL, triage(2))), undefined, { date: 2 }),
        branch('main', moved(printed(newSql, triage(2))), undefined, { merge: 'feature', date: 4 }),
      )
      const found = await log(join(cwd, 'app'))
      expect(found.end).toBe('start')
      expect(versions(found)).toEqual([...commits, 'sql null → v4, triage null → v1'])
    },
  )

  test('does not take the end of a shallow clone for the beginning', async () => {
    const origin = await repository(printed(triage(1)), printed(triage(2)), printed(triage(3)))
    const folder = await folderWith({})
    const cwd = join(folder, 'clone')
    git(folder, 'clone', '--quiet', '--depth', '2', `file://${origin}`, cwd)
    const found = await log(cwd)
    expect(versions(found)).toEqual(['triage v2 → v3'])
    expect(found.end).toBe('shallow')
    expect((await prompts(['log'], { cwd, env: {} })).stderr).toContain('git fetch --unshallow')
    git(cwd, 'fetch', '--quiet', '--depth', '1')
    git(cwd, 'reset', '--quiet', '--hard', 'origin/main')
    expect(await log(cwd, 'triage')).toMatchObject({ end: 'shallow' })
    git(cwd, 'fetch', '--quiet', '--unshallow')
    expect(versions(await log(cwd))).toHaveLength(3)
  })

  test('tells that a lock is not valid, and next what changed since the last valid one', async () => {
    const valid = printed(SQL, triage(1))
    const conflict = `<<<<<<< HEAD\n${valid}=======\n>>>>>>> x\n`
    const edited = printed(triage(2)).replace('Sort', 'Rank')
    const broken = [conflict, edited, '{', '']
    const cwd = await repository(valid, ...broken, printed(SQL, triage(2)))
    expect(versions(await log(cwd))).toEqual([
      'triage v1 → v2',
      ...broken.map(() => 'not valid'),
      'sql null → v4, triage null → v1',
    ])
    const { stdout } = await prompts(['log'], { cwd, env: {} })
    expect(stdout).toContain('▲ The lock of this commit is not valid.\n')
    const clone = await folderWith({})
    git(clone, 'clone', '--quiet', '--depth', '2', `file://${cwd}`, '.')
    expect(await log(clone)).toMatchObject({ entries: [], end: 'shallow' })
  })

  test('counts a removed lock as one without prompts, and goes on where it comes back', async () => {
    const cwd = await repository(printed(triage(1)), null, printed(triage(2)))
    expect(versions(await log(cwd))).toEqual([
      'triage null → v2',
      'triage v1 → null',
      'triage null → v1',
    ])
  })

  test('prints the same with every configuration of git', async () => {
    const cwd = await repository(printed(triage(1)), printed(triage(2)))
    const expected = await log(cwd)
    expect(versions(expected)).toHaveLength(2)
    const settings = `[color]\nui = always\n[log]\nshowRoot = false\nshowSignature = true\ndecorate = full
[diff]\nrenames = false\n[core]\nabbrev = 4\n[i18n]\nlogOutputEncoding = UTF-16\n`
    await appendFile(join(cwd, '.git/config'), settings)
    expect(await log(cwd)).toEqual(expected)
  })

  test('prints neither the escape sequences of an author or a subject nor those of a label', async () => {
    const cwd = await repository()
    await writeFile(join(cwd, LOCK), printed({ ...triage(1), version: 'v1\u001b[2J' }))
    git(cwd, 'add', '--all')
    git(cwd, 'commit', '--quiet', '--author', 'E\u001b[2Jve <e@example.com>', '-m', 'a\u001b[2Jb')
    const { stdout } = await prompts(['log'], { cwd, env: {} })
    expect(stdout).not.toContain('\u001b')
    expect(stdout).toContain('  Eve  ab\n')
  })

  test('says of a prompt that is pinned and in no commit that none has changed it', async () => {
    const cwd = await repository(printed(triage(1)))
    await writeFile(join(cwd, LOCK), printed(SQL, triage(1)))
    expect(await log(cwd, 'sql')).toMatchObject({ entries: [], end: 'start' })
  })

  test('fails outside of a repository, before the first commit and for a prompt that no lock had', async () => {
    const cwd = await folderWith({ [LOCK]: printed(triage(1)), 'package.json': '{}' })
    expect(await errorCode(cwd)).toBe('REVISION_UNREADABLE')
    git(cwd, 'init', '--quiet')
    expect(await errorCode(cwd)).toBe('REVISION_UNREADABLE')
    commitAll(cwd)
    expect(await errorCode(cwd, 'triag')).toBe('SLUG_UNKNOWN')
    expect(await log(await repository())).toMatchObject({ entries: [], end: 'start' })
  })
})
