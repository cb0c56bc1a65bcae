import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { APP_TSCONFIG, installTypes } from '../helpers/app-folder.ts'
import { filesIn, folderWith, prompts, promptsOnScreen } from '../helpers/cli.ts'
import { commitAll, git as runGit } from '../helpers/git-repository.ts'
import { testService, type TestService } from '../helpers/local-service.ts'
import { parsedLock } from '../helpers/pinned.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'

const GONE = { slug: 'gone', version: 'v1', system: 'Bye' }
const REPLY = { slug: 'reply', version: 'v3', system: 'Dear {{ name }}' }
const TRIAGE = { slug: 'triage', version: 'v22', system: 'Sort {{ ticket }}' }

const FILES = {
  '.gitignore': 'node_modules\n*.d.ts*\n',
  'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
  'src/main.ts': `import { prompts } from 'virtual:prompts'
prompts.triage.render({ ticket: '', tone: '' })
`,
}

interface Repository {
  readonly cwd: string
  readonly service: TestService
  readonly git: (...args: readonly string[]) => string
}

/** A repository whose tag `v1` has older prompts than its work tree; the service is newer still. */
async function repository(): Promise<Repository> {
  const service = await testService([GONE, REPLY, TRIAGE])
  const cwd = await pinnedProject(service, FILES)
  await installTypes(cwd)
  commitAll(cwd, 'one')
  const git: Repository['git'] = (...args) => runGit(cwd, ...args)
  git('tag', 'v1')
  const newer = { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} by {{ tone }}' }
  service.serve({ ...REPLY, version: 'v4', system: 'Hello {{ name }}' }, newer)
  await prompts(['pull', '--yes'], { cwd, env: service.live })
  git('commit', '--quiet', '-am', 'two')
  service.serve({ ...REPLY, version: 'v5' }, { ...newer, version: 'v24' })
  service.forget()
  return { cwd, service, git }
}

async function pinnedIn(cwd: string): Promise<string[]> {
  const lock = parsedLock(await readFile(join(cwd, 'prompts.lock.json'), 'utf8'))
  return lock.parts.map(
    ({ slug, version, system, held }) =>
      `${slug}@${version} ${system}${held === undefined ? '' : ` (${held.reason})`}`,
  )
}

const STAGED = ['reply', '--environment', 'test']
const NOW = ['reply@v4 Hello {{ name }}', 'triage@v23 Sort {{ ticket }} by {{ tone }}']
const RESTORED = 'reply@v3 Dear {{ name }} (restored from v1)'

