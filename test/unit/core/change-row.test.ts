import { describe, expect, test } from 'vitest'
import {
  changedTexts,
  changeRows,
  isNotChecked,
  type ChangeRow,
  shortenRows,
  skippedRow,
  sortRows,
} from '../../../src/core/change-row.ts'
import { listEffects, riskyChanges } from '../../../src/core/classify-change.ts'
import { compareLocks, comparePrompts } from '../../../src/core/compare.ts'
import {
  countRows,
  describeEffects,
  describeHidden,
  describeVersion,
} from '../../../src/core/describe-change.ts'
import type { ImpactFinding } from '../../../src/core/impact.ts'
import type { PinnedPrompt } from '../../../src/core/prompt.ts'
import { liveLock, lockOf, partsOf, pinned } from '../../helpers/pinned.ts'

const SAME = text('{{ a }} {{ b }}')
const WORDS = text('{{ a }}, {{ b }}')

const CASES: readonly (readonly [string, Partial<PinnedPrompt>, string, string[]])[] = [
  ['a new variable', text('{{ a }} {{ b }} {{ c }}'), 'contract', ['variable-added', 'text']],
  ['a renamed variable', text('{{ a }} {{ c }}'), 'contract', ['variable-renamed', 'text']],
  ['a removed variable', text('{{ a }}'), 'contract', ['variable-removed', 'text']],
  ['other words', text('{{ a }}, {{ b }}'), 'text', ['text']],
  ['a first user text', { ...SAME, user: 'Now.' }, 'contract', ['roles', 'text']],
  ['other words and another model', { ...WORDS, model: 'x' }, 'contract', ['setting', 'text']],
  ['another model', { ...SAME, model: 'x' }, 'contract', ['setting']],
  ['another folder', { ...SAME, folder: 'x' }, 'settings', ['setting']],
  ['another label', { ...SAME, version: 'v9' }, 'settings', []],
]

