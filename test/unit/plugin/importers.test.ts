import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type ParseModule, parseModule } from '../../../src/codegen/assert-only-data.ts'
import { idsOf } from '../../../src/plugin/ids.ts'
import { analyseImporter, debugUse } from '../../../src/plugin/importers.ts'
import { readFromGraph } from '../../../src/plugin/rollup/module-graph.ts'

const MODULE = [idsOf('prompts'), { kind: 'entry', staging: false }] as const
const CODE = `import { prompts } from 'virtual:prompts'\nimport * as other from 'other'\nprompts.a\n`

const COMPUTED = `import { prompts } from 'virtual:prompts'\nprompts.a; import('@/' + name)`

describe('an importer', () => {
  test.each([
    ['what its code names', 'only virtual modules can be prompts', CODE, undefined],
    ['what its code names', 'a computed specifier cannot be resolved', COMPUTED, undefined],
    ['all', 'its code is not known', undefined, undefined],
    ['all', 'a computed specifier may lead to prompts', COMPUTED, 'elsewhere'],
    ['what its code names', 'a second specifier leads elsewhere', CODE, 'elsewhere'],
    ['all', 'a second specifier leads to virtual:prompts', CODE, 'virtual:prompts'],
    ['all', 'a second specifier leads to prompts', CODE, '\0virtual:prompts'],
    ['all', 'a second specifier leads to an importer', CODE, '\0virtual:prompts/for/ab'],
    ['all', 'a second specifier leads to all', CODE, 'virtual:prompts/all'],
  ])('uses %s if %s', async (want, _, code, leadsTo) => {
    const resolve = vi.fn<() => Promise<string | undefined>>(async () => leadsTo)
    const read = code === undefined ? undefined : { code, ...(leadsTo && { resolve }) }
    const { use } = await analyseImporter(read, ...MODULE)
    expect(use).toEqual(want === 'all' ? 'all' : new Set(['a']))
    if (leadsTo && code === CODE)
      expect(resolve.mock.calls).toEqual([[{ specifier: 'other', kind: 'import-statement' }]])
  })

  test.each([
    ['an import', "import { b } from 'other'", true],
    ['a default import', "import b from 'other'", true],
    ['an export', "export { b as c } from 'other'", true],
    ['an import for its effect', "import 'other'", false],
  ])('of virtual:prompts/all uses all if %s may lead there too', async (_, line, isAll) => {
    const code = `import { a } from 'virtual:prompts/all'\n${line}\na.slug\n`
    const resolve = async (): Promise<string> => 'virtual:prompts/all'
    const module = { kind: 'all', staging: false } as const
    const { use } = await analyseImporter({ code, resolve }, idsOf('prompts'), module)
    expect(use).toEqual(isAll ? 'all' : new Set(['a']))
  })

  test('has the reason why it uses all', async () => {
    const resolve = async (): Promise<string> => 'virtual:prompts'
    const second = await analyseImporter({ code: CODE, resolve }, ...MODULE)
    expect(second.unclear).toEqual({ reason: 'second specifier', at: 'other' })
    const unknown = await analyseImporter(undefined, ...MODULE)
    expect(unknown.unclear).toEqual({ reason: 'code not available' })
  })
})

describe('an importer in the graph of Rollup, Rolldown or Vite', () => {
  function graph(code: string | null) {
    return {
      getModuleInfo: () => ({ code }),
      parse: vi.fn<ParseModule>(parseModule),
      addWatchFile: vi.fn<(id: string) => void>(),
      resolve: vi.fn<() => Promise<{ id: string }>>(async () => ({ id: '\0virtual:prompts' })),
    }
  }

  test('is watched, parsed as JavaScript and then as its file is named, and resolves as the bundler', async () => {
    const context = graph(CODE)
    const read = await readFromGraph('/app/main.ts', context)
    expect(context.addWatchFile.mock.calls).toEqual([['/app/main.ts']])
    for (const parse of read?.parsers ?? []) parse('1')
    expect(context.parse.mock.calls).toEqual([['1'], ['1', { lang: 'ts' }]])
    const kind = 'require-call'
    expect(await read?.resolve?.({ specifier: 'other', kind })).toBe('\0virtual:prompts')
    const options = { kind, skipSelf: false }
    expect(context.resolve.mock.calls).toEqual([['other', '/app/main.ts', options]])
  })

  test('is not known without its code', async () => {
    expect(await readFromGraph('/app/main.js', graph(null))).toBeUndefined()
  })
})

test('DEBUG prints why a module gets all, and nothing for one that does not', () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  vi.stubEnv('DEBUG', 'unplugin-prompts:analysis')
  onTestFinished(() => void vi.restoreAllMocks().unstubAllEnvs())
  const nothing = { use: new Set<string>(), names: new Set<string>(), requests: [] }
  debugUse('src/\u001b[2Jmain.js', { ...nothing, unclear: { reason: 'passed on', at: '3:7' } })
  debugUse('src/other.js', nothing)
  const line = 'unplugin-prompts:analysis src/main.js gets all prompts: passed on (3:7)'
  expect(print.mock.calls).toEqual([[line]])
})
