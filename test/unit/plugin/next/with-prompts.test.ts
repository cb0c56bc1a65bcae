import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PluginOptions } from '../../../../src/config/options.ts'
import type { ErrorCode } from '../../../../src/errors/catalogue.ts'
import withPrompts from '../../../../src/next.ts'
import { temporaryFolder, writeFiles } from '../../../helpers/temporary-folder.ts'

/** What is looked at of a configuration of Next. */
interface Config {
  readonly reactStrictMode?: boolean
  readonly turbopack?: {
    readonly root?: string
    readonly resolveAlias?: Readonly<Record<string, unknown>>
    readonly rules?: Readonly<Record<string, unknown>>
  }
  readonly webpack?: ((config: Webpack, context: object) => Webpack) | null
  readonly compiler?: {
    readonly styledComponents?: boolean
    readonly runAfterProductionCompile?: (build: Build) => Promise<void>
  }
}

interface Build {
  readonly projectDir: string
  readonly distDir: string
}

interface Webpack {
  readonly plugins?: unknown[]
  readonly name?: string
}

const ENTRY = {
  browser: 'unplugin-prompts/next.prompts?virtual:prompts&browser',
  default: 'unplugin-prompts/next.prompts?virtual:prompts',
}

function loaderOptions({ turbopack }: Config): Record<string, unknown> {
  const rule = turbopack?.rules?.['*.prompts'] as {
    loaders: { options: Record<string, unknown> }[]
  }
  return rule.loaders[0]?.options ?? {}
}

function hasCode(code: ErrorCode): object {
  return expect.objectContaining({ code })
}

describe('withPrompts', () => {
  const own: Config = { reactStrictMode: true }

  test.each([
    ['an object', () => withPrompts(own)],
    [
      'the object of a function',
      () => withPrompts((strict: boolean): Config => ({ reactStrictMode: strict }))(true),
    ],
    ['what an async function resolves to', withPrompts(async (): Promise<Config> => own)],
  ])('extends %s, and leaves the rest as it was', async (_, extend) => {
    const extended = await extend()
    expect(extended.reactStrictMode).toBe(true)
    expect(extended.turbopack?.resolveAlias?.['virtual:prompts']).toEqual(ENTRY)
    expect(own).toEqual({ reactStrictMode: true })
  })

  test.each([
    [{ loaders: ['raw-loader'], as: '*.js' }],
    [{ loaders: [{ loader: 'raw-loader', options: {} }] }],
    [['raw-loader']],
    [null],
  ])('refuses the rule %j of an app for the files that it reads itself', (rule) => {
    const given = { turbopack: { rules: { '*.prompts': rule } } }
    expect(() => withPrompts<Config>(given)).toThrow(hasCode('OPTIONS_INVALID'))
  })

  test('keeps other settings of Turbopack, and leaves no specifier of prompts unresolved', () => {
    const rules = { '*.json': { loaders: ['json5-loader'], as: '*.js' } }
    const aliases = { underscore: 'lodash' }
    const given = { turbopack: { root: '/app', resolveAlias: aliases, rules } }
    const { turbopack } = withPrompts<Config>(given)
    expect(turbopack).toMatchObject({ root: '/app', resolveAlias: aliases, rules })
    const names = Object.keys(turbopack?.resolveAlias ?? {}).toSorted()
    expect(names).toEqual(['underscore', 'virtual:prompts', 'virtual:prompts/*'])
  })

  test('adds one plugin in webpack mode, before the webpack function of the app', () => {
    const seen: unknown[] = []
    const { webpack } = withPrompts<Config>({
      webpack(config, context) {
        seen.push([...(config.plugins ?? [])], context)
        return { ...config, name: 'own' }
      },
    })
    const context = { isServer: true }
    const config = webpack?.({ plugins: ['first'] }, context)
    expect(seen).toEqual([
      ['first', expect.objectContaining({ apply: expect.any(Function) })],
      context,
    ])
    expect(config?.name).toBe('own')
    const again = webpack?.({ plugins: ['first'] }, context)
    expect(again?.plugins?.[1]).toBe(config?.plugins?.[1])
  })

  test('composes with a second instance', () => {
    const config = withPrompts(withPrompts<Config>({}), {
      name: 'billing-prompts',
      client: 'error',
    })
    expect(loaderOptions(config)['instances']).toEqual({
      prompts: { options: {} },
      'billing-prompts': { options: { client: 'error' } },
    })
    expect(config.turbopack?.resolveAlias).toMatchObject({
      'virtual:prompts': ENTRY,
      'virtual:billing-prompts': {
        default: 'unplugin-prompts/next.prompts?virtual:billing-prompts',
      },
    })
  })

  test('puts what decides the code into the key of the disk cache, the chosen view too, and no key', () => {
    vi.stubEnv('PROMPTS_ENVIRONMENT', 'test')
    const options = loaderOptions(
      withPrompts<Config>({}, { apiKey: 'svc_test_secret', dts: false }),
    )
    expect(options).toEqual({
      version: expect.stringMatching(/^\d/),
      instances: { prompts: { options: { dts: false }, environment: 'test' } },
    })
    vi.unstubAllEnvs()
  })

  test.each([
    { pull: 'always' },
    { pull: 'missing' },
    { nam: 'x' },
    { client: 'never' },
    { name: 'Prompts' },
    { service: {} },
  ])('refuses the options %j', (options) => {
    expect(() => withPrompts({}, options as PluginOptions)).toThrow(hasCode('OPTIONS_INVALID'))
    if ('pull' in options)
      expect(() => withPrompts({}, options as PluginOptions)).toThrow('pull: Next')
  })

  test('refuses a second call with the same name', () => {
    expect(() => withPrompts(withPrompts({}))).toThrow(hasCode('NAME_TAKEN'))
  })
})

