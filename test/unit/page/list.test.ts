import { describe, expect, test } from 'vitest'
import { changesOf, summaryOf, verdictOf } from '../../../src/page/app/changes.ts'
import {
  type Entry,
  entriesOf,
  listedEntries,
  MARKS,
  searchEntries,
} from '../../../src/page/app/entries.ts'
import type { ImpactView, ListedPrompt, PageRow, UsesView } from '../../../src/page/protocol.ts'
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

function entries(
  prompts: readonly Partial<ListedPrompt>[],
  rows: readonly PageRow[] = [],
  uses?: UsesView,
): Entry[] {
  return entriesOf(prompts.map(listed), { kind: 'compared', rows, service: null }, uses)
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

function impactOf(...broken: string[]): ImpactView & { readonly kind: 'checked' } {
  const findings = broken.map((slug, index) => ({ slug, file: 'x.ts', line: index + 1, column: 1 }))
  return { kind: 'checked', findings } as unknown as ReturnType<typeof impactOf>
}

test('entries are sorted by folder and slug as people count', () => {
  const sorted = entries([
    { slug: 'team-10', folder: 'z' },
    { slug: 'team-2', folder: 'z' },
    { slug: 'c', folder: 'a' },
  ])
  expect(slugs(sorted)).toEqual(['c', 'team-2', 'team-10'])
})

test('entries are marked with what a visitor wants to know, filtered by it, and sorted by a column', () => {
  const staging = pinned({ slug: 'c', environment: 'test' })
  const edited = { slug: 'a', version: 'v1-edited', held: { reason: '' } }
  const all = entries([edited, { slug: 'b' }, { slug: 'c', staging }], [row('b')], usesOf('b', 'c'))
  const listedWith = (settings: Record<string, string>): string[] =>
    slugs(listedEntries(all, { settings: new Map(Object.entries(settings)) }))
  expect(MARKS.map((show) => listedWith({ show }))).toEqual([['b'], ['a'], ['a'], ['c'], ['a']])
  expect(listedWith({ sort: '-prompt', q: 'gpt' })).toEqual(['c', 'b', 'a'])
  expect(listedWith({ sort: 'use' })).toEqual(['b', 'c', 'a'])
})

test('a search lists the prompts that contain a text, whatever its case and where it is', () => {
  const all = entries([
    { slug: 'a-note', system: 'How to triage.' },
    { slug: 'b-note', folder: 'triage' },
    { slug: 'support-triage', model: 'claude' },
  ])
  const found = [' TRIAGE', 'HOW to', 'claude', 'tirage'].map((text) =>
    slugs(searchEntries(all, text)),
  )
  expect(found).toEqual([
    ['a-note', 'support-triage', 'b-note'],
    ['a-note'],
    ['support-triage'],
    [],
  ])
})

test.each<[string, Partial<ListedPrompt>, Partial<PageRow> | undefined, string | undefined]>([
  ['nothing', {}, undefined, undefined],
  ['the waiting version', {}, {}, 'update → v23'],
  ['it visibly', {}, { version: { before: 'v22', after: 'v\u202e3' } }, 'update → v⟨U+202E⟩3'],
  ['the update of a text', {}, { version: { before: 'v22', after: 'v22' } }, 'update update'],
  ['the removal', {}, { kind: 'removed' }, 'removed removed'],
  ['the version that waits in staging', {}, { environment: 'test' }, 'update → v23'],
  ['the hold', { held: { reason: 'legal' } }, undefined, 'held held'],
  ['the edit', { held: { reason: '' }, version: 'v22-edited' }, undefined, 'edited edited'],
  ['the edit after a release', { version: 'v22-edited' }, undefined, 'edited edited'],
  ['its notes', { system: '{{#if}}' }, undefined, 'note 1 note'],
  ['the update first', { system: '{{#if}}' }, {}, 'update → v23'],
])('the one badge of an entry tells %s', (_, prompt, change, want) => {
  const rows = change === undefined ? [] : [row('a', change)]
  const [entry] = entries([{ slug: 'a', version: 'v22', ...prompt }], rows)
  expect(entry?.badge && `${entry.badge.kind} ${entry.badge.label}`).toBe(want)
})

describe('changes', () => {
  const rows = [row('unused-2'), row('unused-10'), row('used'), readRow('broken')]
  const read = rows.map(({ slug }) => readRow(slug))
  const uses = usesOf('used', 'broken')

  test('that break lines come first, then those of used prompts', () => {
    expect(changesOf(rows, uses, impactOf('broken')).map(({ slug }) => slug)).toEqual([
      'broken',
      'used',
      'unused-10',
      'unused-2',
    ])
  })

  test('are bad news only if a line that breaks is proven, and good news once all are checked', () => {
    const unproven = impactOf('broken')
    for (const finding of unproven.findings) Object.assign(finding, { kind: 'unproven' })
    const verdicts = [
      changesOf(read, uses, impactOf('broken')),
      changesOf(rows, uses, impactOf('broken', 'broken')),
      changesOf(rows, uses, undefined),
      changesOf(rows, uses, unproven),
      changesOf(rows, uses, impactOf()),
      changesOf(read, uses, impactOf()),
      changesOf(read, undefined, undefined),
    ].map(verdictOf)
    expect(verdicts).toEqual([
      { text: '1 line of your app would break if you pulled now', isBad: true },
      { text: 'At least 2 lines of your app would break if you pulled now', isBad: true },
      { text: '4 changes wait', isBad: false },
      { text: '1 unproven use in your app', isBad: false },
      { text: '4 changes wait', isBad: false },
      { text: '4 changes wait, none breaks your app', isBad: false },
      { text: '4 changes wait', isBad: false },
    ])
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
