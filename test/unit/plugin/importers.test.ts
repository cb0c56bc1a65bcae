import { describe, expect, type Mock, onTestFinished, test, vi } from 'vitest'
import { type ParseModule, parseModule } from '../../../src/codegen/assert-only-data.ts'
import { idsOf } from '../../../src/plugin/ids.ts'
import { analyseImporter, importerKey, debugUse } from '../../../src/plugin/importers.ts'
import { readFromGraph } from '../../../src/plugin/rollup/module-graph.ts'

const IDS = { ids: idsOf('prompts'), staging: false }
const CODE = `import { prompts } from 'virtual:prompts'\nimport * as other from 'other'\nprompts.a\n`

describe('an importer', () => {
  test('uses what its code names if no second specifier can lead to prompts', async () => {
    expect((await analyseImporter({ code: CODE }, IDS)).use).toEqual(new Set(['a']))
  })

  test('uses what its code names if its other requests lead elsewhere', async () => {
    const resolve = vi.fn<() => Promise<undefined>>(async () => undefined)
    expect((await analyseImporter({ code: CODE, resolve }, IDS)).use).toEqual(new Set(['a']))
    expect(resolve.mock.calls).toEqual([[{ specifier: 'other', kind: 'import-statement' }]])
  })

  test.each([
    'virtual:prompts',
    '\0virtual:prompts',
    '\0virtual:prompts/for/ab',
    'virtual:prompts/all',
  ])('uses all if a second specifier leads to %j', async (id) => {
    const analysis = await analyseImporter({ code: CODE, resolve: async () => id }, IDS)
    expect(analysis).toEqual({ use: 'all', reason: 'second specifier', at: 'other' })
  })

  test('uses all if a computed specifier may lead to prompts', async () => {
    const code = `import { prompts } from 'virtual:prompts'\nprompts.a; import('@/' + name)`
    const resolve = async (): Promise<undefined> => undefined
    expect((await analyseImporter({ code }, IDS)).use).toEqual(new Set(['a']))
    expect(await analyseImporter({ code, resolve }, IDS)).toMatchObject({ use: 'all' })
  })

  test('uses all if its code is not known', async () => {
    const analysis = await analyseImporter(undefined, IDS)
    expect(analysis).toEqual({ use: 'all', reason: 'code not available' })
  })
})

test('the key of an importer is short and the same on every machine', () => {
  expect(importerKey('src/main.js')).toBe('27653c212e1cfe53')
})

describe('an importer in the graph of Rollup, Rolldown or Vite', () => {
  function graph(code: string | null): Graph {
    return {
      getModuleInfo: () => ({ code }),
      parse: vi.fn<ParseModule>(parseModule),
      addWatchFile: vi.fn<(id: string) => void>(),
      resolve: vi.fn<() => Promise<{ id: string }>>(async () => ({ id: '\0virtual:prompts' })),
    }
  }

  interface Graph {
    readonly getModuleInfo: () => { code: string | null }
    readonly parse: Mock<ParseModule>
    readonly addWatchFile: Mock<(id: string) => void>
    readonly resolve: Mock<() => Promise<{ id: string }>>
  }

  test('is watched, and asked for its requests as the bundler resolves them', async () => {
    const context = graph(CODE)
    const read = await readFromGraph('/app/main.ts', context)
    expect(context.addWatchFile.mock.calls).toEqual([['/app/main.ts']])
    expect(await read?.resolve?.({ specifier: 'other', kind: 'require-call' })).toBe(
      '\0virtual:prompts',
    )
    const options = { kind: 'require-call', skipSelf: false }
    expect(context.resolve.mock.calls).toEqual([['other', '/app/main.ts', options]])
  })

  test('is parsed as JavaScript and then as its file is named', async () => {
    const context = graph(CODE)
    const read = await readFromGraph('/app/main.ts', context)
    for (const parse of read?.parsers ?? []) parse('1')
    expect(context.parse.mock.calls).toEqual([['1'], ['1', { lang: 'ts' }]])
  })

  test('is not known without its code', async () => {
    expect(await readFromGraph('/app/main.js', graph(null))).toBeUndefined()
  })
})

describe('why a module gets all prompts', () => {
  function printed(wanted: string | undefined): string[] {
    const lines: string[] = []
    const spy = vi
      .spyOn(console, 'error')
      .mockImplementation((line) => void lines.push(String(line)))
    vi.stubEnv('DEBUG', wanted)
    onTestFinished(() => {
      spy.mockRestore()
      vi.unstubAllEnvs()
    })
    debugUse('src/\u001b[2Jmain.js', { use: 'all', reason: 'passed on', at: '3:7' })
    debugUse('src/other.js', { use: new Set(), requests: [] })
    return lines
  }

  test.each(['unplugin-prompts:*', 'unplugin-prompts:analysis', '*', 'vite:*, unplugin*', 'a b *'])(
    'is printed with DEBUG=%s, without control characters',
    (wanted) => {
      const line = 'unplugin-prompts:analysis src/main.js gets all prompts: passed on (3:7)'
      expect(printed(wanted)).toEqual([line])
    },
  )

  test.each([undefined, '', 'vite:*', 'unplugin-prompts', 'prompts:*', '*,-unplugin-prompts:*'])(
    'is not printed with DEBUG=%s',
    (wanted) => {
      expect(printed(wanted)).toEqual([])
    },
  )
})
