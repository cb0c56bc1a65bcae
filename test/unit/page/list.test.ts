import { describe, expect, test } from 'vitest'
import { type Entry, type EntrySource, entriesOf } from '../../../src/page/app/entries.ts'
import { visibleRange, rowsOf, rowOffsets } from '../../../src/page/app/rows.ts'
import { fieldTerm, hasTerm, toggleTerm, withField } from '../../../src/page/app/query.ts'
import { searchEntries } from '../../../src/page/app/search.ts'
import type { ListedPrompt, ServiceView, UsesView, UseView } from '../../../src/page/protocol.ts'
import { pinned } from '../../helpers/pinned.ts'

function view(fields: Partial<ListedPrompt>): ListedPrompt {
  const { slug, folder, model, version } = pinned({})
  const rest = { variables: [], noteCount: 0, characters: 0 }
  return { slug, folder, model, version, ...rest, ...fields }
}

function state(prompts: readonly ListedPrompt[], more: Partial<EntrySource> = {}): EntrySource {
  return { prompts, changes: {}, uses: { kind: 'pending' }, service: { kind: 'unasked' }, ...more }
}

const PROMPTS = [
  view({ slug: 'b', folder: 'z', model: 'gpt-5' }),
  view({ slug: 'a', folder: 'z', model: 'claude', variables: ['ticket'] }),
  view({ slug: 'c', folder: 'a', version: 'v7' }),
]

const slugs = (entries: readonly Entry[]): string[] => entries.map(({ prompt }) => prompt.slug)

/** What the server finds in texts, by slug. */
const TEXTS: Readonly<Record<string, string>> = {
  b: 'answer in welsh.',
  'a-note': 'how to triage.',
}
const texts = {
  has: (slug: string, word: string) => TEXTS[slug]?.includes(word) ?? false,
  isPending: false,
}

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
    ['folder:"z"', ['a', 'b']],
    ['folder:""', []],
    ['model:"gpt"', []],
    ['folder:"never closed', []],
  ])('for “%s”', (query, want) => {
    expect(slugs(searchEntries(entries, query, texts))).toEqual(want)
  })

  const ranked = entriesOf(
    state([
      view({ slug: 'a-note' }),
      view({ slug: 'b-note', variables: ['triage_level'] }),
      view({ slug: 'support-triage' }),
      view({ slug: 'pretriage' }),
      view({ slug: 'triage' }),
    ]),
  )

  test.each([
    ['triage', ['triage', 'support-triage', 'pretriage', 'b-note', 'a-note']],
    ['TRIAGE support', ['support-triage', 'triage', 'pretriage', 'b-note', 'a-note']],
    ['tirage', ['support-triage', 'triage']],
    ['suptri', ['support-triage']],
    ['tri', ['triage', 'support-triage', 'pretriage', 'b-note', 'a-note']],
    ['xyz', []],
  ])('for “%s” lists slugs before variables before texts', (query, want) => {
    expect(slugs(searchEntries(ranked, query, texts))).toEqual(want)
  })

  test('lists similar slugs only once the texts are searched', () => {
    expect(searchEntries(ranked, 'tirage', { ...texts, isPending: true })).toEqual([])
  })
})

describe('a filter', () => {
  test('is added to the search and removed from it', () => {
    const filtered = toggleTerm('kind words', 'is:update')
    expect(filtered).toBe('kind words is:update')
    expect(hasTerm(filtered, 'is:update')).toBe(true)
    expect(toggleTerm(filtered, 'is:update')).toBe('kind words')
  })

  test('of a field finds exactly its value, and replaces the one before', () => {
    const folders = ['a b', 'a', '"', '', '\\']
    const entries = entriesOf(
      state(folders.map((folder) => view({ slug: `in ${folder}`, folder }))),
    )
    let query = 'is:x'
    for (const folder of folders) {
      query = withField(query, 'folder', folder)
      expect(query).toBe(`is:x ${fieldTerm('folder', folder)}`)
      expect(slugs(searchEntries(entries, fieldTerm('folder', folder), texts))).toEqual([
        `in ${folder}`,
      ])
    }
    expect(withField(query, 'folder', undefined)).toBe('is:x')
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
    held: [],
  })
  const use = (
    side: UseView['side'],
    mentions: UseView['mentions'],
    escapes: readonly number[] = [],
  ): UsesView => {
    const module = { file: 'x.ts', path: '/x.ts', side, mentions, escapes }
    return { kind: 'analysed', modules: [module] }
  }
  const badges = (prompt: Partial<ListedPrompt>, more: Partial<EntrySource>): string[] =>
    entriesOf(state([view({ slug: 'a', ...prompt })], more)).flatMap((entry) =>
      entry.badges.map(({ kind, label }) => (kind === label ? kind : `${kind} ${label}`)),
    )

  test.each([
    ['nothing known', {}, {}, []],
    ['another version', {}, { service: drift('changed', 'v23') }, ['update → v23']],
    [
      'a version with an invisible character',
      {},
      { service: drift('changed', 'v\u202e23') },
      ['update → v⟨U+202E⟩23'],
    ],
    [
      'a breaking one',
      {},
      { service: drift('changed', 'v23'), changes: { a: 'breaking' } },
      ['breaking', 'update → v23'],
    ],
    ['another model', {}, { service: drift('changed', 'v22') }, ['update']],
    ['held', { held: { reason: 'legal' } }, {}, ['held']],
    ['gone', {}, { service: drift('removed', null) }, ['removed']],
    ['in the browser', {}, { uses: use('client', { a: [1] }) }, ['client']],
    ['elsewhere', {}, { uses: use(null, { a: [1] }) }, []],
    ['used nowhere', {}, { uses: use(null, { b: [1] }) }, ['unused']],
    ['perhaps behind a line', {}, { uses: use('client', { b: [1] }, [2]) }, []],
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
