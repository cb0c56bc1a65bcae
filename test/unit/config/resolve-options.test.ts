import { resolve } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { secretForms } from '../../../src/core/secrets.ts'
import type { EnvSource } from '../../../src/config/env-files.ts'
import type { ErrorCode } from '../../../src/errors/catalogue.ts'
import { optionProblems } from '../../../src/config/option-problems.ts'
import { defineConfig, type Options } from '../../../src/config/options.ts'
import { resolveOptions, type ResolvedOptions } from '../../../src/config/resolve-options.ts'

const ROOT = resolve('/project')

/** Options of the call, in an environment. */
function resolved(options: Options = {}, ...env: readonly EnvSource['values'][]): ResolvedOptions {
  const names = ['the environment', '.env.local', '.env']
  return resolveOptions({
    root: ROOT,
    layers: [{ source: 'the call of prompts()', options }],
    env: env.map((values, index) => ({ name: names[index] ?? '', values })),
  })
}

/** What a workspace has without options in an environment. */
function ofWorkspace(name: string, values: EnvSource['values']): ResolvedOptions {
  const env = [{ name: 'the environment', values }]
  return resolveOptions({ root: ROOT, name, layers: [], env })
}

/** An error with this code and these details. */
function errorOf(code: ErrorCode, details: object = {}): unknown {
  return expect.objectContaining({ code, details: expect.objectContaining(details) })
}

describe('without any option', () => {
  test('the defaults have absolute paths', () => {
    const { isSelected, ...rest } = resolved()
    expect(rest).toEqual({
      root: ROOT,
      name: 'prompts',
      baseUrl: undefined,
      service: undefined,
      keys: [],
      canRead: false,
      secrets: [],
      keyFiles: [],
      env: {},
      environment: 'live',
      served: { chosenBy: 'default', environment: 'live' },
      pull: 'missing',
      fallback: true,
      apps: [],
      lock: resolve('/project/prompts.lock.json'),
      outDir: undefined,
      staging: true,
      dts: resolve('/project/prompts.d.ts'),
      client: 'warn',
      production: 'warn',
      page: true,
      concurrency: 16,
      timeout: 30_000,
      processEnv: {},
    })
    expect(isSelected({ slug: 'a', folder: '' })).toBe(true)
  })

  test('a key and an address in the environment are enough', () => {
    const baseUrl = 'https://x.example'
    const env = { PROMPTS_API_KEY: 'svc_live_abc', PROMPTS_BASE_URL: baseUrl, OTHER: '1' }
    expect(resolved({}, env)).toMatchObject({ baseUrl, canRead: true, processEnv: env })
    const onlyTest = { ...env, PROMPTS_API_KEY: 'svc_test_abc' }
    expect(resolved({}, onlyTest).canRead).toBe(true)
    expect(resolved({ staging: false }, onlyTest).canRead).toBe(false)
  })
})

describe('the precedence of options', () => {
  const layers = (call: object, file: Options): ResolvedOptions =>
    resolveOptions({
      root: ROOT,
      layers: [
        { source: 'the call of prompts()', options: call },
        { source: 'prompts.config.ts', options: file },
      ],
      env: [{ name: 'the environment', values: { PROMPTS_PULL: 'never' } }],
    })

  test('the call has precedence over the file, and the file over the environment', () => {
    const file = defineConfig({ pull: 'always', timeout: 1 })
    expect(layers({ timeout: 2 }, file)).toMatchObject({ pull: 'always', timeout: 2 })
    expect(layers({ pull: 'missing' }, file)).toMatchObject({ pull: 'missing', timeout: 1 })
    expect(layers({}, {})).toMatchObject({ pull: 'never', timeout: 30_000 })
  })

  test('an option that is undefined does not hide one below it, and false does', () => {
    const call = { pull: undefined, dts: false, fallback: false }
    const file: Options = { pull: 'missing', dts: 'x.d.ts', fallback: true }
    expect(layers(call, file)).toMatchObject({ pull: 'missing', dts: false, fallback: false })
  })

  test('a problem names the layer that has it', () => {
    const problems = [expect.stringMatching(/^pull:/)]
    const error = errorOf('OPTIONS_INVALID', { source: 'prompts.config.ts', problems })
    expect(() => layers({}, { pull: 'often' as 'always' })).toThrow(error)
  })

  test('the key comes from the option, then from the first place that has one', () => {
    const env = [
      { PROMPTS_API_KEY: '' },
      { PROMPTS_API_KEY: 'svc_live_local' },
      { PROMPTS_API_KEY: 'svc_live_env' },
    ]
    expect(resolved({}, ...env).keys).toEqual([
      { value: 'svc_live_local', source: 'PROMPTS_API_KEY in .env.local' },
    ])
    expect(resolved({ apiKey: 'svc_live_option' }, ...env).keys).toEqual([
      { value: 'svc_live_option', source: 'option apiKey' },
    ])
  })
})

