import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { movedOn, pinnedIn } from '../helpers/breaking-update.ts'
import { filesIn, prompts } from '../helpers/cli.ts'

const SKIPPED = [
  {
    slug: 'gone',
    kind: 'removed',
    version: { before: 'v1', after: null },
    reason: '`gone` was removed and is in use',
    places: [{ file: 'src/main.ts', line: 2, column: 9 }],
  },
  {
    slug: 'triage',
    kind: 'updated',
    version: { before: 'v22', after: 'v23' },
    effects: [{ kind: 'variable-added', name: 'tone' }, { kind: 'text' }],
    reason: '`render` needs `tone`, added in v23',
    places: [{ file: 'src/main.ts', line: 4, column: 23 }],
  },
]

describe('prompts pull --skip-breaking', () => {
  test('takes what does not break the app, and keeps the other entries', async () => {
    const { cwd, service } = await movedOn()
    const run = await prompts(['pull', '--skip-breaking', '--json'], { cwd, env: service.live })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'written',
      changes: [{ slug: 'reply', kind: 'updated' }],
      unchanged: 2,
      skipped: SKIPPED,
      impact: [],
    })
    expect(await pinnedIn(cwd)).toEqual([
      'gone@v1 Bye',
      'reply@v4 Hello {{ name }}',
      'triage@v22 Sort {{ ticket }}',
    ])
  })

  test('lists what was left, with reason and place', async () => {
    const { cwd, service } = await movedOn()
    const { stdout } = await prompts(['pull', '--skip-breaking'], { cwd, env: service.live })
    expect(stdout).toMatchInlineSnapshot(`
      "~ text   reply   v3 → v4   system text

      1 text · 2 unchanged

      ▲ Left as pinned:
        gone     v1 → gone   \`gone\` was removed and is in use      src/main.ts:2:9
          2 │ prompts.gone.render()
            │         ~~~~~~~~~~~
        triage   v22 → v23   \`render\` needs \`tone\`, added in v23   src/main.ts:4:23
          4 │ prompts.triage.render({ ticket: '' })
            │                       ~~~~~~~~~~~~~~
      "
    `)
  })

  test('reports the same the second time, and writes nothing', async () => {
    const { cwd, service } = await movedOn()
    await prompts(['pull', '--skip-breaking'], { cwd, env: service.live })
    const before = await filesIn(cwd)
    const again = await prompts(['pull', '--skip-breaking', '--json'], { cwd, env: service.live })
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'unchanged', skipped: SKIPPED })
    expect(await filesIn(cwd)).toEqual(before)
  })

  test('leaves drift', async () => {
    const { cwd, service } = await movedOn()
    await prompts(['pull', '--skip-breaking'], { cwd, env: service.live })
    const check = await prompts(['check', '--json'], { cwd, env: service.live })
    expect(check.code).toBe(3)
    expect(JSON.parse(check.stdout)).toMatchObject({
      findings: [
        { kind: 'prompt-removed', slug: 'gone' },
        { kind: 'prompt-updated', slug: 'triage' },
      ],
    })
  })

  test('keeps held prompts, and lists them apart', async () => {
    const { cwd, service } = await movedOn()
    await prompts(['hold', 'triage'], { cwd })
    const run = await prompts(['pull', '--skip-breaking', '--json'], { cwd, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({
      skipped: [{ slug: 'gone' }],
      held: [{ slug: 'triage' }],
    })
  })

  test('writes a Markdown report with what was left', async () => {
    const { cwd, service } = await movedOn()
    const args = ['pull', '--skip-breaking', '--report', 'report.md']
    expect((await prompts(args, { cwd, env: service.live })).code).toBe(0)
    const report = await readFile(join(cwd, 'report.md'), 'utf8')
    expect(report).toMatch(/^<!-- unplugin-prompts -->\n### Prompts: 1 text\n/)
    expect(report).toContain('**Left as pinned**')
    expect(report).toContain('| `triage` | `v22` → `v23` |')
    expect(report).toContain('No place in the app stops working.')
  })

  test('writes nothing if the report cannot be written', async () => {
    const { cwd, service } = await movedOn()
    await mkdir(join(cwd, 'report.md'))
    const before = await filesIn(cwd)
    const args = ['pull', '--skip-breaking', '--report', 'report.md', '--json']
    const run = await prompts(args, { cwd, env: service.live })
    expect(run.code).toBe(1)
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'FILE_UNWRITABLE' } })
    expect(await filesIn(cwd)).toEqual(before)
  })

  test('skips every changed contract if the app cannot be analysed', async () => {
    const { cwd, service } = await movedOn()
    await writeFile(join(cwd, 'tsconfig.json'), '{ "extends": "./nowhere.json" }')
    const run = await prompts(['pull', '--skip-breaking', '--json'], { cwd, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'written',
      changes: [{ slug: 'reply' }],
      skipped: [
        { slug: 'gone', places: [] },
        { slug: 'triage', places: [] },
      ],
    })
  })
})

test('a pull that breaks the app names --skip-breaking', async () => {
  const { cwd, service } = await movedOn()
  const run = await prompts(['pull'], { cwd, env: service.live })
  expect(run.code).toBe(3)
  expect(run.stderr).toContain('--skip-breaking')
})