describe('a change', () => {
  test.each(CASES)(
    'a change of %s has the class of its gravest effect',
    (_, part, want, effects) => {
      const [before, after] = [liveLock(SAME), [pinned(part)]]
      const [row] = rowsOf(before.parts, after)
      expect([row?.class, row?.effects.map(({ kind }) => kind)]).toEqual([want, effects])
      const risky = riskyChanges(comparePrompts(before.parts, after))
      expect(risky).toHaveLength(want === 'contract' ? 1 : 0)
    },
  )

  test('a change that adds a prompt can break the app', () => {
    const both = [pinned({ slug: 'a' }), pinned({ slug: 'b' })]
    const changes = comparePrompts(liveLock({ slug: 'a' }).parts, both)
    expect(riskyChanges(changes)).toMatchObject([{ slug: 'b' }])
  })

  test('an added prompt with a staging version is two rows, each with the code that it breaks', () => {
    const after = lockOf({
      live: [{ slug: 'a', version: 'v1', ...text('{{ x }}') }],
      staging: [{ slug: 'a', version: 'v2', ...text('{{ y }}') }],
    })
    const findings = [at({ environment: 'live' }), at({ environment: 'test', line: 2 })]
    const rows = changeRows(compareLocks(liveLock(), after), { findings })
    expect(rows).toMatchObject([
      { environment: 'live', version: { before: null, after: 'v1' }, places: [{ line: 1 }] },
      { environment: 'test', version: { before: null, after: 'v2' }, places: [{ line: 2 }] },
    ])
    expect(rows.map((row) => describeEffects(row, String))).toEqual(['+x', '+y'])
  })

  test('a change that removes a prompt is one of the contract', () => {
    const rows = rowsOf([pinned({ slug: 'a' })], [pinned({ slug: 'b' })])
    expect(rows.map((row) => row.class)).toEqual(['contract', 'added'])
  })

  test('a change is breaking only if a line of the app is known to stop compiling', () => {
    const changes = comparePrompts([pinned(text('{{ a }}'))], [pinned(text('{{ b }}'))])
    const [{ slug = '' } = {}] = changes
    const rowOf = (finding: Partial<ImpactFinding>): unknown =>
      changeRows(changes, { findings: [at({ slug, ...finding })] }).map((row) => [
        row.class,
        isNotChecked(row),
      ])
    expect(rowOf({})).toEqual([['breaking', false]])
    expect(rowOf({ kind: 'not-checked' })).toEqual([['contract', true]])
    expect(rowOf({ slug: null })).toEqual([['contract', false]])
  })

  test.each([
    ['an added one', ['a'], ['a', 'z'], ['breaking', 'added']],
    ['an added one, if neither has an identifier', ['1'], ['1', '2'], ['breaking', 'added']],
    ['one with the same identifier', ['a-b', 'a_b'], ['a-b', 'a_b'], ['breaking', 'text']],
  ])('a line that needs a changed prompt does not make another one breaking: %s', (_, ...slugs) => {
    const [before = [], after = []] = slugs
    const changes = comparePrompts(
      before.map((slug) => pinned({ slug })),
      after.map((slug) => pinned({ slug, system: 'New.' })),
    )
    const rows = changeRows(changes, { findings: [at({ slug: before[0] ?? null })] })
    expect(rows.map((row) => row.class)).toEqual(slugs[2])
  })

  test('an added prompt that takes an identifier in use is breaking', () => {
    const [old, taker] = [pinned({ slug: 'a-b' }), pinned({ slug: 'a_b' })]
    const changes = comparePrompts([old], [old, taker])
    const [row] = changeRows(changes, { findings: [at({ slug: 'a-b' })] })
    expect(row).toMatchObject({ slug: 'a_b', class: 'breaking', places: [{ file: 'x.ts' }] })
  })

  test.each([
    ['live', ['breaking', 'contract']],
    ['test', ['contract', 'breaking']],
    [null, ['breaking', 'breaking']],
  ] as const)(
    'a change is breaking in the part that a finding is about: %s',
    (environment, want) => {
      const locks = ['1', '2'].map((version) => {
        const part = { slug: 'a', version, ...text(`{{ v${version} }}`) }
        return lockOf({ live: [part], staging: [{ ...part, version: `${version}-draft` }] })
      })
      const [before = liveLock(), after = before] = locks
      const rows = changeRows(compareLocks(before, after), { findings: [at({ environment })] })
      const sorted = sortRows(rows.toReversed())
      expect(sorted.map((row) => row.environment)).toEqual(['live', 'test'])
      expect(rows.map((row) => row.class)).toEqual(want)
    },
  )

  test('unchanged prompts are left out', () => {
    expect(rowsOf([pinned()], [pinned()])).toEqual([])
  })

  test('a change is not classed by its text if that was not read', () => {
    const changes = comparePrompts([pinned()], [pinned({ version: 'v23' })])
    const [row] = changeRows(changes, { unread: changes })
    expect(row).toMatchObject({ class: 'unread', effects: [{ kind: 'unread' }] })
    const ended = compareLocks({ parts: partsOf('a1 a*2') }, { parts: partsOf('a1') })
    expect(changeRows(ended, { unread: ended })).toMatchObject([{ class: 'settings' }])
  })
})

describe('rows are sorted', () => {
  const slugs = ['a', 'b', 'c', 'd', 'e']
  const changes = comparePrompts(
    slugs.map((slug) => pinned({ slug })),
    slugs.map((slug) => pinned({ slug, system: 'New.' })),
  )

  test('rows are sorted by broken lines, then by use, then by code point of the slug', () => {
    const notChecked = at({ slug: 'b', kind: 'not-checked' })
    const findings = [at({ slug: 'c' }), at({ slug: 'd' }), at({ slug: 'd', line: 2 }), notChecked]
    for (const line of [2, 3]) findings.push(at({ slug: 'c', line, kind: 'not-checked' }))
    const rows = changeRows(changes, { findings, used: [{ slug: 'e', files: [] }] })
    expect(rows.map(({ slug }) => slug)).toEqual(['d', 'c', 'b', 'e', 'a'])
    expect(sortRows(rows).map(({ slug }) => slug)).toEqual(['d', 'c', 'b', 'a', 'e'])
  })

  test('a row has a reason if a pull leaves it', () => {
    const code = { text: 'render()', start: 0, length: 6 }
    const [row] = changes.map((change) => skippedRow(change, 'is in use', [at({ code }), at({})]))
    expect(row).toMatchObject({ slug: 'a', class: 'breaking', reason: 'is in use' })
    expect(row?.effects).toEqual([{ kind: 'text', fields: ['system'] }])
    const place = { file: 'x.ts', line: 1, column: 1, kind: 'compile', reason: 'gone' }
    expect(row?.places).toStrictEqual([{ ...place, code }, place])
  })
})

