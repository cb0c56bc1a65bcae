import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toIdentifier, isIdentifier, promptNames, planNames } from '../../../src/core/names.ts'
import { hostileText } from '../../helpers/hostile.ts'
import { sweep } from '../../helpers/sweep.ts'

const IDENTIFIERS = [
  ['support-triage', 'supportTriage'],
  ['support_triage', 'supportTriage'],
  ['support triage', 'supportTriage'],
  ['support.triage/eu', 'supportTriageEu'],
  ['--support--triage--', 'supportTriage'],
  ['a -b', 'aB'],
  ['supportTriage', 'supportTriage'],
  ['SupportTriage', 'supportTriage'],
  ['HTML to text', 'htmlToText'],
  ['to-HTML', 'toHTML'],
  ['API', 'api'],
  ['v2', 'v2'],
  ['top-3-items', 'top3Items'],
  ['a', 'a'],
  ['größe-ändern', 'größeÄndern'],
  ['Über-uns', 'überUns'],
  ['票据', '票据'],
  ['ǆ-ǆ', 'ǆǄ'],
  ['𝒜-b', '𝒜B'],
  ['$price', '$price'],
  ['__proto__', 'proto'],
  ['constructor', 'constructor'],
  ['toString', 'toString'],
  ['then', 'then'],
  ['async', 'async'],
  ['undefined', 'undefined'],
  ['a'.repeat(1000), 'a'.repeat(1000)],
] as const

const NAMELESS = ['', ' ', '-', '_', '😀', '"', "'", '\0', '3d', '3-d', '٣a', 'DEFAULT', '-new-']

const RESERVED =
  'default class new await let static eval arguments null true import yield enum this super with'

test.each(IDENTIFIERS)('the slug %j has the identifier %s', (slug, identifier) => {
  expect(toIdentifier(slug)).toBe(identifier)
})

test('any one separator between words gives the same identifier', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'z', '0', '9', 'ß', 'B'), minLength: 1 })
  fc.assert(
    fc.property(fc.array(word), fc.constantFrom(...'-_./'), (words, separator) => {
      expect(toIdentifier(words.join(separator))).toBe(toIdentifier(words.join(' ')))
    }),
    sweep(),
  )
})

test.each([...NAMELESS, ...RESERVED.split(' ')])('the slug %j has no identifier', (slug) => {
  const plan = planNames([slug, '1'])
  expect(toIdentifier(slug)).toBeUndefined()
  expect(promptNames(slug, plan)).toEqual([slug])
  expect(plan.collisions).toEqual([])
})

const COLLISIONS: readonly (readonly [string, string[], identifier: string, slugs: string[]])[] = [
  ['two spellings', ['a-b', 'a_b'], 'aB', ['a-b', 'a_b']],
  ['a slug that is the identifier', ['a-b', 'aB'], 'aB', ['a-b', 'aB']],
  ['three of them', ['a b', 'a.b', 'AB', 'a-b'], 'aB', ['a b', 'a-b', 'a.b']],
  ['only by case', ['Triage', 'triage'], 'triage', ['Triage', 'triage']],
  ['a prefix of underscores', ['__proto__', 'proto'], 'proto', ['__proto__', 'proto']],
]

describe('a collision', () => {
  test.each(COLLISIONS)(
    'slugs that would share an identifier get none: %s, %j',
    (_, given, identifier, slugs) => {
      for (const order of [given, given.toReversed()]) {
        const plan = planNames(order)
        expect(plan.collisions).toEqual([{ identifier, slugs }])
        for (const slug of slugs) expect(promptNames(slug, plan)).toEqual([slug])
      }
    },
  )

  test('a slug takes the identifier of another, though it is not its own', () => {
    const plan = planNames(['$-a', '$A'])
    expect(plan.collisions).toEqual([{ identifier: '$A', slugs: ['$-a', '$A'] }])
    expect(promptNames('$-a', plan)).toEqual(['$-a'])
    expect(promptNames('$A', plan)).toEqual(['$A', '$a'])
  })

  test('slugs beside a collision keep their identifiers', () => {
    const plan = planNames(['a-b', 'a_b', 'c-d'])
    expect(promptNames('c-d', plan)).toEqual(['c-d', 'cD'])
  })
})

test('a slug that is its own identifier has one name', () => {
  const plan = planNames(['triage', 'other'])
  expect(promptNames('triage', plan)).toEqual(['triage'])
  expect(plan.collisions).toEqual([])
})

test.each(['class', 'await', 'a-b', '1', '', 'a b', 'é b'])('%j is not an identifier', (name) => {
  expect(isIdentifier(name)).toBe(false)
})

test.each(['_', '$', 'a\u200d', 'é', 'of', 'async', 'get'])('%j is an identifier', (name) => {
  expect(isIdentifier(name)).toBe(true)
})

test('for any slugs, every slug is a name and all names are unique', () => {
  fc.assert(
    fc.property(fc.uniqueArray(hostileText), (slugs) => {
      const plan = planNames(slugs)
      const names = slugs.flatMap((slug) => promptNames(slug, plan))
      expect(new Set(names).size).toBe(names.length)
      expect(names).toEqual(expect.arrayContaining(slugs))
    }),
    sweep(),
  )
})

test('names do not depend on the order of the slugs', () => {
  fc.assert(
    fc.property(fc.uniqueArray(hostileText), (slugs) => {
      const [one, other] = [planNames(slugs), planNames(slugs.toReversed())]
      expect(new Map([...other.identifiers].toReversed())).toEqual(one.identifiers)
    }),
    sweep(),
  )
})
