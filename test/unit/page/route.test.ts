import { assert as hold, constantFrom, dictionary, pre, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linkFrom, parseRoute, type Place, printRoute } from '../../../src/page/app/route.ts'
import { hostileText } from '../../helpers/hostile.ts'

const prompt = (slug: string, view: 'text' | 'try' = 'text'): Place => ({
  kind: 'prompt',
  slug,
  view,
})

describe('the address', () => {
  test('of a prompt round-trips any slug and any settings', () => {
    hold(
      property(
        hostileText,
        constantFrom('text', 'try'),
        dictionary(hostileText, hostileText),
        (slug, view, settings) => {
          const route = { place: prompt(slug, view), settings: new Map(Object.entries(settings)) }
          pre(slug !== '' && !/\p{Cs}/u.test([slug, ...route.settings].flat().join(' ')))
          expect(parseRoute(printRoute(route))).toEqual(route)
        },
      ),
    )
  })

  test.each([
    ['', { kind: 'home' }],
    ['#', { kind: 'home' }],
    ['#/', { kind: 'home' }],
    ['#/?q=a+b', { kind: 'home' }],
    ['#/changes', { kind: 'changes' }],
    ['#/prompts?q=a', { kind: 'prompts' }],
    ['#/%70rompts', prompt('prompts')],
    ['#/%63hanges', prompt('changes')],
    ['#/a', prompt('a')],
    ['#/a%2Fb/try?as=openai', prompt('a/b', 'try')],
    ['#/%E0%A4%A', { kind: 'unknown', path: '%E0%A4%A' }],
    ['#/a/nonsense', { kind: 'unknown', path: 'a/nonsense' }],
    ['#/a/try/b', { kind: 'unknown', path: 'a/try/b' }],
    ['#//try', { kind: 'unknown', path: '/try' }],
  ] as const)('%s is one place', (hash, place) => {
    expect(parseRoute(hash).place).toEqual(place)
  })

  test('of a prompt called like a view is not the view', () => {
    for (const slug of ['changes', 'prompts']) {
      const hash = printRoute({ place: prompt(slug), settings: new Map() })
      expect(parseRoute(hash).place).toEqual(prompt(slug))
    }
  })

  test('keeps the search among prompts, and other settings within a view', () => {
    const from = parseRoute('#/a/try?as=openai&q=ticket')
    expect(linkFrom(from, prompt('b', 'try'))).toBe('#/b/try?as=openai&q=ticket')
    expect(linkFrom(from, prompt('a'))).toBe('#/a?q=ticket')
    expect(linkFrom(from, { kind: 'changes' })).toBe('#/changes')
  })
})