test('beyond 20 rows, changes that only touch texts and further added prompts are counted', () => {
  const OTHERS = [{ model: 'x' }, { version: 'v9' }, { ...WORDS, folder: 'x' }]
  const parts = Array.from({ length: 21 }, (_, index) => pinned({ ...SAME, slug: `p${index}` }))
  const changed = parts.map((part, index) => ({
    ...part,
    ...(index < 18 ? WORDS : OTHERS[index - 18]),
  }))
  const rows = rowsOf(parts, changed)
  const { visible, hidden } = shortenRows(rows)
  expect(visible.map(({ slug }) => slug)).toEqual(['p18', 'p19', 'p20'])
  expect(describeHidden(hidden)).toBe('… and 18 changes that only touch texts')
  expect(shortenRows(rows.slice(0, 20)).hidden).toEqual([])
  const added = shortenRows(rowsOf([], parts))
  expect([added.visible.length, describeHidden(added.hidden)]).toEqual([20, '… and 1 more added'])
  const labels = parts.map((part) => ({ ...part, version: 'v9' }))
  const listed = comparePrompts(parts, labels)
  expect(shortenRows(changeRows(listed, { unread: listed })).visible).toHaveLength(20)
})

const SEPARATED = pinned({ user: 'U', source: 'Be kind, U' })
const JOINED = pinned({ user: 'V' })

test.each([
  ['that differ', pinned({ user: 'U' }), pinned({ user: 'V' }), ['user']],
  ['of a removed prompt', pinned({ user: 'U' }), undefined, ['system', 'user']],
  ['with a source that is no join any more', SEPARATED, JOINED, ['user', 'source']],
  ['if only their separator differs', JOINED, { ...JOINED, source: 'Be kind.\nV' }, ['source']],
] as const)('a change shows the texts %s', (_, before, after, fields) => {
  const changes = comparePrompts([before], after ? [after] : [])
  const texts = changes.flatMap(changedTexts)
  expect(texts.map(({ field }) => field)).toEqual(fields)
  expect(texts.map((shown) => shown.after)).toEqual(fields.map((field) => after?.[field] ?? null))
})

describe('the words for a change', () => {
  const words = ([row]: readonly ChangeRow[]): string | undefined =>
    row && describeEffects(row, (remote) => `<${remote}>`)
  const old = pinned({ ...text('{{ a }} {{ b }}'), version: 'v1' })
  test.each([
    ['a new variable', { ...text('{{ a }} {{ b }} {{ c }}') }, '+<c>, system text changed'],
    ['removed variables', { ...text('Hi') }, '-<a>, -<b>, system text changed'],
    ['a renamed one', { ...text('{{ a }} {{ c }}') }, '<b> → <c> (renamed?), system text changed'],
    ['another role', { user: 'Hi' }, 'roles system → system and user, user text changed'],
    ['settings', { model: 'x', folder: '' }, 'model <gpt-5> → <x>, folder <support> → (none)'],
    ['a hidden character', { model: 'gpt-5\u200b' }, 'model <gpt-5> → <gpt-5⟨U+200B⟩>'],
    ['another label', {}, 'same text'],
    ['another join', { source: '{{ a }} {{ b }}.' }, 'whole text changed'],
    [
      'a rewritten text',
      { ...text('{{ a }}. {{ b }}'), version: 'v1' },
      'system text rewritten under the same label',
    ],
  ])('the words for a change name %s', (_, after, want) => {
    expect(words(rowsOf([old], [{ ...old, version: 'v2', ...after }]))).toBe(want)
  })

  test('the words for a change name the cacheable prefix that it loses, never a break', () => {
    const rules = 'x'.repeat(4120)
    const after = text(`${'y'.repeat(38)}{{ date }}${rules}{{ a }}`)
    const before = text(`${rules}{{ a }} {{ date }}`)
    const rows = rowsOf([pinned(before)], [pinned({ ...after, version: 'v23' })])
    expect(rows[0]?.class).toBe('text')
    expect(words(rows)).toBe(
      'system text changed, cacheable prefix 4,120 → 38 characters: <{{ date }}> moved to line 1',
    )
  })

  test('the words for a change name what an added prompt needs, and a removed one', () => {
    expect(words(rowsOf([], [old]))).toBe('+<a>, +<b>')
    expect(words(rowsOf([], [pinned()]))).toBe('no variables')
    expect(words(rowsOf([old], []))).toBe('removed')
  })

  test.each([
    ['a2', 'same text; published'],
    ['a1', 'no longer staged: previews show <v1>'],
    ['a3', 'same text; no longer staged: previews show <v3>'],
    ['a1 a*3', 'same text'],
  ])('the words for a draft a*2 that the lock %s follows are “%s”', (after, want) => {
    const [before, now] = [partsOf('a1 a*2'), partsOf(after)]
    const rows = changeRows(compareLocks({ parts: before }, { parts: now }))
    expect(rows.map((row) => words([row])).join('; ')).toBe(want)
  })

  test('a draft that was thrown away is not called published because the live version has its label', () => {
    const [live, draft] = [
      pinned(text('Live.')),
      pinned({ ...text('Draft.'), environment: 'test' }),
    ]
    const rows = changeRows(compareLocks({ parts: [live, draft] }, { parts: [live] }))
    expect(words(rows)).toMatch(/^system text.*, no longer staged: previews show <v22>$/)
  })

  test('the words for a change count what exceeds ten effects', () => {
    const many = Array.from({ length: 12 }, (_, index) => `{{ v${index} }}`).join('')
    expect(words(rowsOf([], [pinned(text(many))]))).toMatch(/, \+<v9>, … and 2 more$/)
  })

  test('a version has both labels, one if they are the same, and none of a removed prompt', () => {
    const version = ([row]: readonly ChangeRow[]): string | undefined =>
      row && describeVersion(row, String)
    expect(version(rowsOf([old], [{ ...old, version: 'v2' }]))).toBe('v1 → v2')
    expect(version(rowsOf([old], [{ ...old, model: 'x' }]))).toBe('v1')
    expect(version(rowsOf([old], []))).toBe('v1 → gone')
  })

  test('the rows of each class are counted', () => {
    const rows = rowsOf([old], [{ ...old, model: 'x' }, pinned({ slug: 'z' })])
    expect(countRows(rows)).toEqual(['1 contract', '1 added'])
  })
})

