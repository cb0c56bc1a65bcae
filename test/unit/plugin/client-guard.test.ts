import { describe, expect, test } from 'vitest'
import type { Guard } from '../../../src/config/options.ts'
import type { BuildContext } from '../../../src/plugin/session.ts'
import { createClientGuard, importChain } from '../../../src/plugin/client-guard.ts'
import { idsOf } from '../../../src/plugin/ids.ts'
import { fakeContext, fakeProject, fakeSession } from '../../helpers/fake-project.ts'
import { rejection } from '../../helpers/service-client.ts'

/** A guard, and the messages that it prints. */
function guardOf(client: Guard, known: Partial<BuildContext> = {}) {
  const said: string[] = []
  const notify = (_: unknown, message: string): void => void said.push(message)
  const session = fakeSession(fakeProject({ options: { client } }))
  const context = fakeContext({ ...known, notify })
  const guard = createClientGuard(
    () => session,
    () => context,
  )
  return { guard, said }
}

/** The modules that a message lists. */
function listed(message: string): string[] {
  return [...message.matchAll(/^ *- (.*)$|read them: (.*)$/gm)].map(([, ...names]) =>
    names.join(''),
  )
}

describe('the client guard', () => {
  test('warns once, with the chain of imports from the project folder', async () => {
    const { guard, said } = guardOf('warn')
    await guard.check(['/nowhere/src/page.js', 'virtual:page', '', '/nowhere/main.js', '/nowhere'])
    await guard.check(['/nowhere/src/other.js'])
    expect(said.map(listed)).toEqual([['src/page.js', 'virtual:page', 'main.js']])
  })

  test('warns of a single-page app in one line, which names the file of the option', async () => {
    const { guard, said } = guardOf('warn', { singlePage: true, ids: idsOf('billing-prompts') })
    await guard.check(['/nowhere/src/page.js', '/nowhere/main.js'])
    expect(said).toEqual([expect.stringMatching(/^.+ in billing-prompts\.config\.ts\.$/)])
  })

  test.each([true, false])(
    'fails each time by client: error, singlePage: %s',
    async (singlePage) => {
      const { guard, said } = guardOf('error', { singlePage })
      for (const _ of [1, 2]) {
        const error = await rejection(guard.check(['/nowhere/page.js', '/nowhere/main.js']))
        const details = { chain: ['page.js', 'main.js'] }
        expect(error).toMatchObject({ code: 'PROMPTS_IN_CLIENT', details })
      }
      expect(said).toEqual([])
    },
  )
})

test.each<[string, Readonly<Record<string, readonly string[]>>, string[]]>([
  ['goes up by the first importer', { a: ['b', 'x'], b: ['c'], c: [] }, ['a', 'b', 'c']],
  ['is a module whose importers are not known', {}, ['a']],
  ['ends at a module that is not known', { a: ['b'] }, ['a', 'b']],
  ['does not go in circles', { a: ['a', 'b'], b: ['a', 'c'], c: ['b'] }, ['a', 'b', 'c']],
])('the chain of imports %s', (_, graph, want) => {
  expect(importChain('a', (id) => graph[id] ?? [])).toEqual(want)
})

test('the chain of imports has no more than 20 modules', () => {
  expect(importChain(0, (id) => [id + 1])).toHaveLength(20)
})