describe('after compiling', () => {
  const apiKey = 'svc_live_0123456789'
  const printed: string[] = []
  const listeners = process.listeners('exit')

  beforeEach(() => {
    printed.length = 0
    for (const level of ['info', 'warn', 'error'] as const) {
      vi.spyOn(console, level).mockImplementation((text: string) => void printed.push(text))
    }
  })

  afterEach(() => {
    vi.restoreAllMocks()
    for (const listener of newListeners()) process.off('exit', listener)
    process.exitCode = undefined
  })

  function newListeners() {
    return process.listeners('exit').filter((listener) => !listeners.includes(listener))
  }

  /** Does what the build has left to do when its process ends. */
  function exit(): void {
    for (const listener of newListeners()) listener.call(process, 0)
  }

  /** An app whose compiled files have these texts. */
  async function built(files: Readonly<Record<string, string>>): Promise<Build> {
    const projectDir = await temporaryFolder({ 'package.json': '{}' })
    const distDir = join(projectDir, '.next')
    await writeFiles(distDir, files)
    return { projectDir, distDir }
  }

  function after(
    config: Config,
    build: Build,
    options: PluginOptions = {},
  ): Promise<void> | undefined {
    return withPrompts(config, { apiKey, ...options }).compiler?.runAfterProductionCompile?.(build)
  }

  test.each(['static/chunks/a.js', 'server/app/page.js.map'])(
    'fails if %s contains the key',
    async (name) => {
      const build = await built({ [name]: `const key = '${apiKey}'` })
      await expect(after({}, build)).rejects.toThrow(hasCode('KEY_IN_BUNDLE'))
    },
  )

  test.each([
    ['passes by a cache', 'cache/env', undefined, undefined],
    ['fails by a prerendered page', 'server/app/page.html', 1, /KEY_IN_BUNDLE[^]*page\./],
    ['fails by data of a page', 'server/app/page.rsc', 1, /KEY_IN_BUNDLE[^]*page\./],
    ['warns by a copy of Next', 'standalone/web/.env', undefined, /standalone\/web\/\.env/],
  ])('%s with the key when the process ends', async (_, name, exitCode, message) => {
    // Next writes its pages later.
    const before = name.startsWith('server') ? '' : apiKey
    const build = await built({ 'server/app/page.js': 'const key = 1', [name]: before })
    await after({}, build)
    await writeFile(join(build.distDir, name), apiKey)
    exit()
    expect(process.exitCode).toBe(exitCode)
    expect(printed).toEqual(message === undefined ? [] : [expect.stringMatching(message)])
  })

  test('runs the hook of the app before, and keeps its other compiler options', async () => {
    const build = await built({})
    const seen: Build[] = []
    const own = async (given: Build): Promise<void> => void seen.push(given)
    const compiler = { styledComponents: true, runAfterProductionCompile: own }
    await after({ compiler }, build)
    expect(seen).toEqual([build])
    expect(withPrompts<Config>({ compiler }).compiler?.styledComponents).toBe(true)
  })
})
