import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { PinnedPrompt } from '../../src/core/prompt.ts'
import { APP_TSCONFIG, appFolder } from '../helpers/app-folder.ts'
import { folderWith, prompts } from '../helpers/cli.ts'
import { commitAll, git } from '../helpers/git-repository.ts'
import { liveLock, lockText } from '../helpers/pinned.ts'

type Prompts = readonly Partial<PinnedPrompt>[]

const LOCK = 'prompts.lock.json'
const TRIAGE = { slug: 'triage', version: 'v1', system: 'Sort {{ ticket }}.' }
const SQL = { slug: 'sql', version: 'v4', system: 'Explain {{ query }}.' }

const USES = "import { prompts } from 'virtual:prompts'\n"

/** An app that renders `triage`. */
const APP = {
  'tsconfig.json': APP_TSCONFIG,
  'src/main.ts': `${USES}prompts.triage.render({ ticket: '' })\n`,
}

function lockOf(...fields: Prompts): string {
  return lockText(liveLock(...fields))
}

/** A repository whose commit has the first lock, with the second one on disk. */
async function changed(before: Prompts, after: Prompts): Promise<string> {
  const cwd = await folderWith({ [LOCK]: lockOf(...before), 'package.json': '{}' })
  commitAll(cwd)
  await writeFile(join(cwd, LOCK), lockOf(...after))
  return cwd
}

/** Without a key, so that nothing could be asked of a service. */
async function diff(cwd: string, ...args: readonly string[]): ReturnType<typeof prompts> {
  return prompts(['diff', '--base', 'HEAD', ...args], { cwd, env: {} })
}