describe('the view', () => {
  const VARIABLE = { PROMPTS_ENVIRONMENT: 'test' }

  test.each([
    [undefined, {}, 'live', 'live', 'default'],
    ['test', {}, 'test', 'test', 'option'],
    [undefined, VARIABLE, 'live', 'test', 'variable'],
    ['live', VARIABLE, 'live', 'live', 'option'],
    [undefined, { PROMPTS_TEST_API_KEY: 'svc_test_a' }, 'live', 'live', 'default'],
    [undefined, { PROMPTS_API_KEY: 'svc_live_a', ...VARIABLE }, 'live', 'test', 'variable'],
  ] as const)(
    'the view for option %s and variables %j is %s in files and %s in builds, by the %s',
    (option, env, declared, environment, chosenBy) => {
      const options = resolved(option && { environment: option }, env)
      expect(options.environment).toBe(declared)
      expect(options.served).toMatchObject({ environment, chosenBy })
      expect(options.lock).toBe(resolve(ROOT, 'prompts.lock.json'))
    },
  )

  test('the view is checked in a variable, of its own workspace', () => {
    const run = () => resolved({}, { PROMPTS_ENVIRONMENT: 'staging' })
    expect(run).toThrow(errorOf('OPTIONS_INVALID'))
    expect(ofWorkspace('billing-prompts', VARIABLE).served.environment).toBe('live')
  })
})

test('every key that is set is used and a secret, whatever its variable is called', () => {
  const env = { PROMPTS_API_KEY: 'svc_test_a', PROMPTS_TEST_API_KEY: 'svc_live_a' }
  expect(resolved({}, env)).toMatchObject({
    keys: [
      { value: 'svc_test_a', source: 'PROMPTS_API_KEY in the environment' },
      { value: 'svc_live_a', source: 'PROMPTS_TEST_API_KEY in the environment' },
    ],
    secrets: expect.arrayContaining(['svc_test_a', 'svc_live_a']),
  })
  const withOption = resolved({ apiKey: 'oddities' }, env)
  const both = ['oddities', ...secretForms('svc_live_a')]
  expect(withOption.secrets).toEqual(expect.arrayContaining(both))
  expect(withOption.keys.map(({ value }) => value)).toEqual(['oddities', 'svc_live_a'])
  expect(resolved({}, {})).toMatchObject({ keys: [], secrets: [] })
})

test('a key that another one replaces is a secret too: of the process, of each file, and of the option', () => {
  const [used, ...replaced] = ['svc_live_a', 'svc_live_b', 'svc_live_c', 'svc_live_d']
  const env = replaced.map((value) => ({ PROMPTS_API_KEY: value }))
  const options = resolved({ apiKey: used }, ...env)
  expect(options.keys.map(({ value }) => value)).toEqual([used])
  expect(options.secrets).toEqual(expect.arrayContaining(['svc_live_a', ...replaced]))
  const layers = [{ apiKey: 'svc_live_a' }, { apiKey: 'svc_live_b' }].map((layer, index) => ({
    source: `layer ${index}`,
    options: layer,
  }))
  const layered = resolveOptions({ root: ROOT, layers, env: [] })
  expect(layered.secrets).toEqual(expect.arrayContaining(['svc_live_a', 'svc_live_b']))
  const old = () => resolved({}, ...env, { VITE_KEY: 'svc_live_d' })
  const details = { variable: 'VITE_KEY', source: 'PROMPTS_API_KEY in .env' }
  expect(old).toThrow(errorOf('KEY_PUBLISHED', details))
})

