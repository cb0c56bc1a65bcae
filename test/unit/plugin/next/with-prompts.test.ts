import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PluginOptions } from '../../../../src/config/options.ts'
import type { ErrorCode } from '../../../../src/errors/catalogue.ts'
import withPrompts from '../../../../src/next.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

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
  test('returns an object for an object, with the rest of it as it was', () => {
    const config: Config = { reactStrictMode: true }
    const extended = withPrompts(config)
    expect(extended.reactStrictMode).toBe(true)
    expect(extended.turbopack?.resolveAlias?.['virtual:prompts']).toEqual(ENTRY)
    expect(config).toEqual({ reactStrictMode: true })
  })

  test('returns a function for a function, which is called with what Next passes', () => {
    const extended = withPrompts((phase: string, { ready }: { ready: boolean }): Config => ({
      reactStrictMode: phase === 'phase-production-build' && ready,
    }))
    const config = extended('phase-production-build', { ready: true })
    expect(config.reactStrictMode).toBe(true)
    expect(config.turbopack?.resolveAlias).toHaveProperty('virtual:prompts')
  })

  test('extends what an async function resolves to', async () => {
    const extended = withPrompts(async (): Promise<Config> => ({ reactStrictMode: true }))
    const config = await extended()
    expect(config.reactStrictMode).toBe(true)
    expect(config.turbopack?.resolveAlias).toHaveProperty('virtual:prompts')
  })

  test('keeps other settings of Turbopack, a rule for all JSON files too', () => {
    const rules = { '*.json': { loaders: ['json5-loader'], as: '*.js' } }
    const { turbopack } = withPrompts<Config>({
      turbopack: { root: '/app', resolveAlias: { underscore: 'lodash' }, rules },
    })
    expect(turbopack?.root).toBe('/app')
    expect(turbopack?.resolveAlias?.['underscore']).toBe('lodash')
    expect(turbopack?.rules).toMatchObject(rules)
  })

  test('leaves no specifier of the workspace unresolved, which Turbopack would ignore', () => {
    const aliases = withPrompts<Config>({}).turbopack?.resolveAlias ?? {}
    expect(Object.keys(aliases)).toEqual(['virtual:prompts', 'virtual:prompts/*'])
  })

  test('adds the plugin in webpack mode before the webpack function of the app', () => {
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
  })

  test('adds one and the same plugin for browser, server and edge', () => {
    const { webpack } = withPrompts<Config>({ webpack: null })
    expect(webpack?.({}, {}).plugins?.[0]).toBe(webpack?.({}, {}).plugins?.[0])
  })

  test('composes with other wrappers, inside and outside', () => {
    const withOther = (config: Config): Config => ({
      ...config,
      turbopack: { ...config.turbopack, rules: { ...config.turbopack?.rules, '*.svg': [] } },
    })
    for (const config of [withPrompts(withOther({})), withOther(withPrompts<Config>({}))]) {
      expect(Object.keys(config.turbopack?.rules ?? {}).toSorted()).toEqual(['*.prompts', '*.svg'])
    }
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

  test('refuses a second call with the same name', () => {
    expect(() => withPrompts(withPrompts({}))).toThrow(hasCode('NAME_TAKEN'))
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

  test.each(['always', 'missing'])('refuses pull: %s, with the reason', (pull) => {
    const options = { pull } as PluginOptions
    expect(() => withPrompts({}, options)).toThrow(hasCode('OPTIONS_INVALID'))
    expect(() => withPrompts({}, options)).toThrow('pull: Next')
  })

  test.each([{ nam: 'x' }, { client: 'never' }, { name: 'Prompts' }, { service: {} }])(
    'refuses %j',
    (options) => {
      expect(() => withPrompts({}, options as PluginOptions)).toThrow(hasCode('OPTIONS_INVALID'))
    },
  )
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
    const projectDir = await temporaryFolder()
    await writeFile(join(projectDir, 'package.json'), '{}')
    const distDir = join(projectDir, '.next')
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(distDir, name, '..'), { recursive: true })
      await writeFile(join(distDir, name), text)
    }
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

  test('passes if only a cache contains the key, and without code for browsers', async () => {
    const build = await built({ 'cache/env': apiKey, 'server/app/page.js': 'const key = 1' })
    await expect(after({}, build)).resolves.toBeUndefined()
  })

  test.each(['page.html', 'page.rsc'])(
    'fails when the process ends if a prerendered %s contains the key',
    async (name) => {
      const build = await built({ 'server/app/page.js': 'const key = 1' })
      await after({}, build)
      await writeFile(join(build.distDir, 'server/app', name), apiKey)
      exit()
      expect(process.exitCode).toBe(1)
      expect(printed).toEqual([expect.stringMatching(/KEY_IN_BUNDLE[^]*page\./)])
    },
  )

  test('warns if Next copies the key into the folder of a standalone server', async () => {
    const build = await built({ 'standalone/apps/web/.env': `PROMPTS_API_KEY=${apiKey}` })
    await after({}, build)
    exit()
    expect(process.exitCode).toBeUndefined()
    expect(printed).toEqual([expect.stringContaining('standalone/apps/web/.env')])
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
