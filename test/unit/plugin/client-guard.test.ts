import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Guard } from '../../../src/config/options.ts'
import type { BuildContext } from '../../../src/plugin/session.ts'
import { createClientGuard, importChain } from '../../../src/plugin/client-guard.ts'
import { viteHooks } from '../../../src/plugin/vite/vite.ts'
import { guardClient } from '../../../src/plugin/webpack/webpack.ts'
import type { Compiler } from 'webpack'
import { idsOf } from '../../../src/plugin/ids.ts'
import { fakeContext, fakeHost, fakeProject, fakeSession } from '../../helpers/fake-project.ts'
import { rejection } from '../../helpers/service-client.ts'

function guardOf(
  client: Guard,
  known: Partial<BuildContext> = {},
): { guard: ReturnType<typeof createClientGuard>; said: string[] } {
  const said: string[] = []
  const buildContext = fakeContext({
    ...known,
    notify: (_, message) => void said.push(message),
  })
  const session = fakeSession(fakeProject({ options: { client } }))
  return {
    guard: createClientGuard(
      () => session,
      () => buildContext,
    ),
    said,
  }
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
    await guard.check(['/nowhere/src/page.js', 'virtual:page', '/nowhere/main.js'])
    await guard.check(['/nowhere/src/other.js'])
    expect(said.map(listed)).toEqual([['src/page.js', 'virtual:page', 'main.js']])
  })

  test('warns of a single-page app in one line, which names the file of the option', async () => {
    const { guard, said } = guardOf('warn', { singlePage: true, ids: idsOf('billing-prompts') })
    await guard.check(['/nowhere/src/page.js', '/nowhere/main.js'])
    expect(said).toEqual([expect.stringMatching(/^.+ in billing-prompts\.config\.ts\.$/)])
  })

  test('fails with the chain of imports in a single-page app too', async () => {
    const { guard } = guardOf('error', { singlePage: true })
    const error = await rejection(guard.check(['/nowhere/page.js', '/nowhere/main.js']))
    expect(error).toMatchObject({ details: { chain: ['page.js', 'main.js'] } })
  })

  test('leaves out modules without a file', async () => {
    const { guard, said } = guardOf('warn')
    await guard.check(['/nowhere/page.js', '', '/nowhere'])
    expect(said.map(listed)).toEqual([['page.js']])
  })

  test('fails each time if the options say so', async () => {
    const { guard, said } = guardOf('error')
    for (const _ of [1, 2]) {
      const error = await rejection(guard.check(['/nowhere/page.js']))
      expect(error).toMatchObject({ code: 'PROMPTS_IN_CLIENT' })
    }
    expect(said).toEqual([])
  })

  test('accepts everything if the options say so', async () => {
    const { guard, said } = guardOf('allow')
    await guard.check(['/nowhere/page.js'])
    expect(said).toEqual([])
  })
})

describe('the chain of imports', () => {
  const chainIn = (graph: Readonly<Record<string, readonly string[]>>): readonly string[] =>
    importChain('a', (id) => graph[id] ?? [])

  test('goes up by the first importer of each module', () => {
    expect(chainIn({ a: ['b', 'x'], b: ['c'], c: [] })).toEqual(['a', 'b', 'c'])
  })

  test('ends at a module that is not known', () => {
    expect(chainIn({})).toEqual(['a'])
    expect(chainIn({ a: ['b'] })).toEqual(['a', 'b'])
  })

  test('does not go in circles', () => {
    expect(chainIn({ a: ['a', 'b'], b: ['a', 'c'], c: ['b'] })).toEqual(['a', 'b', 'c'])
  })

  test('has no more than 20 modules', () => {
    expect(importChain(0, (id) => [id + 1])).toHaveLength(20)
  })
})

interface FakeModule {
  readonly resource?: string
  readonly issuer?: FakeModule
}