describe('a public variable', () => {
  const prefixes = 'VITE NEXT_PUBLIC NUXT_PUBLIC PUBLIC REACT_APP VUE_APP EXPO_PUBLIC GATSBY'
  test.each(prefixes.split(' '))(
    'a key in a variable %s_KEY is an error, from any source',
    (prefix) => {
      const variable = `${prefix}_KEY`
      const key = 'svc_live_Secret'
      for (const run of [
        () => resolved({ apiKey: key }, { [variable]: key }),
        () => resolved({}, { PROMPTS_API_KEY: key }, {}, { [variable]: key }),
        () =>
          resolved({ apiKey: 'svc_live_b' }, { PROMPTS_TEST_API_KEY: key }, { [variable]: key }),
      ]) {
        expect(run).toThrow(errorOf('KEY_PUBLISHED', { variable }))
        expect(run).not.toThrow(key)
      }
    },
  )

  test('a key as a part of a public variable, or encoded in it, is an error', () => {
    const key = 'svc_live_Secret0123456789'
    const escaped = key.replaceAll('S', String.raw`\x53`)
    for (const value of [`Bearer ${key}`, btoa(`me:${key}`), `"${key}"`, escaped])
      expect(() => resolved({ apiKey: key }, { VITE_KEY: value })).toThrow(
        errorOf('KEY_PUBLISHED', { variable: 'VITE_KEY', source: 'option apiKey' }),
      )
  })

  test('another value in a public variable, or the key in a private one, is allowed', () => {
    const key = 'svc_live_a'
    const env = { VITE_KEY: 'other', MY_KEY: key, VITE_EMPTY: '', PROMPTS_API_KEY: key }
    expect(resolved({}, env).secrets).toContain(key)
    expect(resolved({}, { VITE_EMPTY: '' }).secrets).toEqual([])
  })
})

describe('the option `service`', () => {
  const functions = { list: async () => [], get: async () => null }
  const service = { name: 'Own', secrets: ['OWN_KEY', 'OWN_OTHER'], ...functions }

  function inFile(options: object, values: EnvSource['values'] = {}): ResolvedOptions {
    const layers = [{ source: 'prompts.config.ts', options, isFile: true }]
    return resolveOptions({ root: ROOT, layers, env: [{ name: 'the environment', values }] })
  }

  test('a custom service has its own secrets, and no variables of the built-in one are read', () => {
    const env = { OWN_KEY: 'Canary0123456', PROMPTS_API_KEY: 'svc_live_a', PROMPTS_BASE_URL: 'x' }
    const options = inFile({ service }, env)
    expect(options).toMatchObject({ baseUrl: undefined, canRead: false, env })
    expect(options.keys).toEqual([{ value: 'Canary0123456', source: 'OWN_KEY in the environment' }])
    // A key that is left over is still one.
    const secrets = ['Canary0123456', 'svc_live_a'].flatMap(secretForms)
    expect(new Set(options.secrets)).toEqual(new Set(secrets))
    expect(inFile({ service }, { ...env, OWN_OTHER: 'b' }).canRead).toBe(true)
  })

  test('a custom service gets all variables, of which the first that is not empty counts', () => {
    const env = resolved({}, { A: '', B: '1', C: '' }, { A: '2', B: '3', D: '4' }).env
    expect(env).toEqual({ A: '2', B: '1', D: '4' })
  })

  test('a custom service is refused in the call of a plugin, whatever it is', () => {
    const problems = [expect.stringMatching(/^service: set it in the configuration file/)]
    for (const value of [service, {}, 1]) {
      const run = () => resolved({ service: value } as Options)
      expect(run).toThrow(errorOf('OPTIONS_INVALID', { problems }))
    }
  })

  test('a custom service is refused with all its problems in a file', () => {
    const problems = [
      'service.name: expected a string that is not empty',
      'service.secrets[0]: expected a string that is not empty',
      'service.list: expected a function',
      'service.get: missing',
    ]
    const run = () => inFile({ service: { name: '', secrets: [1], list: 'a' } })
    expect(run).toThrow(errorOf('OPTIONS_INVALID', { problems }))
  })

  test('a custom service has no secret in a public variable, and no key of the built-in one', () => {
    const old = { PROMPTS_API_KEY: 'svc_live_a', VITE_OLD: 'svc_live_a' }
    expect(() => inFile({ service }, old)).toThrow(
      errorOf('KEY_PUBLISHED', { variable: 'VITE_OLD' }),
    )
    const env = { OWN_OTHER: 'Canary0123456', VITE_OWN: 'Canary0123456' }
    const details = { variable: 'VITE_OWN', source: 'OWN_OTHER in the environment' }
    expect(() => inFile({ service }, env)).toThrow(errorOf('KEY_PUBLISHED', details))
    const odd = { ...service, secrets: ['VITE_SECRET'] }
    const run = () => inFile({ service: odd }, { VITE_SECRET: 'Canary0123456' })
    expect(run).toThrow(errorOf('KEY_PUBLISHED'))
  })
})

