import { randomUUID } from 'node:crypto'
import { watch } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { APP_TSCONFIG, installTypes } from '../helpers/app-folder.ts'
import { filesIn, prompts, transcript } from '../helpers/cli.ts'
import { commitAll, git } from '../helpers/git-repository.ts'
import { testService, type TestService } from '../helpers/local-service.ts'
import { parsedLock } from '../helpers/pinned.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'

const GONE = { slug: 'gone', version: 'v1', system: 'Bye {{ name }}' }
const GREETING = { slug: 'greeting', version: 'v3', system: 'Hello {{ name }}, {{ tone }}' }
const REPLY = { slug: 'reply', version: 'v3', system: 'Dear {{ name }}' }
const TRIAGE = { slug: 'triage', version: 'v22', system: 'Sort {{ ticket }}' }

const MAIN = `import { prompts } from 'virtual:prompts'

// One call of each prompt.
const name = 'Ada'
prompts.gone.render({ name })
prompts.greeting.render({ name, tone: 'calm' })
prompts.reply.render({ name })
prompts.triage.render({ ticket: 'T' }) // the ticket
`

const FIXED = `import { prompts } from 'virtual:prompts'

// One call of each prompt.
const name = 'Ada'
prompts.bye.render({ name })
prompts.greeting.render({ name })
prompts.reply.render({ name })
prompts.triage.render({ message: 'T' }) // the ticket
`

const FILES = {
  '.gitignore': 'node_modules\n',
  'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
  'src/main.ts': MAIN,
}

const RENAMES = ['--rename', 'triage:ticket=message', '--rename', 'gone=bye']

/**
 * A committed app of four prompts: one is renamed, one lost a variable, one needs a new one, and a
 * variable of one is renamed.
 */
async function movedOn(): Promise<{ cwd: string; service: TestService }> {
  const service = await testService([GONE, GREETING, REPLY, TRIAGE])
  const cwd = await pinnedProject(service, FILES)
  await installTypes(cwd)
  commitAll(cwd)
  service.serve(
    { ...GONE, slug: 'bye' },
    { ...GREETING, version: 'v4', system: 'Hello {{ name }}' },
    { ...REPLY, version: 'v4', system: 'Dear {{ name }} of {{ company }}' },
    { ...TRIAGE, version: 'v23', system: 'Sort {{ message }}' },
  )
  return { cwd, service }
}

async function pinnedIn(cwd: string): Promise<string[]> {
  const { parts } = parsedLock(await readFile(join(cwd, 'prompts.lock.json'), 'utf8'))
  return parts.map(({ slug, version }) => `${slug}@${version}`)
}

/** The files of an app that a pull may write. */
async function appFiles(cwd: string): Promise<Record<string, string>> {
  const files = Object.entries(await filesIn(cwd))
  return Object.fromEntries(files.filter(([path]) => !path.startsWith('.git/')))
}