function text(system: string): Partial<PinnedPrompt> {
  return { system, source: system }
}

function rowsOf(before: readonly PinnedPrompt[], after: readonly PinnedPrompt[]): ChangeRow[] {
  return changeRows(comparePrompts(before, after))
}

function at(finding: Partial<ImpactFinding>): ImpactFinding {
  const cause = { slug: 'a', environment: null, reason: 'gone', message: '' }
  return { file: 'x.ts', line: 1, column: 1, kind: 'compile', ...cause, ...finding }
}

/** What is guessed for a prompt whose user text changes so. */
function renameIn(before: string, after: string): string | undefined {
  const [change] = comparePrompts([pinned({ user: before })], [pinned({ user: after })])
  const effects = change ? listEffects(change) : []
  const rename = effects.find((effect) => effect.kind === 'variable-renamed')
  return rename && `${rename.from} → ${rename.to}`
}

test.each([
  ['the only token', '{{ a }}', '{{ b }}'],
  ['every token of it', '{{a}} {{x}} {{a}}', '{{b}} {{x}} {{b}}'],
  ['the token in a rewritten text', 'Dear {{a}}, {{x}}', 'Hi {{b}}! {{x}}'],
  ['the token in a line, though others moved', '{{x}}\nName: {{a}}', 'Name: {{b}}\n{{x}} {{x}}'],
])('a probable rename is %s', (_, before, after) => {
  expect(renameIn(before, after)).toBe('a → b')
})

test.each([
  ['another place', 'Name: {{a}}\n{{x}}', '{{x}}\nTone: {{b}}'],
  [
    'another place next to an unchanged line',
    'Dear {{x}}\nName: {{a}}\n{{y}}',
    'Dear {{x}}\n{{y}}\nTone: {{b}}',
  ],
  ['two new names next to the line', 'Name: {{a}}', 'Name: {{b}}\n{{c}}'],
  ['two names for two', 'Name: {{a}}\n{{b}}', 'Name: {{c}}\n{{d}}'],
  ['two gone names next to it', 'Name: {{a}}\n{{b}}', 'Name: {{c}}'],
  ['a line of nothing but tokens', '{{x}}\n{{a}}', '{{b}}\n{{x}}'],
  ['two new names', '{{a}}', '{{b}} {{c}}'],
  ['two gone names', '{{a}} {{b}}', '{{c}}'],
  ['an added name', '{{a}}', '{{a}} {{b}}'],
  ['a removed name', '{{a}} {{b}}', '{{a}}'],
  ['no change of names', '{{a}} x', '{{a}} y'],
])('a probable rename is not %s', (_, before, after) => {
  expect(renameIn(before, after)).toBeUndefined()
})
