import { describe, expect, test } from 'vitest'
import { comparePrompts } from '../../../src/core/compare.ts'
import { listEffects } from '../../../src/core/classify-change.ts'
import { pinned } from '../../helpers/pinned.ts'

/** What is guessed for a prompt whose user text changes so. */
function renameIn(before: string, after: string): string | undefined {
  const [change] = comparePrompts([pinned({ user: before })], [pinned({ user: after })])
  const effects = change ? listEffects(change) : []
  const rename = effects.find((effect) => effect.kind === 'variable-renamed')
  return rename && `${rename.from} → ${rename.to}`
}

describe('a probable rename', () => {
  test.each([
    { title: 'the only token', before: '{{ a }}', after: '{{ b }}', want: 'a → b' },
    {
      title: 'every token of it',
      before: '{{a}} {{x}} {{a}}',
      after: '{{b}} {{x}} {{b}}',
      want: 'a → b',
    },
    {
      title: 'the token in a rewritten text',
      before: 'Dear {{a}}, {{x}}',
      after: 'Hi {{b}}! {{x}}',
      want: 'a → b',
    },
    {
      title: 'the token in an unchanged line, though others moved',
      before: '{{x}}\nName: {{a}}',
      after: 'Name: {{b}}\n{{x}} {{x}}',
      want: 'a → b',
    },
  ])('is $title', ({ before, after, want }) => {
    expect(renameIn(before, after)).toBe(want)
  })

  test.each([
    { title: 'another place', before: 'Name: {{a}}\n{{x}}', after: '{{x}}\nTone: {{b}}' },
    {
      title: 'another place next to an unchanged line',
      before: 'Dear {{x}}\nName: {{a}}\n{{y}}',
      after: 'Dear {{x}}\n{{y}}\nTone: {{b}}',
    },
    { title: 'two new names next to the line', before: 'Name: {{a}}', after: 'Name: {{b}}\n{{c}}' },
    { title: 'two gone names next to it', before: 'Name: {{a}}\n{{b}}', after: 'Name: {{c}}' },
    { title: 'a line of nothing but tokens', before: '{{x}}\n{{a}}', after: '{{b}}\n{{x}}' },
    { title: 'two new names', before: '{{a}}', after: '{{b}} {{c}}' },
    { title: 'two gone names', before: '{{a}} {{b}}', after: '{{c}}' },
    { title: 'an added name', before: '{{a}}', after: '{{a}} {{b}}' },
    { title: 'a removed name', before: '{{a}} {{b}}', after: '{{a}}' },
    { title: 'no change of names', before: '{{a}} x', after: '{{a}} y' },
  ])('is not $title', ({ before, after }) => {
    expect(renameIn(before, after)).toBeUndefined()
  })
})
