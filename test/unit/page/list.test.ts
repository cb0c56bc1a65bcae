import { assert as hold, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changeRows } from '../../../src/core/change-row.ts'
import { comparePrompts } from '../../../src/core/compare.ts'
import type { Known, ListedPrompt, PageRow, Shown } from '../../../src/page/shown.ts'
import { drawDocument } from '../../../src/page/views/document.tsx'
import { entriesOf, listedEntries } from '../../../src/page/views/entries.ts'
import { canTake, changesOf, verdictOf } from '../../../src/page/views/rows.ts'
import { hostilePrompt } from '../../helpers/hostile.ts'
import { pinned } from '../../helpers/pinned.ts'

const NOTHING: Shown = {
  lockPath: 'prompts.lock.json',
  canWrite: true,
  environment: 'live',
  hash: '',
  prompts: [],
  lockError: null,
  changes: undefined,
  uses: undefined,
  impact: undefined,
  broken: undefined,
  isAnalysing: false,
}

function shown(prompts: readonly Partial<ListedPrompt>[], rows: readonly PageRow[] = []): Shown {
  const listed = prompts.map((fields) => ({
    ...pinned({ folder: '', system: '', user: '', ...fields }),
    lockLine: null,
    staging: fields.staging ?? null,
  }))
  const service = { checkedAt: 0, planStatus: '', held: [], kept: [] }
  return { ...NOTHING, prompts: listed, changes: { kind: 'known', rows, ...service } }
}

function row(slug: string, more: Partial<PageRow> = {}): PageRow {
  const unread = { class: 'unread', effects: [{ kind: 'unread' }], change: null } as const
  const version = { before: 'v22', after: 'v23' }
  const part = { slug, environment: 'live', kind: 'updated', name: slug } as const
  return { ...part, version, places: [], reason: null, ...unread, ...more }
}

/** The same once its text is read. */
function readRow(slug: string): PageRow {
  const [before, after] = [pinned({ slug }), pinned({ slug, system: '{{ tone }}' })]
  const [changed] = changeRows(comparePrompts([before], [after]))
  return { ...row(slug), ...changed }
}

function usesOf(...used: string[]): Shown['uses'] {
  const sites = used.map((slug) => ({ slug, file: 'x.ts', line: 1, column: 1 }))
  return { kind: 'known', sites, escapes: [] } as unknown as Shown['uses']
}

function impactOf(...broken: string[]): Known<{ findings: { kind?: string }[] }> & Shown['impact'] {
  const findings = broken.map((slug, index) => ({ slug, file: 'x.ts', line: index + 1, column: 1 }))
  return { kind: 'known', findings } as unknown as ReturnType<typeof impactOf>
}

describe('the list', () => {
  test('is sorted by folder and slug as people count, and searched in every field and mark', () => {
    const staging = pinned({ slug: 'c', environment: 'test' })
    const prompts = [
      { slug: 'team-10', folder: 'z', system: 'How to triage.' },
      { slug: 'team-2', folder: 'z', held: { reason: '' }, version: 'v1-edited' },
      { slug: 'c', folder: 'a', model: 'Triage', staging },
    ]
    const all = entriesOf({ ...shown(prompts, [row('team-10')]), uses: usesOf('team-10', 'c') })
    const found = (q: string): string =>
      listedEntries(all, new URLSearchParams({ q }))
        .map(({ prompt }) => prompt.slug)
        .join(' ')
    expect(found('')).toBe('c team-2 team-10')
    expect([' TRIAGE', 'how TO', 'tirage'].map(found)).toEqual(['c team-10', 'team-10', ''])
    const marks = ['waiting', 'edited', 'held', 'staged', 'unused']
    expect(marks.map(found)).toEqual(['team-10', 'team-2', 'team-2', 'c', 'team-2'])
  })

  test.each<[string, Partial<ListedPrompt>, Partial<PageRow> | undefined, string | undefined]>([
    ['nothing', {}, undefined, undefined],
    ['the waiting version', {}, {}, '→ v23'],
    ['it visibly', {}, { version: { before: 'v22', after: 'v\u202e3' } }, '→ v⟨U+202E⟩3'],
    ['the update of a text', {}, { version: { before: 'v22', after: 'v22' } }, 'update'],
    ['the removal', {}, { kind: 'removed' }, 'removed'],
    ['the hold', { held: { reason: 'legal' } }, undefined, 'held'],
    ['the edit', { held: { reason: '' }, version: 'v22-edited' }, undefined, 'edited'],
    ['the edit after a release', { version: 'v22-edited' }, undefined, 'edited'],
    ['its notes', { system: '{{#if}}' }, undefined, '1 note'],
    ['the update first', { system: '{{#if}}' }, {}, '→ v23'],
  ])('has one badge for each prompt, which tells %s', (_, prompt, change, want) => {
    const rows = change === undefined ? [] : [row('a', change)]
    const [entry] = entriesOf(shown([{ slug: 'a', version: 'v22', ...prompt }], rows))
    expect(entry?.marks[0]?.[1]).toBe(want)
  })
})

