import { describe, expect, test } from 'vitest'
import { changesOf, summaryOf, verdictOf } from '../../../src/page/app/changes.ts'
import { type Entry, entriesOf, MARKS } from '../../../src/page/app/entries.ts'
import { listedEntries, searchEntries } from '../../../src/page/app/search.ts'
import type {
  ChangesView,
  ImpactView,
  ListedPrompt,
  PageRow,
  UsesView,
} from '../../../src/page/protocol.ts'
import { changeRows } from '../../../src/core/change-row.ts'
import { comparePrompts } from '../../../src/core/compare.ts'
import { pinned } from '../../helpers/pinned.ts'

function listed(fields: Partial<ListedPrompt>): ListedPrompt {
  return {
    ...pinned({ folder: '', system: '', user: '', ...fields }),
    lockLine: null,
    staging: fields.staging ?? null,
  }
}

/** What is known besides prompts. */
interface Knowledge {
  readonly changes?: ChangesView
  readonly uses?: UsesView
}

function entries(
  prompts: readonly Partial<ListedPrompt>[],
  { changes, uses }: Knowledge = {},
): Entry[] {
  return entriesOf(prompts.map(listed), changes, uses)
}

const slugs = (found: readonly Entry[]): string[] => found.map(({ prompt }) => prompt.slug)

function row(slug: string, more: Partial<PageRow> = {}): PageRow {
  const unread = { class: 'unread', effects: [{ kind: 'unread' }], change: null } as const
  const version = { before: 'v22', after: 'v23' }
  const part = { slug, environment: 'live', kind: 'updated' } as const
  return { ...part, version, places: [], reason: null, ...unread, ...more }
}

/** The same once its text is read. */
function readRow(slug: string): PageRow {
  const [before, after] = [pinned({ slug }), pinned({ slug, system: '{{ tone }}' })]
  const [changed] = changeRows(comparePrompts([before], [after]))
  return changed ?? row(slug)
}

function usesOf(...used: string[]): UsesView {
  const sites = used.map((slug) => ({ slug, file: 'x.ts', line: 1, column: 1 }))
  return { kind: 'analysed', sites, escapes: [] } as unknown as UsesView
}

function impactOf(...broken: string[]): ImpactView {
  const findings = broken.map((slug, index) => ({ slug, file: 'x.ts', line: index + 1, column: 1 }))
  return { kind: 'checked', findings } as unknown as ImpactView
}

test('entries are sorted by folder and slug as people count', () => {
  const sorted = entries([
    { slug: 'team-10', folder: 'z' },
    { slug: 'team-2', folder: 'z' },
    { slug: 'c', folder: 'a' },
  ])
  expect(slugs(sorted)).toEqual(['c', 'team-2', 'team-10'])
})

test('entries are marked with what a visitor wants to know, and filtered by it', () => {
  const staging = { ...pinned({ slug: 'c', environment: 'test' }) }
  const all = entries(
    [
      { slug: 'a', version: 'v1-edited', held: { reason: '' } },
      { slug: 'b' },
      { slug: 'c', staging },
    ],
    { uses: usesOf('b', 'c'), changes: { kind: 'compared', rows: [row('b')], service: null } },
  )
  const listedWith = (settings: Record<string, string>): string[] =>
    slugs(listedEntries(all, { settings: new Map(Object.entries(settings)) }))
  expect(MARKS.map((show) => listedWith({ show }))).toEqual([['b'], ['a'], ['a'], ['c'], ['a']])
  expect(listedWith({ sort: '-prompt', q: 'gpt' })).toEqual(['c', 'b', 'a'])
  expect(listedWith({ sort: 'use' })).toEqual(['b', 'c', 'a'])
})

describe('a search', () => {
  const all = entries([
    { slug: 'a-note', system: 'How to triage.' },
    { slug: 'b-note', folder: 'triage' },
    { slug: 'support-triage', model: 'claude' },
    { slug: 'pretriage' },
    { slug: 'triage' },
  ])

  test.each([
    ['triage', ['a-note', 'pretriage', 'support-triage', 'triage', 'b-note']],
    [' TRIAGE', ['a-note', 'pretriage', 'support-triage', 'triage', 'b-note']],
    ['HOW to', ['a-note']],
    ['claude', ['support-triage']],
    ['tirage', []],
  ])('for “%s” lists the prompts that contain it', (text, want) => {
    expect(slugs(searchEntries(all, text))).toEqual(want)
  })
})