describe('a prefix of variables that the bundler publishes', () => {
  const withPrefix = (prefix: string, name: string): ResolvedOptions => {
    const published = { setting: 'envPrefix', prefixes: ['VITE_', prefix] }
    return resolveOptions({ root: ROOT, name, layers: [], env: [], published })
  }

  test.each([
    ['PROMPTS_', 'prompts', 'PROMPTS_API_KEY'],
    ['PROMPTS_TEST_', 'prompts', 'PROMPTS_TEST_API_KEY'],
    ['PROMPTS_T', 'prompts', 'PROMPTS_TEST_API_KEY'],
    ['B', 'billing-prompts', 'BILLING_PROMPTS_API_KEY'],
  ])(
    'the published prefix %s is refused in workspace %s, also without a key',
    (prefix, name, variable) => {
      const error = errorOf('PREFIX_PUBLISHES_KEY', { setting: 'envPrefix', prefix, variable })
      expect(() => withPrefix(prefix, name)).toThrow(error)
    },
  )

  test('a published name is refused if it is that of a key or secret, and not for how it begins', () => {
    const service = { name: 'Own', secrets: ['OWN_SECRET'], list: () => [], get: () => null }
    const withNames = (...names: string[]) =>
      resolveOptions({
        root: ROOT,
        layers: [{ source: 'prompts.config.ts', options: { service }, isFile: true }],
        env: [],
        published: { setting: 'source.define', prefixes: [], names },
      })
    expect(withNames('OWN', 'OWN_SECRET_2')).toBeDefined()
    const error = errorOf('PREFIX_PUBLISHES_KEY', { variable: 'OWN_SECRET' })
    expect(() => withNames('OWN', 'OWN_SECRET')).toThrow(error)
  })

  test.each([
    ['PROMPTS_PUBLIC_', 'prompts'],
    ['PROMPTS_API_KEY_', 'prompts'],
    ['PROMPTS_', 'billing-prompts'],
  ])('the published prefix %s is accepted in workspace %s', (prefix, name) => {
    expect(withPrefix(prefix, name)).toMatchObject({ name })
  })
})

describe('the name of a workspace', () => {
  test('the name of a workspace begins its files and variables, and no others are read', () => {
    const values = {
      PROMPTS_API_KEY: 'svc_live_a',
      PROMPTS_BASE_URL: 'https://a.example',
      PROMPTS_PULL: 'never',
      BILLING_PROMPTS_API_KEY: 'svc_test_b',
    }
    expect(ofWorkspace('billing-prompts', values)).toMatchObject({
      name: 'billing-prompts',
      keys: [{ source: 'BILLING_PROMPTS_API_KEY in the environment' }],
      baseUrl: undefined,
      pull: 'missing',
      lock: resolve('/project/billing-prompts.lock.json'),
      dts: resolve('/project/billing-prompts.d.ts'),
    })
  })
})