test('of ten thousand prompts, the first 1,000 are drawn until a search finds fewer', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({
    slug: `customer-${String(index).padStart(5, '0')}`,
    folder: `team-${index % 40}`,
  }))
  const known = { ...shown(many), prompt: undefined, versions: undefined, isLive: true }
  const rowsOf = (q: string): number =>
    drawDocument(
      { ...known, place: { kind: 'prompts' }, query: new URLSearchParams({ q }) },
      '',
    ).split('<li class="row"').length - 1
  expect([rowsOf(''), rowsOf('customer-0999')]).toEqual([1000, 10])
})

describe('changes', () => {
  const rows = ['used', 'unused-10', 'unused-2'].map((slug) => row(slug))
  const waiting = [readRow('broken'), ...rows]
  const read = waiting.map(({ slug }) => readRow(slug))
  const uses = usesOf('used', 'broken')
  const known = (given: readonly PageRow[], more: Partial<Shown>): Shown => {
    return { ...shown([], given), ...more }
  }

  test('stand by folder and slug, whatever they break', () => {
    const order = ['broken', 'unused-2', 'unused-10', 'used']
    for (const impact of [undefined, impactOf('used'), impactOf('broken')])
      expect(changesOf(known(waiting, { uses, impact })).map(({ slug }) => slug)).toEqual(order)
  })

  test('can be taken only once it is known that they break nothing, and while nothing is checked', () => {
    const takeable = (more: Partial<Shown>): string[] => {
      const view = known([...read.slice(0, 2), ...rows.slice(1)], more)
      return changesOf(view).flatMap((change) => (canTake(change, view) ? change.slug : []))
    }
    expect(takeable({})).toEqual([])
    expect(takeable({ uses })).toEqual([])
    expect(takeable({ uses: usesOf('used') })).toEqual(['broken'])
    expect(takeable({ uses, impact: impactOf('broken') })).toEqual(['used'])
    expect(takeable({ uses, impact: impactOf('broken'), isAnalysing: true })).toEqual([])
  })

  test('are bad news only if a line that breaks is proven, and good news once all are checked', () => {
    const unproven = impactOf('broken')
    if (unproven?.kind === 'known')
      for (const finding of unproven.findings) Object.assign(finding, { kind: 'unproven' })
    const verdicts = [
      known(read, { uses, impact: impactOf('broken') }),
      known(waiting, { uses, impact: impactOf('broken', 'broken') }),
      known(waiting, { uses }),
      known(waiting, { uses, impact: unproven }),
      known(waiting, { uses, impact: impactOf() }),
      known(read, { uses, impact: impactOf() }),
      known(read, {}),
    ].map((view) => verdictOf(changesOf(view)))
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
})

test('a document shows text of the service without an element or a hidden character of it', () => {
  const tags = (html: string): string[] => html.match(/<\/?[a-z][\w-]*/g) ?? []
  const draw = (prompt: Partial<ListedPrompt>, view: 'text' | 'history'): string => {
    const more = { query: new URLSearchParams(), versions: undefined, isLive: true }
    const known = shown([prompt])
    const place = { kind: 'prompt', encoded: '', view } as const
    return drawDocument({ ...known, ...more, prompt: known.prompts[0], place }, '')
  }
  const plain = draw({ slug: 'a', model: 'b' }, 'history')
  hold(
    property(hostilePrompt, (prompt) => {
      const { slug = '', folder = '', model = '' } = prompt
      if (slug === '') return
      const html = draw({ slug, folder, model }, 'history')
      expect(tags(html)).toEqual(tags(plain))
      // A field has the text as it is.
      const read = draw(prompt, 'text').replaceAll(
        /<textarea[^]*?<\/textarea>|<(?:"[^"]*"|[^">])*>|\n/g,
        '',
      )
      expect(read).not.toMatch(/[^\P{Cc}\t]|\p{Bidi_Control}/u)
    }),
  )
})
