import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { printLock } from '../../src/core/lock/print-lock.ts'
import type { PinnedPrompt } from '../../src/core/prompt.ts'
import { sha256 } from '../../src/fs/files.ts'
import { APP_TSCONFIG, appFolder } from '../helpers/app-folder.ts'
import { folderWith, prompts } from '../helpers/cli.ts'
import { commitAll, git } from '../helpers/git-repository.ts'
import { liveLock } from '../helpers/pinned.ts'

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
  return printLock(liveLock(...fields), sha256)
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
    const cwd = await changed([TRIAGE, SQL], [{ ...TRIAGE, system: 'Rank {{ ticket }}.' }, SQL])
    const run = await diff(cwd)
    expect(run.code).toBe(0)
    expect(run.stdout).toContain('   1 - Sort {{ ticket }}.\n')
    expect(run.stdout).toContain('   1 + Rank {{ ticket }}.\n')
    expect(run.stdout).not.toContain('sql')
  })

  test('prints class and variables as JSON', async () => {
    const renamed = { ...TRIAGE, version: 'v2', system: 'Sort {{ issue }}.' }
    const cwd = await changed([TRIAGE, SQL], [renamed])
    const run = await diff(cwd, '--json')
    expect(JSON.parse(run.stdout)).toMatchObject({
      prompts: [
        { slug: 'sql', environment: 'live', kind: 'removed', class: 'contract' },
        {
          slug: 'triage',
          class: 'contract',
          version: { before: 'v1', after: 'v2' },
          effects: [{ kind: 'variable-renamed', from: 'ticket', to: 'issue' }, { kind: 'text' }],
        },
      ],
    })
  })

  test.each([
    { change: 'a text', system: 'Rank {{ ticket }}.', any: 3, breaking: 0 },
    { change: 'a variable', system: 'Sort {{ issue }}.', any: 3, breaking: 3 },
    { change: 'nothing', system: TRIAGE.system, any: 0, breaking: 0 },
  ])(
    'exits with $any for --fail-on any, $breaking for --fail-on breaking, if $change differs',
    async ({ system, any, breaking }) => {
      const cwd = await appFolder({ ...APP, [LOCK]: lockOf(TRIAGE) })
      commitAll(cwd)
      await writeFile(join(cwd, LOCK), lockOf({ ...TRIAGE, system }))
      expect(await diff(cwd, '--fail-on', 'any')).toMatchObject({ code: any })
      expect(await diff(cwd, '--fail-on', 'breaking')).toMatchObject({ code: breaking })
      expect(await diff(cwd)).toMatchObject({ code: 0 })
    },
  )

  test('exits with 3 for an added prompt that takes an identifier from the app', async () => {
    const cwd = await appFolder({ ...APP, [LOCK]: lockOf({ ...TRIAGE, slug: 'a-b' }) })
    await writeFile(join(cwd, 'src/main.ts'), `${USES}prompts.aB.render({ ticket: '' })\n`)
    commitAll(cwd)
    await writeFile(join(cwd, LOCK), lockOf({ ...TRIAGE, slug: 'a-b' }, { ...SQL, slug: 'a_b' }))
    expect(await diff(cwd, '--fail-on', 'breaking')).toMatchObject({ code: 3 })
  })

  test('does not call what it could not analyse unbroken', async () => {
    const tsconfig = { 'tsconfig.json': '{ "extends": "./nowhere.json" }' }
    const cwd = await appFolder({ ...APP, ...tsconfig, [LOCK]: lockOf(TRIAGE) })
    commitAll(cwd)
    await writeFile(join(cwd, LOCK), lockOf({ ...TRIAGE, system: 'Sort {{ issue }}.' }))
    expect(await diff(cwd, '--fail-on', 'breaking')).toMatchObject({ code: 1 })
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
    const merged = await prompts(base, { cwd, env: {} })
    expect(merged.code).toBe(3)
    expect(JSON.parse(merged.stdout)).toMatchObject({ prompts: [{ slug: 'sql' }] })
  })

  test('says what to fetch in a shallow clone that lacks the common commit', async () => {
    const origin = await changed([TRIAGE], [TRIAGE])
    git(origin, 'checkout', '--quiet', '-b', 'feature')
    git(origin, 'commit', '--quiet', '--allow-empty', '-m', 'on the branch')
    git(origin, 'checkout', '--quiet', 'main')
    git(origin, 'commit', '--quiet', '--allow-empty', '-m', 'on main')
    const folder = await folderWith({})
    const cwd = join(folder, 'clone')
    git(
      folder,
      'clone',
      '--quiet',
      '--depth',
      '1',
      '--no-single-branch',
      '--branch',
      'feature',
      `file://${origin}`,
      cwd,
    )
    const args = ['diff', '--base', 'origin/main', '--json']
    const run = await prompts(args, { cwd, env: {} })
    expect(run.code).toBe(1)
    expect(JSON.parse(run.stdout)).toMatchObject({
      error: { code: 'REVISION_UNREADABLE', fix: expect.stringContaining('--unshallow') },
    })
    const unknown = await prompts(['diff', '--base', 'unknown', '--json'], { cwd, env: {} })
    expect(unknown.stdout).toContain('--unshallow')
    git(cwd, 'fetch', '--quiet', '--unshallow')
    expect(await prompts(args, { cwd, env: {} })).toMatchObject({ code: 0 })
  })

  test.each([
    ['garbage', '{'],
    ['an edited entry', lockOf(TRIAGE).replace('Sort', 'Rank')],
    ['a conflict', `<<<<<<< HEAD\n${lockOf(TRIAGE)}`],
  ])(
    'blames neither the lock on disk nor a shallow clone for %s in the revision',
    async (_, broken) => {
      const cwd = await folderWith({ [LOCK]: broken, 'package.json': '{}' })
      commitAll(cwd)
      await writeFile(join(cwd, LOCK), lockOf(TRIAGE))
      for (const args of [
        ['diff', '--base', 'HEAD'],
        ['restore', 'triage', '--from', 'HEAD'],
      ]) {
        const run = await prompts([...args, '--json'], { cwd, env: {} })
        const { error } = JSON.parse(run.stdout)
        expect(error).toMatchObject({ code: 'REVISION_UNREADABLE' })
        expect(error.fix).toBe('Name another branch, tag or commit.')
      }
    },
  )

  test('treats a revision without a lock as an empty one', async () => {
    const cwd = await folderWith({ 'package.json': '{}' })
    commitAll(cwd)
    await writeFile(join(cwd, LOCK), lockOf(TRIAGE))
    const { stdout } = await diff(cwd, '--json')
    expect(JSON.parse(stdout)).toMatchObject({ prompts: [{ slug: 'triage', kind: 'added' }] })
  })

  test('finds a lock that was moved since', async () => {
    const cwd = await folderWith({ [LOCK]: lockOf(TRIAGE, SQL), 'package.json': '{}' })
    commitAll(cwd)
    await mkdir(join(cwd, 'app'))
    git(cwd, 'mv', LOCK, `app/${LOCK}`)
    await writeFile(join(cwd, 'app', LOCK), lockOf({ ...TRIAGE, version: 'v2' }, SQL))
    const { stdout } = await diff(join(cwd, 'app'), '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      prompts: [{ slug: 'triage', kind: 'updated', version: { before: 'v1', after: 'v2' } }],
      unchanged: 1,
    })
  })

  test('shows only the prompts that are named', async () => {
    const after = [TRIAGE, SQL].map((prompt) => ({ ...prompt, version: 'v9' }))
    const cwd = await changed([TRIAGE, SQL], after)
    const { stdout } = await diff(cwd, 'sql', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ prompts: [{ slug: 'sql' }] })
    expect(await diff(cwd, 'none', '--json')).toMatchObject({ code: 1 })
  })

  test.each([
    { problem: 'an unknown revision', base: 'no-such-branch' },
    { problem: 'what looks like an option of git', base: '--output=x' },
  ])('fails for $problem', async ({ base }) => {
    const cwd = await changed([TRIAGE], [SQL])
    const run = await prompts(['diff', `--base=${base}`, '--json'], { cwd, env: {} })
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'REVISION_UNREADABLE' } })
    expect(run.code).toBe(1)
  })

  test('fails outside of a repository', async () => {
    const cwd = await changed([TRIAGE], [SQL])
    await rm(join(cwd, '.git'), { recursive: true })
    const run = await diff(cwd, '--json')
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'REVISION_UNREADABLE' } })
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
    const { stdout } = await diff(cwd, '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      prompts: [{ slug: 'triage', files: ['src/triage.test.ts', 'src/triage.ts'] }],
    })
  })
})
