import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Guard } from '../../../src/config/options.ts'
import type { BuildContext } from '../../../src/plugin/session.ts'
import { createClientGuard, importChain } from '../../../src/plugin/client-guard.ts'
import { viteHooks } from '../../../src/plugin/vite/vite.ts'
import { guardClient } from '../../../src/plugin/webpack/webpack.ts'
import type { Compiler } from 'webpack'
import { idsOf } from '../../../src/plugin/ids.ts'
import { fakeContext, fakeHost, fakeProject, fakeSession } from '../../helpers/fake-project.ts'
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

  test('accepts everything by client: allow', async () => {
    const { guard, said } = guardOf('allow')
    await guard.check(['/nowhere/page.js'])
    expect(said).toEqual([])
  })
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

test.each([
  [{ web: true }, 1],
  [{ web: true, node: true }, 0],
  [{ node: true }, 0],
  [{}, 0],
])('the client guard of webpack with the presets %j warns %i times', async (presets, count) => {
  const { guard, said } = guardOf('warn')
  const tap = () => vi.fn<(name: string, tapped: (given: object) => unknown) => void>()
  const [finishModules, compilation] = [{ tapPromise: tap() }, { tap: tap() }]
  const compiler = { options: { externalsPresets: presets }, hooks: { compilation } }
  guardClient({ ids: idsOf('prompts'), guard }, compiler as unknown as Compiler)
  const page = { resource: '/nowhere/page.js' }
  const moduleGraph = { getIssuer: ({ issuer }: { issuer?: object }) => issuer }
  compilation.tap.mock.lastCall?.[1]({ moduleGraph, hooks: { finishModules } })
  const prompts = { resource: '/nowhere/_virtual_/%00virtual%3Aprompts', issuer: page }
  const all = { resource: `${prompts.resource}%2Fall`, issuer: prompts }
  await finishModules.tapPromise.mock.lastCall?.[1]([all, page, prompts])
  expect(said.flatMap(listed)).toEqual(Array.from({ length: count }, () => 'page.js'))
})

test.each([
  ['a browser', 1, 'client', false],
  ['a server', 0, 'server', false],
  ['a library', 0, 'client', { entry: 'main.js' }],
])('the client guard of Vite at the end of a build for %s warns %i times', async (...row) => {
  const [, count, consumer, lib] = row
  // Nothing is checked in tests.
  vi.stubEnv('VITEST', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const context = {
    environment: { mode: 'build', config: { consumer, build: { lib } } },
    meta: { watchMode: false },
    getModuleIds: () => ['\0virtual:prompts', '/nowhere/page.js'],
    getModuleInfo: (id: string) => ({
      importers: id.startsWith('\0') ? ['/nowhere/page.js'] : [],
      dynamicImporters: [],
    }),
  }
  const { guard, said } = guardOf('warn')
  const { buildEnd } = viteHooks({ ...fakeHost(fakeProject()), guard })
  await (buildEnd as (this: object) => Promise<void>).call(context)
  expect(said.flatMap(listed)).toEqual(Array.from({ length: count }, () => 'page.js'))
})