/** Runs the hooks of webpack that the guard taps. */
async function compile(
  modules: readonly FakeModule[],
  presets: { readonly web?: boolean; readonly node?: boolean },
  { client = 'warn', watchMode = false }: { client?: Guard; watchMode?: boolean } = {},
): Promise<{ said: string[]; errors: unknown[] }> {
  const { guard, said } = guardOf(client)
  const finished: ((modules: Iterable<object>) => Promise<void>)[] = []
  const compilation = {
    errors: [],
    moduleGraph: { getIssuer: (module: FakeModule) => module.issuer },
    hooks: {
      finishModules: {
        tapPromise: (_: string, tapped: (typeof finished)[number]) => void finished.push(tapped),
      },
    },
  }
  const hooks = {
    compilation: {
      tap: (_: string, tapped: (made: typeof compilation) => void) => tapped(compilation),
    },
  }
  const compiler = { watchMode, options: { externalsPresets: presets }, hooks }
  guardClient({ ids: idsOf('prompts'), guard }, compiler as unknown as Compiler)
  for (const tapped of finished) await tapped(modules)
  return { said, errors: compilation.errors }
}

const MAIN: FakeModule = { resource: '/nowhere/main.js' }
const PAGE: FakeModule = { resource: '/nowhere/page.js', issuer: MAIN }
const PROMPTS: FakeModule = { resource: '/nowhere/_virtual_/%00virtual%3Aprompts', issuer: PAGE }
const ALL: FakeModule = {
  resource: '/nowhere/_virtual_/%00virtual%3Aprompts%2Fall',
  issuer: PROMPTS,
}

describe('the client guard of webpack and Rspack', () => {
  test('lists the files that lead to an import, without modules of this package', async () => {
    const { said } = await compile([MAIN, PAGE, PROMPTS, ALL], { web: true })
    expect(said.map(listed)).toEqual([['page.js', 'main.js']])
  })

  test('lists no empty name for an entry that a loader creates, as in Next', async () => {
    const entry: FakeModule = { resource: '' }
    const page = { ...PAGE, issuer: entry }
    const { said } = await compile([entry, page, { ...PROMPTS, issuer: page }], { web: true })
    expect(said.map(listed)).toEqual([['page.js']])
  })

  test.each([{ node: true }, { web: true, node: true }, {}])(
    'checks only builds for browsers: %j',
    async (presets) => {
      expect((await compile([PROMPTS], presets, { client: 'error' })).said).toEqual([])
    },
  )

  test('fails a build, and in a watch the compilation', async () => {
    const error = await rejection(compile([PROMPTS], { web: true }, { client: 'error' }))
    expect(error).toMatchObject({ code: 'PROMPTS_IN_CLIENT' })
    const watch = { client: 'error', watchMode: true } as const
    expect((await compile([PROMPTS], { web: true }, watch)).errors).toHaveLength(1)
  })
})

describe('the client guard of Vite', () => {
  const importers: Readonly<Record<string, string[]>> = {
    '\0virtual:prompts': ['/nowhere/page.js'],
    '/nowhere/page.js': ['/nowhere/main.js'],
  }
  const contextOf = (consumer: string, lib: unknown = false): object => ({
    environment: { mode: 'build', config: { consumer, build: { lib } } },
    meta: { watchMode: false },
    getModuleIds: () => Object.keys(importers),
    getModuleInfo: (id: string) => ({ importers: importers[id] ?? [], dynamicImporters: [] }),
  })

  // Nothing is checked in tests.
  beforeEach(() => void vi.stubEnv('VITEST', undefined))
  afterEach(() => void vi.unstubAllEnvs())

  /** Ends a build. */
  async function build(context: object, client: Guard): Promise<string[]> {
    const { guard, said } = guardOf(client)
    const { buildEnd } = viteHooks({ ...fakeHost(fakeProject()), guard })
    await (buildEnd as (this: object) => Promise<void>).call(context)
    return said
  }

  test('checks what a build for browsers imported when the build ends', async () => {
    const said = await build(contextOf('client'), 'warn')
    expect(said.map(listed)).toEqual([['page.js', 'main.js']])
    const error = await rejection(build(contextOf('client'), 'error'))
    expect(error).toMatchObject({ code: 'PROMPTS_IN_CLIENT' })
  })

  test.each([
    ['a server', contextOf('server')],
    ['a library', contextOf('client', { entry: 'main.js' })],
  ])('checks no build of %s', async (_, context) => {
    expect(await build(context, 'error')).toEqual([])
  })
})
