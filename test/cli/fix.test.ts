import { randomUUID } from 'node:crypto'
import { watch } from 'node:fs'
import { readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { REPLY, TRIAGE } from '../helpers/breaking-update.ts'
import { filesIn, prompts, promptsOnScreen } from '../helpers/cli.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { type AppWithPrompts, appWithPrompts, pinnedIn } from '../helpers/pinned-project.ts'
import { SOON } from '../helpers/soon.ts'

const GONE = { slug: 'gone', version: 'v1', system: 'Bye {{ name }}' }

const CODE = `
// One call of each prompt.
const name = 'Ada'
prompts.gone.render({ name })
prompts.reply.render({ name })
prompts.triage.render({ ticket: 'T' }) // the ticket`

const FIXED = `import { prompts } from 'virtual:prompts'

// One call of each prompt.
const name = 'Ada'
prompts.bye.render({ name })
prompts.reply.render({ name })
prompts.triage.render({ message: 'T' }) // the ticket
`

const RENAMES = ['--rename', 'triage:ticket=message', '--rename', 'gone=bye']
const FIX = ['pull', '--fix', ...RENAMES, '--json']
const NEEDS_COMPANY = '`render` needs `company`, added in v4'

/**
 * A committed app of three prompts: one is renamed, one needs a new variable, and a variable of one is
 * renamed.
 */
async function appWithUpdate(): Promise<AppWithPrompts> {
  const app = await appWithPrompts([GONE, REPLY, TRIAGE], CODE)
  commitAll(app.cwd)
  app.service.serve(
    { ...GONE, slug: 'bye' },
    { ...REPLY, version: 'v4', system: 'Dear {{ name }} of {{ company }}' },
    { ...TRIAGE, version: 'v23', system: 'Sort {{ message }}' },
  )
  return app
}

/** The files of an app that a pull may write. */
async function appFiles(cwd: string): Promise<Record<string, string>> {
  const files = Object.entries(await filesIn(cwd))
  return Object.fromEntries(files.filter(([path]) => !path.startsWith('.git/')))
}

test('prompts pull --fix edits call sites together with the lock, and leaves what has no safe edit', async () => {
  const app = await appWithUpdate()
  // As of a pull that was killed.
  const left = `.main.ts.prompts-1-${randomUUID()}.tmp`
  await writeFile(join(app.cwd, left), 'half')
  await utimes(join(app.cwd, left), 0, 0)
  const names = new Set<string | null>()
  const watcher = watch(join(app.cwd, 'src'), (_, name) => names.add(name))
  const run = await prompts([...FIX, '--yes', '--report', 'report.md'], app)
  expect(run).toMatchObject({ code: 0, stderr: '' })
  expect(run.json).toMatchObject({
    outcome: 'written',
    changes: [{ slug: 'bye' }, { slug: 'gone' }, { slug: 'triage' }],
    renames: ['triage:ticket=message', 'gone=bye'],
    edits: [
      {
        file: 'src/main.ts',
        places: [
          { line: 5, column: 9 },
          { line: 7, column: 25 },
        ],
        patch: expect.stringContaining('+prompts.bye.render({ name })\n'),
      },
    ],
    skipped: [
      {
        slug: 'reply',
        reason: NEEDS_COMPANY,
        places: [{ file: 'src/main.ts', line: 6, column: 22 }],
      },
    ],
    impact: [],
    next: null,
  })
  expect(await readFile(join(app.cwd, 'src/main.ts'), 'utf8')).toBe(FIXED)
  expect(await pinnedIn(app.cwd)).toEqual([
    'bye@v1 Bye {{ name }}',
    'reply@v3 Dear {{ name }}',
    'triage@v23 Sort {{ message }}',
  ])
  const { 'report.md': report, ...files } = await appFiles(app.cwd)
  expect(report).toContain('**Edited in the app**\n\n| file |\n| --- |\n| `src/main.ts` |')
  expect(report).toContain("+prompts.triage.render({ message: 'T' }) // the ticket")
  expect(Object.keys(files)).not.toContain(left)
  await vi.waitFor(() => expect(names).toContain('main.ts'), SOON)
  watcher.close()
  expect([...names].filter((name) => name?.endsWith('.tmp'))).toEqual([])

  commitAll(app.cwd)
  expect(await prompts(['pull', '--fix', '--yes', '--json'], app)).toMatchObject({
    code: 0,
    json: { outcome: 'unchanged', edits: [], skipped: [{ slug: 'reply' }] },
  })
  // The renames are done, so they do not fit what is left.
  expect(await prompts([...FIX, '--yes'], app)).toMatchObject({ code: 2 })
  expect(await appFiles(app.cwd)).toEqual({ ...files, 'report.md': report })
})

test('prompts pull --fix shows every edit, and writes nothing without --yes', async () => {
  const app = await appWithUpdate()
  const before = await appFiles(app.cwd)
  const run = await prompts(['pull', '--fix', ...RENAMES], app)
  expect(run.code).toBe(3)
  expect(run.stdout).toMatchInlineSnapshot(`
    "+ added      bye      v1          +name
    - contract   gone     v1 → gone   removed
    ~ contract   triage   v22 → v23   ticket → message (renamed?), system text changed

    2 contract · 1 added · 1 unchanged

    ▲ Left as pinned:
      reply   v3 → v4   \`render\` needs \`company\`, added in v4   src/main.ts:6:22
        6 │ prompts.reply.render({ name })
          │                      ~~~~~~~~

    Edits src/main.ts:
    --- a/src/main.ts
    +++ b/src/main.ts
    @@ -2,6 +2,6 @@
     
     // One call of each prompt.
     const name = 'Ada'
    -prompts.gone.render({ name })
    +prompts.bye.render({ name })
     prompts.reply.render({ name })
    -prompts.triage.render({ ticket: 'T' }) // the ticket
    +prompts.triage.render({ message: 'T' }) // the ticket
    "
  `)
  expect(run.stderr).toContain('--yes')
  const dry = await prompts([...FIX, '--dry-run'], app)
  expect(dry.json).toMatchObject({ outcome: 'dry-run', edits: [{}] })
  expect(await appFiles(app.cwd)).toEqual(before)
})

test('prompts pull --fix leaves renames that nobody confirmed, and exits with 3 if only they are left', async () => {
  const app = await appWithUpdate()
  const args = ['pull', '--fix', '--yes', '--json']
  const skipped = [
    { slug: 'gone', reason: expect.stringContaining('--rename gone=bye') },
    { slug: 'reply' },
    { slug: 'triage', reason: expect.stringContaining('--rename triage:ticket=message') },
  ]
  const changes = [{ slug: 'bye' }]
  expect(await prompts(args, app)).toMatchObject({ code: 0, json: { changes, skipped } })
  expect(await prompts(args, app)).toMatchObject({ code: 3, json: { outcome: 'unchanged' } })
  expect((await promptsOnScreen(args.slice(0, 3), { ...app, steps: [] })).code).toBe(3)
})

test('prompts pull --fix edits files with changes only with --allow-dirty', async () => {
  const app = await appWithUpdate()
  const path = join(app.cwd, 'src/main.ts')
  await writeFile(path, `${await readFile(path, 'utf8')}// edited\n`)
  const left = await prompts([...FIX, '--yes'], app)
  expect(left.json).toMatchObject({ outcome: 'unchanged', edits: [] })
  expect(left.stdout).toContain('--allow-dirty')
  const dirty = await prompts([...FIX, '--yes', '--allow-dirty'], app)
  expect(dirty.json).toMatchObject({ outcome: 'written', edits: [{}] })
  expect(await readFile(path, 'utf8')).toBe(`${FIXED}// edited\n`)
})

test('prompts pull --fix refuses renames that do not fit the update, and writes nothing', async () => {
  const app = await appWithUpdate()
  const before = await appFiles(app.cwd)
  const refused = async (why: string, ...renames: readonly string[]): Promise<void> => {
    const options = renames.flatMap((rename) => ['--rename', rename])
    const run = await prompts(['pull', '--fix', ...options, '--yes', '--json'], app)
    const error = { code: 'USAGE', why: expect.stringContaining(why) }
    expect({ renames, ...run }).toMatchObject({ renames, code: 2, json: { error } })
  }
  for (const rename of [
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
  ]) {
    await refused('does not fit this update', rename)
  }
  await refused('about one name', 'gone=bye', 'gone=bye')
  expect(await appFiles(app.cwd)).toEqual(before)
})