test('PROMPTS_PULL with an unknown value is an error unless an option overrides it', () => {
  const env = [{}, { PROMPTS_PULL: 'sometimes' }]
  const error = errorOf('OPTIONS_INVALID', { source: 'PROMPTS_PULL in .env.local' })
  expect(() => resolved({}, ...env)).toThrow(error)
  expect(resolved({ pull: 'never' }, ...env).pull).toBe('never')
})

describe('paths', () => {
  test('paths are resolved from the project, unless they are absolute', () => {
    expect(resolved({ lock: 'locks/a.json', dts: resolve('/elsewhere/a.d.ts') })).toMatchObject({
      lock: resolve('/project/locks/a.json'),
      dts: resolve('/elsewhere/a.d.ts'),
    })
    expect(resolved({ outDir: 'src/prompts' }).outDir).toBe(resolve('/project/src/prompts'))
  })

  test.each<readonly [Options, string[]]>([
    [{ lock: 'a', dts: 'a' }, ['lock and dts']],
    [{ lock: 'a', dts: './b/../a' }, ['lock and dts']],
    [{ lock: 'PROMPTS.d.ts' }, ['lock and dts']],
    [{ lock: 'prompts.d.ts.map' }, ['lock and dts']],
    [{ dts: 'prompts.lock.json' }, ['lock and dts']],
    [{ outDir: 'prompts.lock.json' }, ['lock and outDir']],
    [{ outDir: 'out', lock: 'out/package.json' }, ['lock and outDir']],
    [{ outDir: 'out', dts: 'out/index.d.ts' }, ['dts and outDir']],
    [{ outDir: '.', dts: 'index.js' }, ['dts and outDir']],
    [{ outDir: 'prompts.d.ts/out' }, ['dts and outDir']],
    [{ lock: 'a', dts: 'a/b', outDir: 'a' }, ['lock and dts', 'lock and outDir']],
    [{ outDir: 'prompts' }, ['dts and outDir']],
    [{ outDir: 'Gen/', dts: 'gen.d.ts' }, ['dts and outDir']],
  ])('the paths of %j are refused, as one would overwrite or hide the other', (options, pairs) => {
    const problems = pairs.map((pair) => expect.stringMatching(`^${pair}:`))
    expect(() => resolved(options)).toThrow(errorOf('OPTIONS_INVALID', { problems }))
  })

  test.each<Options>([
    { dts: false, lock: 'prompts.d.ts' },
    { outDir: '.' },
    { outDir: 'prompts', dts: 'prompts/prompts.d.ts', lock: 'prompts/lock.json' },
  ])('the paths of %j are accepted', (options) => {
    expect(resolved(options)).toBeDefined()
  })
})

const GLOBS: readonly (readonly [given: Options, selected: string, others: string])[] = [
  [{}, 'a x/a', ''],
  [{ include: '*' }, 'a .a x/a a-b', ''],
  [{ include: 'support/*' }, 'support/a', 'a x/a support/eu/a'],
  [{ include: [] }, '', 'a x/a'],
  [{ include: ['{a,b}', 'größe-?'] }, 'a x/b größe-1', 'c größe-12'],
  [{ exclude: 'a' }, 'b x/b', 'a x/a'],
  [{ exclude: [] }, 'a', ''],
  [{ exclude: 'x_(old)/**' }, 'x/a x_old/a', 'x_(old)/a'],
  [{ include: '@(a|b)' }, 'a x/b', 'c'],
  [{ include: '!(a)' }, 'b', 'a'],
  [{ include: '**' }, 'a\nb x\u2028/a', ''],
  [{ include: 'x/*', exclude: '*-draft' }, 'x/a', 'x/a-draft y/a'],
]

/** Prompts given as `folder/slug`. */
function entries(paths: string): { slug: string; folder: string }[] {
  return paths.split(' ').flatMap((path) => {
    const slash = path.lastIndexOf('/')
    const folder = path.slice(0, Math.max(slash, 0))
    return path === '' ? [] : { slug: path.slice(slash + 1), folder }
  })
}

