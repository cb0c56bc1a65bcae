import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Options } from '../../../../src/config/options.ts'
import { loadModule } from '../../../../src/plugin/next/loader.ts'
import { liveLock, lockOf, lockText } from '../../../helpers/pinned.ts'
import { rejection } from '../../../helpers/service-client.ts'
import { type Files, temporaryFolder } from '../../../helpers/temporary-folder.ts'

const LOCK = lockText(liveLock({}, { slug: 'reply', version: 'v3' }))

function app(files: Files = {}): Promise<string> {
  return temporaryFolder({ 'package.json': '{}', 'prompts.lock.json': LOCK, ...files })
}

/** Loads a module as Turbopack does; `files` are those that it then watches. */
function loading(root: string, query: string, options: Options = {}, mode = 'production') {
  const files: string[] = []
  const code = loadModule({
    rootContext: root,
    resourceQuery: query,
    mode,
    getOptions: () => ({ version: '1.0.0', instances: { prompts: { options } } }),
    addDependency: (path) => void files.push(path),
  })
  return { code, files }
}

const printed: string[] = []

beforeEach(() => {
  printed.length = 0
  const keep = (text: string): void => void printed.push(text)
  for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockImplementation(keep)
  return () => void vi.restoreAllMocks()
})

describe('the loader for Turbopack', () => {
  test('prints the modules that other bundlers get, which import each other by query', async () => {
    const root = await app()
    const codeOf = (path: string): Promise<string> => loading(root, `?virtual:prompts${path}`).code
    expect(await codeOf('')).toContain(
      'export * as prompts from "./next.prompts?virtual:prompts/all"',
    )
    const [, definitions = ''] =
      /\} from "\.\/next\.prompts\?virtual:prompts(\/definitions\/\d+)"/.exec(
        await codeOf('/all'),
      ) ?? []
    expect(await codeOf(definitions)).toContain('from "./next.prompts?virtual:prompts/runtime"')
    expect(await codeOf('/runtime')).toContain('definePrompt')
  })

  test('watches the lock and each file that the options may come from', async () => {
    const root = await app({ 'prompts.config.json': '{ "dts": false }' })
    const { code, files } = loading(root, '?virtual:prompts/all')
    await code
    const names = ['prompts.lock.json', 'prompts.config.json', 'prompts.config.ts', '.env.local']
    expect(files).toEqual(expect.arrayContaining(names.map((name) => join(root, name))))
  })

  test('fails without a lock, and watches the path where one may be created', async () => {
    const root = await app()
    await rm(join(root, 'prompts.lock.json'))
    const { code, files } = loading(root, '?virtual:prompts')
    expect(await rejection(code)).toMatchObject({ code: 'LOCK_MISSING' })
    expect(files).toContain(join(root, 'prompts.lock.json'))
  })

  test.each([
    ['at a broken lock', 'LOCK_SYNTAX', '/definitions/0', '{'],
    ['at a module that does not exist', 'MODULE_UNKNOWN', '/no-such', LOCK],
    ['in code for browsers by client: error', 'PROMPTS_IN_CLIENT', '&browser', LOCK],
  ])('fails %s', async (_, code, query, lock) => {
    const root = await app({ 'prompts.lock.json': lock })
    const { code: loaded } = loading(root, `?virtual:prompts${query}`, { client: 'error' })
    expect(await rejection(loaded)).toMatchObject({ code })
  })

  test('never pulls, whatever a configuration file says', async () => {
    const root = await app({ 'prompts.config.json': '{ "pull": "always", "client": "error" }' })
    expect(await loading(root, '?virtual:prompts').code).toContain('export * as prompts')
  })

  test('writes the declarations with the entry, unless the options want none', async () => {
    const root = await app()
    await loading(root, '?virtual:prompts', { dts: 'types.d.ts' }).code
    expect(await readdir(root)).toContain('types.d.ts')
  })

  test.each([
    ['warn', 'development', 1],
    ['warn', 'production', 1],
    ['allow', 'development', 0],
  ] as const)('guards code for browsers by client: %s in %s', async (client, mode, warnings) => {
    const root = await app()
    await loading(root, '?virtual:prompts&browser', { client }, mode).code
    expect(printed.filter((text) => text.includes('PROMPTS_IN_CLIENT'))).toHaveLength(warnings)
  })

  test('tells once of staging prompts with another contract than the declarations, each in one line', async () => {
    const slug = 'a\nb'
    const lock = lockOf({
      live: [{ slug, system: '{{ a }}' }],
      staging: [{ slug, system: '{{ a }} {{ b }}' }],
    })
    const text = lockText(lock)
    const root = await app({ 'prompts.lock.json': text, '.env': 'PROMPTS_ENVIRONMENT=test' })
    for (const path of ['', '/all']) await loading(root, `?virtual:prompts${path}`).code
    const told = printed.filter((line) => line.includes('serves staging'))
    expect(told).toEqual([expect.stringMatching(/ a b v22 also needs `b`\. Calls [^\n]*$/)])
  })
})