describe('prompts restore', () => {
  test('pins the text of a revision and holds it, without a key or a request', async () => {
    const { cwd, service } = await repository()
    const run = await prompts(['restore', 'reply', '--from', 'v1', '--yes'], { cwd })
    expect(run.code).toBe(0)
    expect(run.stdout).toMatchInlineSnapshot(`
      "~ text  reply  v4 → v3  system text

        system
           1 - Hello {{ name }}
           1 + Dear {{ name }}

      1 prompt held, and unchanged by pulls:
        reply   v3   restored from v1
      "
    `)
    expect(await pinnedIn(cwd)).toEqual([RESTORED, NOW[1]])
    expect(service.asked()).toEqual([])
    await prompts(['pull'], { cwd, env: service.live })
    expect((await pinnedIn(cwd))[0]).toBe(RESTORED)
  })

  test('brings a removed prompt back, with its declarations', async () => {
    const { cwd } = await repository()
    const args = ['restore', 'gone', '--from', 'HEAD~1', '--reason', 'Needed', '--yes', '--json']
    const run = await prompts(args, { cwd })
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'written',
      changes: [{ slug: 'gone', kind: 'added' }],
      impact: [],
      held: [{ slug: 'gone', version: 'v1', reason: 'Needed' }],
    })
    expect(await pinnedIn(cwd)).toEqual(['gone@v1 Bye (Needed)', ...NOW])
    expect((await prompts(['check', '--offline'], { cwd })).code).toBe(0)
  })

  test('shows what it breaks and writes nothing without a terminal', async () => {
    const { cwd } = await repository()
    const before = await filesIn(cwd)
    const run = await prompts(['restore', 'triage', '--from', 'v1', '--json'], { cwd })
    expect(run.code).toBe(3)
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'declined',
      impact: [{ file: 'src/main.ts', line: 2, slug: 'triage' }],
      next: ['prompts', 'restore', 'triage', '--from', 'v1', '--json', '--yes'],
      held: [],
    })
    expect(await filesIn(cwd)).toEqual(before)
  })

  test('asks on a terminal, also if nothing breaks', async () => {
    const { cwd } = await repository()
    const steps = [{ await: 'Write the lock?', send: '\r' }]
    const run = await promptsOnScreen(['restore', 'reply', '--from', 'v1'], { cwd, steps })
    expect(run.code).toBe(0)
    expect(await pinnedIn(cwd)).toEqual([RESTORED, NOW[1]])
    const anyway = [{ await: 'Write the lock anyway?', send: '\r' }]
    const args = ['restore', 'triage', '--from', 'v1']
    expect((await promptsOnScreen(args, { cwd, steps: anyway })).code).toBe(3)
    expect(await pinnedIn(cwd)).toEqual([RESTORED, NOW[1]])
  })

  test('writes nothing with --dry-run, nor the second time', async () => {
    const { cwd } = await repository()
    const before = await filesIn(cwd)
    const args = ['restore', 'reply', '--from', 'v1', '--json']
    const dry = await prompts([...args, '--dry-run'], { cwd })
    expect(dry.code).toBe(0)
    expect(JSON.parse(dry.stdout)).toMatchObject({ outcome: 'dry-run' })
    expect(await filesIn(cwd)).toEqual(before)
    await prompts([...args, '--yes'], { cwd })
    const again = await prompts(args, { cwd })
    expect(again.code).toBe(0)
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'unchanged' })
  })

  test('adds no hold where the text is the same', async () => {
    const { cwd } = await repository()
    const run = await prompts(['restore', 'reply', '--from', 'HEAD', '--json'], { cwd })
    expect(JSON.parse(run.stdout)).toMatchObject({ outcome: 'unchanged', changes: [], held: [] })
    expect(await pinnedIn(cwd)).toEqual(NOW)
  })

  test.each([
    ['a revision that does not exist', ['reply', '--from', 'v9'], 'REVISION_UNREADABLE'],
    ['an option in place of a revision', ['reply', '--from=--all'], 'REVISION_UNREADABLE'],
    ['a prompt that the revision does not have', ['replay', '--from', 'v1'], 'SLUG_UNKNOWN'],
    ['a revision without the lock', ['reply', '--from', 'empty'], 'REVISION_UNREADABLE'],
    ['a lock that was edited', ['reply', '--from', 'edited'], 'REVISION_UNREADABLE'],
    ['a version that the revision does not have', [...STAGED, '--from', 'v1'], 'SLUG_UNKNOWN'],
  ])('leaves the lock for %s', async (_, args, code) => {
    const { cwd, git } = await repository()
    const path = join(cwd, 'prompts.lock.json')
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace('"v4"', '"v5"'))
    git('commit', '--quiet', '-am', 'edited')
    git('tag', 'edited')
    git('rm', '--quiet', '--cached', 'prompts.lock.json')
    git('commit', '--quiet', '-m', 'empty')
    git('tag', 'empty')
    await writeFile(path, text)
    const run = await prompts(['restore', ...args, '--yes', '--json'], { cwd })
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code } })
    expect(run.code).toBe(1)
    expect(await readFile(path, 'utf8')).toBe(text)
  })

  test('is a fault outside of a repository', async () => {
    const cwd = await pinnedProject(await testService([REPLY]))
    const run = await prompts(['restore', 'reply', '--from', 'HEAD', '--yes', '--json'], { cwd })
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'REVISION_UNREADABLE' } })
  })

  test.each([[[]], [['reply']], [['--from', 'v1']], [['a', 'b', '--from', 'v1']]])(
    'is a usage error with the arguments %j',
    async (args) => {
      expect((await prompts(['restore', ...args], { cwd: await folderWith() })).code).toBe(2)
    },
  )
})
