import { expect, test } from 'vitest'
import { appWithUpdate } from '../helpers/breaking-update.ts'
import { filesIn, prompts } from '../helpers/cli.ts'
import { appWithPrompts, pinnedIn } from '../helpers/pinned-project.ts'

const PULL = ['pull', '--skip-breaking', '--json']
const SKIPPED = [
  {
    slug: 'gone',
    kind: 'removed',
    version: { before: 'v1', after: null },
    reason: '`gone` was removed',
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

test('prompts pull --skip-breaking takes what does not break the app, and leaves the rest as drift', async () => {
  const app = await appWithUpdate()
  const run = await prompts(PULL, app)
  expect(run).toMatchObject({ code: 0, stderr: '' })
  const changes = [{ slug: 'reply', kind: 'updated' }]
  const left = { skipped: SKIPPED, impact: [] }
  expect(run.json).toMatchObject({ outcome: 'written', changes, unchanged: 2, ...left })
  expect(await pinnedIn(app.cwd)).toEqual([
    'gone@v1 Bye',
    'reply@v4 Hello {{ name }}',
    'triage@v22 Sort {{ ticket }}',
  ])
  const before = await filesIn(app.cwd)
  const again = await prompts(['pull', '--skip-breaking'], app)
  expect(again.stderr).toContain('keep what is pinned: `npx prompts hold gone triage`')
  // Nothing was taken.
  expect(again.stderr).not.toContain('stops compiling')
  expect((await prompts(PULL, app)).json).toMatchObject({ outcome: 'unchanged', skipped: SKIPPED })
  expect(await filesIn(app.cwd)).toEqual(before)
  const findings = [
    { kind: 'prompt-removed', slug: 'gone' },
    { kind: 'prompt-updated', slug: 'triage' },
  ]
  expect(await prompts(['check', '--json'], app)).toMatchObject({ code: 3, json: { findings } })
})

test('prompts pull --skip-breaking lists held prompts apart', async () => {
  const app = await appWithUpdate()
  await prompts(['hold', 'triage'], app)
  expect((await prompts(PULL, app)).json).toMatchObject({
    skipped: [{ slug: 'gone' }],
    held: [{ slug: 'triage' }],
  })
})

test('prompts pull --skip-breaking names no hold for an added prompt that it leaves', async () => {
  const pinned = { slug: 'sales-reply', version: 'v1', system: 'Sell' }
  const app = await appWithPrompts([pinned], 'prompts.salesReply.render()')
  app.service.serve(pinned, { slug: 'sales_reply', version: 'v1', system: 'Sell more' })
  const { stderr } = await prompts(['pull', '--skip-breaking'], app)
  expect(stderr).toContain('Correct the code and pull again.')
  expect(stderr).not.toContain('hold')
})
