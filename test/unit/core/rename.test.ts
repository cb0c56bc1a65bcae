import { expect, test } from 'vitest'
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
