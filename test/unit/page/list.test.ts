import { describe, expect, test } from 'vitest'
import { type Entry, entriesOf } from '../../../src/page/app/entries.ts'
import { visibleRange, rowsOf, rowOffsets } from '../../../src/page/app/rows.ts'
import { searchEntries } from '../../../src/page/app/search.ts'
import type {
  PageState,
  PromptView,
  ServiceView,
  UsesView,
  UseView,
} from '../../../src/page/protocol.ts'
import { pinned } from '../../helpers/pinned.ts'

function view(fields: Partial<PromptView>): PromptView {
  const rest = {
    identifier: null,
    join: '',
    integrity: '',
    variables: [],
    lints: [],
    lintCount: 0,
    characters: 0,
  }
  return { ...pinned(fields), ...rest, change: null, ...fields }
}

function state(prompts: readonly PromptView[], more: Partial<PageState> = {}): PageState {
  return {
    workspace: 'prompts',
    environment: 'live',
    lockPath: 'prompts.lock.json',
    lock: { kind: 'read', prompts },
    uses: { kind: 'pending' },
    editor: null,
    service: { kind: 'unasked' },
    missingKey: null,
    ...more,
  }
}

const PROMPTS = [
  view({ slug: 'b', folder: 'z', model: 'gpt-5', system: 'Answer in Welsh.' }),
  view({ slug: 'a', folder: 'z', model: 'claude', variables: ['ticket'] }),
  view({ slug: 'c', folder: 'a', version: 'v7' }),
]

const slugs = (entries: readonly Entry[]): string[] => entries.map(({ prompt }) => prompt.slug)

test('entries are sorted by folder, then by slug', () => {
  expect(slugs(entriesOf(state(PROMPTS)))).toEqual(['c', 'a', 'b'])
})

describe('search', () => {
  const entries = entriesOf(state(PROMPTS))

  test.each([
    ['', ['c', 'a', 'b']],
    ['welsh', ['b']],
    ['WELSH answer', ['b']],
    ['welsh claude', []],
    ['ticket', ['a']],
    ['model:claude', ['a']],
    ['folder:z', ['a', 'b']],
    ['var:tick', ['a']],
    ['version:v7', ['c']],
    ['is:update', []],
    ['constructor:x', []],
  ])('for “%s”', (query, want) => {
    expect(slugs(searchEntries(entries, query))).toEqual(want)
  })
})

describe('badges', () => {
  const drift = (kind: 'changed' | 'removed', version: string | null): ServiceView => ({
    kind: 'reached',
    checkedAt: 0,
    address: '',
    planStatus: '',
    drift: [{ slug: 'a', kind, fields: ['version'], version }],
    drafts: [],
  })
  const use = (
    side: UseView['side'],
    mentions: UseView['mentions'],
    escapes: readonly number[] = [],
  ): UsesView => {
    const module = { file: 'x.ts', path: '/x.ts', side, mentions, escapes }
    return { kind: 'loaded', modules: [module] }
  }
  const badges = (prompt: Partial<PromptView>, more: Partial<PageState>): string[] =>
    entriesOf(state([view({ slug: 'a', ...prompt })], more)).flatMap((entry) =>
      entry.badges.map(({ kind, label }) => (kind === label ? kind : `${kind} ${label}`)),
    )

  test.each([
    ['nothing known', {}, {}, []],
    ['another version', {}, { service: drift('changed', 'v23') }, ['update → v23']],
    [
      'a breaking one',
      { change: 'breaking' },
      { service: drift('changed', 'v23') },
      ['breaking', 'update → v23'],
    ],
    ['another model', {}, { service: drift('changed', 'v22') }, ['update']],
    ['gone', {}, { service: drift('removed', null) }, ['removed']],
    ['in the browser', {}, { uses: use('client', { a: [1] }) }, ['client']],
    ['on the server', {}, { uses: use('server', { a: [1] }) }, []],
    ['used nowhere', {}, { uses: use('server', { b: [1] }) }, ['unused']],
    ['perhaps in a module that is unclear', {}, { uses: use('client', {}) }, []],
    ['perhaps behind a line', {}, { uses: use('client', { b: [1] }, [2]) }, []],
    ['no module loaded', {}, { uses: { kind: 'loaded', modules: [] } }, []],
    ['no code of the app', {}, { uses: { kind: 'analysed', modules: [] } }, ['unused']],
    ['not looked for', {}, { uses: { kind: 'pending' } }, []],
  ] as const)('for %s', (_, prompt, more, want) => {
    expect(badges(prompt, more)).toEqual(want)
  })
})

describe('rows', () => {
  const entries = entriesOf(state(PROMPTS))

  test('are folders and the prompts of the expanded ones', () => {
    const rows = rowsOf(entries, new Set(['z']))
    expect(rows.map((row) => (row.kind === 'folder' ? row.folder : row.entry.prompt.slug))).toEqual(
      ['a', 'c', 'z'],
    )
  })

  test('only visible rows of ten thousand prompts are rendered', () => {
    const many = entriesOf(
      state(Array.from({ length: 10_000 }, (_, index) => view({ slug: `p${index}` }))),
    )
    const tops = rowOffsets(rowsOf(many, new Set()))
    const { start, end } = visibleRange(tops, { top: 250_000, height: 700 })
    expect(tops[start]).toBeLessThanOrEqual(250_000)
    expect(tops[end]).toBeGreaterThanOrEqual(250_700)
    expect(end - start).toBeLessThan(40)
  })
})