describe('include and exclude', () => {
  test.each(GLOBS)(
    '%j, globs over slug and folder/slug, select %j and not %j',
    (given, ...paths) => {
      const { isSelected } = resolved(given)
      const [selected, others] = paths.map(entries)
      expect(selected?.filter((entry) => !isSelected(entry))).toEqual([])
      expect(others?.filter(isSelected)).toEqual([])
    },
  )

  test('a backslash in a slug is not a separator, even on Windows', () => {
    vi.stubGlobal('navigator', { platform: 'Win32' })
    onTestFinished(() => void vi.unstubAllGlobals())
    const { isSelected } = resolved({ include: 'x/*' })
    expect(isSelected({ slug: 'x\\a', folder: '' })).toBe(false)
    expect(isSelected({ slug: 'a\\b', folder: 'x' })).toBe(true)
  })
})

/** Options with the names of those that are wrong; `$` for all of them. */
const FIELDS: readonly (readonly [given: unknown, wrong: string])[] = [
  [null, '$'],
  [undefined, '$'],
  [[], '$'],
  [new Map([['pull', 'never']]), '$'],
  [() => ({}), '$'],
  [{}, ''],
  [{ pull: undefined }, ''],
  [{ baseURL: 'https://x' }, 'baseURL'],
  [{ toString: 1 }, 'toString'],
  [{ baseUrl: '' }, 'baseUrl'],
  [{ baseUrl: new URL('https://x') }, 'baseUrl'],
  [{ apiKey: 1 }, 'apiKey'],
  [{ environment: 'staging' }, 'environment'],
  [{ pull: true }, 'pull'],
  [{ staging: 'no' }, 'staging'],
  [{ fallback: 'yes' }, 'fallback'],
  [{ include: [''] }, 'include'],
  [{ include: /a/ }, 'include'],
  [{ exclude: [['a']] }, 'exclude'],
  [{ include: ['**', '!drafts/*'] }, 'include'],
  [{ include: '!(drafts)' }, ''],
  [{ include: 'a', exclude: ['a', 'b'] }, ''],
  [{ apps: [''] }, 'apps'],
  [{ apps: ['../*', '../../tools/cli'] }, ''],
  [{ lock: false }, 'lock'],
  [{ dts: true }, 'dts'],
  [{ dts: '' }, 'dts'],
  [{ dts: false }, ''],
  [{ client: 'off' }, 'client'],
  [{ production: false }, 'production'],
  [{ page: 'write' }, 'page'],
  [{ page: 'read' }, ''],
  [{ concurrency: 0 }, 'concurrency'],
  [{ concurrency: 257 }, 'concurrency'],
  [{ concurrency: 1.5 }, 'concurrency'],
  [{ concurrency: '8' }, 'concurrency'],
  [{ timeout: 2 ** 31 }, 'timeout'],
  [{ timeout: Number.NaN }, 'timeout'],
  [{ concurrency: 256, timeout: 2 ** 31 - 1 }, ''],
  [{ pull: 1, dts: 1, nope: 1 }, 'pull dts nope'],
  [{ name: 'billing-prompts' }, 'name'],
]

test.each(FIELDS)('of the options %j, what is wrong is %j', (given, wrong) => {
  const problems = optionProblems(given)
  const fields = problems.map((problem) => /^(\w+): /.exec(problem)?.[1] ?? '$')
  expect(fields.join(' ')).toBe(wrong)
})

test('a problem of options tells what is expected', () => {
  const problems = FIELDS.flatMap(([given]) => optionProblems(given))
  expect([...new Set(problems)].join('\n')).toMatchSnapshot()
})

test('a problem of options shows no value, which may be a key', () => {
  const [apiKey, pull, timeout] = [['svc_live_Secret'], 'svc_live_Secret', 'svc_live_Secret']
  expect(optionProblems({ apiKey, pull, timeout }).join('\n')).not.toContain('Secret')
})
