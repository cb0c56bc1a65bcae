import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  findIgnored,
  findMergeBase,
  findText,
  isTracked,
  listFiles,
  listRevisions,
  readAtRevision,
  readCommitted,
} from '../../../src/fs/git.ts'
import { commitAll, git } from '../../helpers/git-repository.ts'
import { rejection } from '../../helpers/service-client.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

test.each([
  ['color.ui', 'always'],
  ['grep.column', 'true'],
  ['grep.fullName', 'true'],
  ['grep.lineNumber', 'true'],
  ['submodule.recurse', 'true'],
])('text is found where git has %s=%s', async (key, value) => {
  const root = await temporaryFolder({ 'app/src/a.ts': 'one\ntwo three\n' })
  git(root, 'init', '--quiet')
  git(root, 'config', key, value)
  const app = join(root, 'app')
  const path = join(app, 'src/a.ts')
  expect(await findText(app, 't[a-z]*')).toEqual([
    { path, match: 'two' },
    { path, match: 'three' },
  ])
  expect(await findText(app, 'three', 'code')).toEqual([{ path, match: 'three' }])
})

test('the files of a folder are those without installed packages, committed or not', async () => {
  const code = { 'src/a.ts': '', 'node_modules/x/a.ts': '', 'app/node_modules/y/a.ts': '' }
  const root = await temporaryFolder(code)
  git(root, 'init', '--quiet')
  expect(await listFiles(root)).toEqual([join(root, 'src/a.ts')])
  commitAll(root)
  expect(await listFiles(root)).toEqual([join(root, 'src/a.ts')])
})

test('in a hook of a linked worktree, a file of a subfolder is read', async () => {
  const root = await temporaryFolder({ 'app/prompts.lock.json': '{}' })
  commitAll(root)
  const worktree = join(await temporaryFolder(), 'linked')
  git(root, 'worktree', 'add', worktree)
  vi.stubEnv('GIT_DIR', git(worktree, 'rev-parse', '--absolute-git-dir').trim())
  // As after `git --work-tree=. commit`.
  vi.stubEnv('GIT_WORK_TREE', '.')
  onTestFinished(() => void vi.unstubAllEnvs())
  const path = join(worktree, 'app/prompts.lock.json')
  expect(String(await readAtRevision(path, 'HEAD'))).toBe('{}')
})

test('the reason of git is English whatever the language of the machine', async () => {
  vi.stubEnv('LC_ALL', 'C.UTF-8')
  vi.stubEnv('LANGUAGE', 'de')
  onTestFinished(() => void vi.unstubAllEnvs())
  const path = join(await temporaryFolder(), 'prompts.lock.json')
  const { details } = await rejection(readAtRevision(path, 'HEAD'))
  expect(details).toMatchObject({ reason: expect.stringMatching(/^not a git repository/) })
})

test('where no revision can be read, the reason is a missing folder or a missing git', async () => {
  const root = await temporaryFolder()
  commitAll(root)
  const reasonOf = async (path: string): Promise<unknown> =>
    Object((await rejection(listRevisions(path))).details).reason
  const gone = join(root, 'gone')
  expect(await reasonOf(join(gone, 'prompts.lock.json'))).toBe(`there is no folder ${gone}`)
  vi.stubEnv('PATH', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await reasonOf(join(root, 'prompts.lock.json'))).toBe('git is not installed')
})

test('of a link, the file that it leads to is read, and its history', async () => {
  const root = await temporaryFolder({ 'locks/old.json': 'old' })
  commitAll(root)
  const path = join(root, 'prompts.lock.json')
  await rename(join(root, 'locks/old.json'), join(root, 'locks/new.json'))
  await symlink('locks/new.json', path)
  expect(await isTracked(path)).toBe(false)
  commitAll(root)
  expect(await isTracked(path)).toBe(true)
  const commits = await listRevisions(path)
  expect(commits).toHaveLength(2)
  for (const { commit } of commits) expect(String(await readAtRevision(path, commit))).toBe('old')
  expect(await readCommitted(path)).toEqual({ earlier: ['old', 'old'] })
  expect(await findMergeBase(path, 'HEAD')).toBe(commits[0]?.commit)
})

test('a file that was moved into another folder is read where git has diff.relative=true', async () => {
  const root = await temporaryFolder({ 'old/prompts.lock.json': 'old' })
  commitAll(root)
  await mkdir(join(root, 'app'))
  const path = join(root, 'app/prompts.lock.json')
  await rename(join(root, 'old/prompts.lock.json'), path)
  commitAll(root)
  git(root, 'config', 'diff.relative', 'true')
  expect(String(await readAtRevision(path, 'HEAD~1'))).toBe('old')
  expect(await listRevisions(path)).toHaveLength(2)
})

test('a file that was moved twice and rewritten since is read at every revision of its history', async () => {
  const root = await temporaryFolder({ 'first.json': 'one\n', 'package.json': '{}' })
  commitAll(root)
  for (const [from, to] of [
    ['first.json', 'second.json'],
    ['second.json', 'third.json'],
  ] as const) {
    await rename(join(root, from), join(root, to))
    commitAll(root)
    await writeFile(join(root, to), `${to}\n`)
    commitAll(root)
  }
  const path = join(root, 'third.json')
  const texts = ['third.json\n', 'second.json\n', 'second.json\n', 'one\n', 'one\n']
  const commits = await listRevisions(path)
  const read = commits.map(async ({ commit }) => String(await readAtRevision(path, commit)))
  expect(await Promise.all(read)).toEqual(texts)
})

test('paths that git can not know leave the answer for the others as it is', async () => {
  const root = await temporaryFolder({
    '.gitignore': '.env.local\n*.map\n',
    'lib/a.ts': '',
    'real/a.ts': '',
  })
  commitAll(join(root, 'lib'))
  await symlink('real', join(root, 'shared'))
  await symlink('..', join(root, 'above'))
  commitAll(root)
  const outside = ['lib/b.map', '../b.map', 'above/b.map', join(root, '../c.map')]
  const inside = ['.env.local', 'shared/a.map', join(root, 'real/a.map')]
  const ignored = await findIgnored(root, [...inside, 'shared/a.ts', ...outside])
  expect([...(ignored ?? [])]).toEqual(inside)
})