describe('an entry has one badge at most:', () => {
  const service = (change: PageRow): Knowledge => ({
    changes: { kind: 'compared', rows: [change], service: null },
  })
  test.each([
    ['nothing', {}, {}, undefined],
    ['the waiting version', {}, service(row('a')), 'update → v23'],
    [
      'it visibly',
      {},
      service(row('a', { version: { before: 'v22', after: 'v\u202e3' } })),
      'update → v⟨U+202E⟩3',
    ],
    [
      'the update of a text',
      {},
      service(row('a', { version: { before: 'v22', after: 'v22' } })),
      'update update',
    ],
    ['the removal', {}, service(row('a', { kind: 'removed' })), 'removed removed'],
    ['the hold', { held: { reason: 'legal' } }, {}, 'held held'],
    ['the edit', { held: { reason: '' }, version: 'v22-edited' }, {}, 'edited edited'],
    ['the edit after a release', { version: 'v22-edited' }, {}, 'edited edited'],
    ['its notes', { system: '{{#if}}' }, {}, 'note 1 note'],
    [
      'the version that waits in staging',
      {},
      service(row('a', { environment: 'test' })),
      'update → v23',
    ],
    ['the update first', { system: '{{#if}}' }, service(row('a')), 'update → v23'],
  ] as const)('%s', (_, prompt, more, want) => {
    const [entry] = entries([{ slug: 'a', version: 'v22', ...prompt }], more)
    expect(entry?.badge && `${entry.badge.kind} ${entry.badge.label}`).toBe(want)
  })
})

describe('changes', () => {
  const rows = [row('unused-2'), row('unused-10'), row('used'), readRow('broken')]
  const uses = usesOf('used', 'broken')

  test('that break lines come first, then those of used prompts', () => {
    expect(changesOf(rows, uses, impactOf('broken')).map(({ slug }) => slug)).toEqual([
      'broken',
      'used',
      'unused-10',
      'unused-2',
    ])
  })

  test('are bad news only if a line that breaks is proven', () => {
    const read = rows.map(({ slug }) => readRow(slug))
    expect(verdictOf(changesOf(read, uses, impactOf('broken'))).text).toBe(
      '1 line of your app would break if you pulled now',
    )
    expect(verdictOf(changesOf(rows, uses, undefined))).toEqual({
      text: '4 changes wait',
      isBad: false,
    })
    expect(verdictOf(changesOf(rows, uses, impactOf('broken', 'broken')))).toEqual({
      text: 'At least 2 lines of your app would break if you pulled now',
      isBad: true,
    })
  })

  test('that only have unproven uses are not bad news', () => {
    const proven = impactOf('broken')
    const findings = (proven.kind === 'checked' ? proven.findings : []).map((finding) => ({
      ...finding,
      kind: 'unproven' as const,
    }))
    const unproven = changesOf(rows, uses, { kind: 'checked', findings })
    expect(verdictOf(unproven)).toEqual({
      text: '1 unproven use in your app',
      isBad: false,
    })
  })

  test('break nothing only once the texts of all used prompts are checked', () => {
    const read = rows.map(({ slug }) => readRow(slug))
    expect(verdictOf(changesOf(rows, uses, impactOf())).text).toBe('4 changes wait')
    expect(verdictOf(changesOf(read, uses, impactOf())).text).toBe(
      '4 changes wait, none breaks your app',
    )
    expect(verdictOf(changesOf(read, undefined, undefined)).text).toBe('4 changes wait')
  })

  test('are summed up by what calls have to change, then by what differs', () => {
    expect(summaryOf(row('a'))).toBe('text not read')
    const lost = { kind: 'cacheable-prefix', before: 4120, after: 38, variable: null } as const
    const text = { kind: 'text', fields: ['system'] } as const
    expect(summaryOf(row('a', { class: 'text', effects: [text, lost] }))).toBe(
      'text: system text, cacheable prefix 4,120 → 38 characters',
    )
    expect(summaryOf(readRow('a'))).toBe(
      'contract: +tone, system text rewritten under the same label',
    )
  })
})