describe('prompts diff --base', () => {
  test('compares the lock with that of a revision, without a key', async () => {
    const renamed = { ...TRIAGE, version: 'v2', system: 'Sort {{ issue }}.' }
    const fresh = { slug: 'zeta', version: 'v1', system: 'One\nTwo' }
    const cwd = await changed([TRIAGE, SQL, { slug: 'same' }], [renamed, { slug: 'same' }, fresh])
    const run = await diff(cwd)
    expect(run.code).toBe(0)
    expect(run.stdout).toContain('     1 - Sort {{ ticket }}.\n     1 + Sort {{ issue }}.\n')
    expect(run.stdout).toContain('zeta  v1  no variables\n\n  system\n     1 + One\n     2 + Two\n')
    expect(run.stdout).not.toContain('same')
    const removed = { slug: 'sql', environment: 'live', kind: 'removed', class: 'contract' }
    const updated = {
      slug: 'triage',
      class: 'contract',
      version: { before: 'v1', after: 'v2' },
      effects: [{ kind: 'variable-renamed', from: 'ticket', to: 'issue' }, { kind: 'text' }],
    }
    expect((await diff(cwd, '--json')).json).toMatchObject({ prompts: [removed, updated, {}] })
    expect((await diff(cwd, 'sql', '--json')).json).toMatchObject({ prompts: [removed] })
    expect(await diff(cwd, 'none', '--json')).toMatchObject({ code: 1 })
  })

  test('exits with 3 for --fail-on any and breaking, and with 1 if that cannot be analysed', async () => {
    const cwd = await appFolder({ ...APP, [LOCK]: lockOf(TRIAGE) })
    commitAll(cwd)
    for (const { system, any, breaking } of [
      { system: TRIAGE.system, any: 0, breaking: 0 },
      { system: 'Rank {{ ticket }}', any: 3, breaking: 0 },
      { system: 'Sort {{ issue }}.', any: 3, breaking: 3 },
    ]) {
      await writeFile(join(cwd, LOCK), lockOf({ ...TRIAGE, system }))
      expect({ system, ...(await diff(cwd, '--fail-on', 'any')) }).toMatchObject({ code: any })
      const run = await diff(cwd, '--fail-on', 'breaking')
      expect({ system, ...run }).toMatchObject({ code: breaking })
    }
    await writeFile(join(cwd, 'tsconfig.json'), '{ "extends": "./nowhere.json" }')
    expect(await diff(cwd, '--fail-on', 'breaking')).toMatchObject({ code: 1 })
  })

  test('does not call a lock with another hold the same', async () => {
    const cwd = await changed([TRIAGE], [{ ...TRIAGE, held: { reason: 'Waiting' } }])
    const stderr = 'No prompt differs from prompts.lock.json at HEAD.\n'
    expect(await diff(cwd, '--fail-on', 'any')).toEqual({ code: 0, stdout: '', stderr })
  })

  test('shows what this branch changed, not what the other one did meanwhile', async () => {
    const cwd = await changed([TRIAGE, SQL], [TRIAGE, SQL])
    git(cwd, 'checkout', '--quiet', '-b', 'feature')
    git(cwd, 'checkout', '--quiet', 'main')
    await writeFile(join(cwd, LOCK), lockOf({ ...TRIAGE, version: 'v2' }, SQL))
    git(cwd, 'commit', '--quiet', '-am', 'main moved on')
    git(cwd, 'checkout', '--quiet', 'feature')
    const base = ['diff', '--base', 'main', '--fail-on', 'any', '--json']
    expect(await prompts(base, { cwd, env: {} })).toMatchObject({ code: 0 })
    await writeFile(join(cwd, LOCK), lockOf(TRIAGE, { ...SQL, version: 'v5' }))
    git(cwd, 'commit', '--quiet', '-am', 'feature')
    // As GitHub's checkout of a pull request.
    git(cwd, 'merge', '--quiet', '-X', 'ours', 'main')
    const merged = { code: 3, json: { prompts: [{ slug: 'sql' }] } }
    expect(await prompts(base, { cwd, env: {} })).toMatchObject(merged)
  })

  test('says what to fetch in a shallow clone that lacks the common commit', async () => {
    const origin = await changed([TRIAGE], [TRIAGE])
    git(origin, 'checkout', '--quiet', '-b', 'feature')
    git(origin, 'commit', '--quiet', '--allow-empty', '-m', 'on the branch')
    git(origin, 'checkout', '--quiet', 'main')
    git(origin, 'commit', '--quiet', '--allow-empty', '-m', 'on main')
    const folder = await folderWith({})
    const cwd = join(folder, 'clone')
    const shallow = '--quiet --depth 1 --no-single-branch --branch feature'.split(' ')
    git(folder, 'clone', ...shallow, `file://${origin}`, cwd)
    const args = ['diff', '--base', 'origin/main', '--json']
    const error = { code: 'REVISION_UNREADABLE', fix: expect.stringContaining('--unshallow') }
    expect(await prompts(args, { cwd, env: {} })).toMatchObject({ code: 1, json: { error } })
    const unknown = await prompts(['diff', '--base', 'unknown', '--json'], { cwd, env: {} })
    expect(unknown.stdout).toContain('--unshallow')
    git(cwd, 'fetch', '--quiet', '--unshallow')
    expect(await prompts(args, { cwd, env: {} })).toMatchObject({ code: 0 })
  })

  test('blames neither the lock on disk nor a shallow clone for a broken lock in the revision', async () => {
    const lock = lockOf(TRIAGE)
    const cwd = await folderWith({ 'package.json': '{}' })
    for (const broken of ['{', lock.replace('Sort', 'Rank'), `<<<<<<< HEAD\n${lock}`]) {
      await writeFile(join(cwd, LOCK), broken)
      commitAll(cwd)
      await writeFile(join(cwd, LOCK), lock)
      for (const line of ['diff --base HEAD', 'restore triage --from HEAD']) {
        const { json } = await prompts([...line.split(' '), '--json'], { cwd, env: {} })
        const fix = 'Name another branch, tag or commit.'
        expect({ line, ...json.error }).toMatchObject({ line, code: 'REVISION_UNREADABLE', fix })
      }
    }
  })

  test('treats a revision without a lock as an empty one', async () => {
    const cwd = await folderWith({ 'package.json': '{}' })
    commitAll(cwd)
    await writeFile(join(cwd, LOCK), lockOf(TRIAGE))
    const added = { prompts: [{ slug: 'triage', kind: 'added' }] }
    expect((await diff(cwd, '--json')).json).toMatchObject(added)
  })

  test('finds a lock that was moved since', async () => {
    const cwd = await folderWith({ [LOCK]: lockOf(TRIAGE, SQL), 'package.json': '{}' })
    commitAll(cwd)
    await mkdir(join(cwd, 'app'))
    git(cwd, 'mv', LOCK, `app/${LOCK}`)
    await writeFile(join(cwd, 'app', LOCK), lockOf({ ...TRIAGE, version: 'v2' }, SQL))
    expect((await diff(join(cwd, 'app'), '--json')).json).toMatchObject({
      prompts: [{ slug: 'triage', kind: 'updated', version: { before: 'v1', after: 'v2' } }],
      unchanged: 1,
    })
  })

  test('fails for an unknown revision, for what looks like an option, and outside of git', async () => {
    const cwd = await changed([TRIAGE], [SQL])
    const failed = { code: 1, json: { error: { code: 'REVISION_UNREADABLE' } } }
    for (const base of ['no-such-branch', '--output=x']) {
      const run = await prompts(['diff', `--base=${base}`, '--json'], { cwd, env: {} })
      expect(run).toMatchObject(failed)
    }
    await rm(join(cwd, '.git'), { recursive: true })
    expect(await diff(cwd, '--json')).toMatchObject(failed)
  })

  test('names the files that use a changed prompt, test files among them', async () => {
    const cwd = await appFolder({
      [LOCK]: lockOf(TRIAGE, SQL),
      'tsconfig.json': APP_TSCONFIG,
      'src/triage.ts': `import { prompts } from 'virtual:prompts'\nexport const sort = () => prompts.triage.render({ ticket: 'x' })\n`,
      'src/triage.test.ts': `import { sort } from './triage'\nsort()\n`,
      'src/sql.ts': `import { prompts } from 'virtual:prompts'\nexport const explain = prompts.sql\n`,
    })
    commitAll(cwd)
    await writeFile(join(cwd, LOCK), lockOf({ ...TRIAGE, version: 'v2' }, SQL))
    await prompts(['generate'], { cwd, env: {} })
    const files = ['src/triage.test.ts', 'src/triage.ts']
    expect((await diff(cwd, '--json')).json).toMatchObject({ prompts: [{ slug: 'triage', files }] })
  })
})