describe('prompts pull --fix', () => {
  test('prints the changes, the edits and the written files', async () => {
    const { cwd, service } = await movedOn()
    const run = await prompts(['pull', '--fix', ...RENAMES, '--yes'], { cwd, env: service.live })
    expect(transcript(run, cwd)).toMatchSnapshot()
  })

  test('edits call sites together with the lock, and leaves what has no safe edit', async () => {
    const { cwd, service } = await movedOn()
    const args = ['pull', '--fix', ...RENAMES, '--yes', '--json']
    const run = await prompts(args, { cwd, env: service.live })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'written',
      changes: [{ slug: 'bye' }, { slug: 'gone' }, { slug: 'greeting' }, { slug: 'triage' }],
      renames: ['triage:ticket=message', 'gone=bye'],
      edits: [
        {
          file: 'src/main.ts',
          places: [
            { line: 5, column: 9 },
            { line: 6, column: 31 },
            { line: 8, column: 25 },
          ],
          patch: expect.stringContaining('+prompts.bye.render({ name })\n'),
        },
      ],
      skipped: [
        {
          slug: 'reply',
          reason: '`render` needs `company`, added in v4',
          places: [{ file: 'src/main.ts', line: 7, column: 22 }],
        },
      ],
      impact: [],
      next: null,
    })
    expect(await readFile(join(cwd, 'src/main.ts'), 'utf8')).toBe(FIXED)
    expect(await pinnedIn(cwd)).toEqual(['bye@v1', 'greeting@v4', 'reply@v3', 'triage@v23'])
  })

  test('changes nothing the second time', async () => {
    const { cwd, service } = await movedOn()
    const args = ['pull', '--fix', ...RENAMES, '--yes', '--json']
    await prompts(args, { cwd, env: service.live })
    git(cwd, 'add', '.')
    git(cwd, 'commit', '--quiet', '--message', 'fixed')
    const before = await appFiles(cwd)
    const again = await prompts(args, { cwd, env: service.live })
    expect(again.code).toBe(0)
    expect(JSON.parse(again.stdout)).toMatchObject({
      outcome: 'unchanged',
      edits: [],
      skipped: [{ slug: 'reply' }],
    })
    expect(await appFiles(cwd)).toEqual(before)
  })

  test('shows every edit, and writes nothing without --yes', async () => {
    const { cwd, service } = await movedOn()
    const before = await appFiles(cwd)
    const run = await prompts(['pull', '--fix', ...RENAMES], { cwd, env: service.live })
    expect(run.code).toBe(3)
    expect(run.stdout).toMatchInlineSnapshot(`
      "+ added      bye        v1          +name
      - contract   gone       v1 → gone   removed
      ~ contract   greeting   v3 → v4     -tone, system text
      ~ contract   triage     v22 → v23   ticket → message (renamed?), system text

      3 contract · 1 added · 1 unchanged

      ▲ Left as pinned:
        reply   v3 → v4   \`render\` needs \`company\`, added in v4   src/main.ts:7:22
          7 │ prompts.reply.render({ name })
            │                      ~~~~~~~~

      Edits src/main.ts:
      --- a/src/main.ts
      +++ b/src/main.ts
      @@ -2,7 +2,7 @@
       
       // One call of each prompt.
       const name = 'Ada'
      -prompts.gone.render({ name })
      -prompts.greeting.render({ name, tone: 'calm' })
      +prompts.bye.render({ name })
      +prompts.greeting.render({ name })
       prompts.reply.render({ name })
      -prompts.triage.render({ ticket: 'T' }) // the ticket
      +prompts.triage.render({ message: 'T' }) // the ticket
      "
    `)
    expect(run.stderr).toContain('--yes')
    expect(await appFiles(cwd)).toEqual(before)
    const dry = ['pull', '--fix', ...RENAMES, '--dry-run', '--json']
    const dryRun = await prompts(dry, { cwd, env: service.live })
    expect(JSON.parse(dryRun.stdout)).toMatchObject({ outcome: 'dry-run', edits: [{}] })
    expect(await appFiles(cwd)).toEqual(before)
  })

  test('leaves renames that nobody confirmed, and names the option', async () => {
    const { cwd, service } = await movedOn()
    const args = ['pull', '--fix', '--yes', '--json']
    const run = await prompts(args, { cwd, env: service.live })
    expect(run.code).toBe(0)
    expect(JSON.parse(run.stdout)).toMatchObject({
      skipped: [
        { slug: 'gone', reason: expect.stringContaining('--rename gone=bye') },
        { slug: 'reply' },
        { slug: 'triage', reason: expect.stringContaining('--rename triage:ticket=message') },
      ],
    })
    expect(await pinnedIn(cwd)).toEqual([
      'bye@v1',
      'gone@v1',
      'greeting@v4',
      'reply@v3',
      'triage@v22',
    ])
  })

  test('exits with 3 if nobody could be asked about a rename and nothing was written', async () => {
    const { cwd, service } = await movedOn()
    const first = ['pull', '--fix', '--yes', '--json']
    expect(await prompts(first, { cwd, env: service.live })).toMatchObject({ code: 0 })
    const again = await prompts(first, { cwd, env: service.live })
    expect(again.code).toBe(3)
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'unchanged' })
  })

  test('writes no temporary file into folders of the app', async () => {
    const { cwd, service } = await movedOn()
    const names = new Set<string | null>()
    const watcher = watch(join(cwd, 'src'), (_, name) => names.add(name))
    await prompts(['pull', '--fix', ...RENAMES, '--yes'], { cwd, env: service.live })
    await vi.waitFor(() => expect(names).toContain('main.ts'))
    watcher.close()
    expect([...names].filter((name) => name?.endsWith('.tmp'))).toEqual([])
  })

  test('leaves a temporary file beside the lock if it is killed, which any pull removes', async () => {
    const { cwd, service } = await movedOn()
    // No process has this id: it is above the limit of the system.
    const name = `.main.ts.prompts-99999999-${randomUUID()}.tmp`
    await writeFile(join(cwd, name), 'half')
    await prompts(['pull', '--yes'], { cwd, env: service.live })
    expect(Object.keys(await filesIn(cwd))).not.toContain(name)
  })

  test('edits files with changes only with --allow-dirty', async () => {
    const { cwd, service } = await movedOn()
    await writeFile(join(cwd, 'src/main.ts'), `${MAIN}// edited\n`)
    const args = ['pull', '--fix', ...RENAMES, '--yes', '--json']
    const run = await prompts(args, { cwd, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'unchanged',
      edits: [],
      skipped: [
        { slug: 'reply', class: 'breaking', reason: '`render` needs `company`, added in v4' },
        { slug: 'bye' },
        { slug: 'gone' },
        { slug: 'greeting', reason: expect.stringContaining('--allow-dirty') },
        { slug: 'triage', reason: expect.stringContaining('--allow-dirty') },
      ],
    })
    const dirty = await prompts([...args, '--allow-dirty'], { cwd, env: service.live })
    expect(JSON.parse(dirty.stdout)).toMatchObject({ outcome: 'written', edits: [{}] })
    expect(await readFile(join(cwd, 'src/main.ts'), 'utf8')).toBe(`${FIXED}// edited\n`)
  })

  test('writes a Markdown report with the edits', async () => {
    const { cwd, service } = await movedOn()
    const args = ['pull', '--fix', ...RENAMES, '--yes', '--report', 'report.md']
    expect((await prompts(args, { cwd, env: service.live })).code).toBe(0)
    const report = await readFile(join(cwd, 'report.md'), 'utf8')
    expect(report).toContain('**Edited in the app**\n\n| file |\n| --- |\n| `src/main.ts` |')
    expect(report).toContain("+prompts.triage.render({ message: 'T' }) // the ticket")
    expect(report).toContain('No place in the app stops working.')
  })

  test('writes nothing if the report cannot be written', async () => {
    const { cwd, service } = await movedOn()
    await mkdir(join(cwd, 'report.md'))
    const before = await appFiles(cwd)
    const args = ['pull', '--fix', ...RENAMES, '--yes', '--report', 'report.md']
    expect((await prompts(args, { cwd, env: service.live })).code).toBe(1)
    expect(await appFiles(cwd)).toEqual(before)
  })

  test.each<[options: string[], problem: string]>([
    [['--rename', 'triage:ticket=message'], '--rename needs --fix.'],
    [['--allow-dirty'], '--allow-dirty needs --fix.'],
    ...[
      'triage',
      'triage:ticket',
      '=bye',
      'nothing:ticket=message',
      'gone=nothing',
      'nothing=bye',
      'reply=bye',
      'triage:ticket=nothing',
      'triage:nothing=message',
      'reply:name=company',
    ].map((value): [string[], string] => [
      ['--fix', '--rename', value],
      'does not fit this update',
    ]),
    [['--fix', ...RENAMES, '--rename', 'gone=bye'], 'about one name'],
  ])('rejects %s as a usage error', async (options, problem) => {
    const { cwd, service } = await movedOn()
    const before = await appFiles(cwd)
    const run = await prompts(['pull', ...options, '--yes', '--json'], { cwd, env: service.live })
    expect(run.code).toBe(2)
    expect(JSON.parse(run.stdout)).toMatchObject({
      error: { code: 'USAGE', why: expect.stringContaining(problem) },
    })
    expect(await appFiles(cwd)).toEqual(before)
  })
})
