import { resolve } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { secretForms } from '../../../src/config/api-key.ts'
import type { EnvSource } from '../../../src/config/env-files.ts'
import { isPromptsError, type PromptsError } from '../../../src/errors/prompts-error.ts'
import { optionProblems } from '../../../src/config/option-problems.ts'
import { defineConfig, type Options } from '../../../src/config/options.ts'
import {
  checkWorkspaceName,
  resolveOptions,
  type ResolvedOptions,
} from '../../../src/config/resolve-options.ts'

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

/** What resolving throws. */
function failure(run: () => unknown): PromptsError {
  try {
    run()
  } catch (error) {
    if (isPromptsError(error)) return error
    throw error
  }
  throw new Error('Expected a PromptsError.')
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
      env: {},
      environment: undefined,
      servedEnvironment: undefined,
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
    const env = {
      PROMPTS_API_KEY: 'svc_live_abc',
      PROMPTS_BASE_URL: 'https://x.example',
      OTHER: '1',
    }
    expect(resolved({}, env)).toMatchObject({
      baseUrl: 'https://x.example',
      keys: [{ value: 'svc_live_abc', source: 'PROMPTS_API_KEY in the environment' }],
      processEnv: env,
    })
  })
})

describe('the precedence of options', () => {
  const layers = (call: Options, file: Options): ResolvedOptions =>
    resolveOptions({
      root: ROOT,
      layers: [
        { source: 'the call of prompts()', options: call },
        { source: 'prompts.config.ts', options: file },
      ],
      env: [
        {
          name: 'the environment',
          values: { PROMPTS_BASE_URL: 'https://env', PROMPTS_PULL: 'never' },
        },
      ],
    })

  test('the call wins over the file, the file over the environment, one by one', () => {
    const file = defineConfig({ baseUrl: 'https://file', pull: 'always', timeout: 1 })
    expect(layers({ baseUrl: 'https://call' }, file)).toMatchObject({
      baseUrl: 'https://call',
      pull: 'always',
      timeout: 1,
    })
    expect(layers({}, {})).toMatchObject({ baseUrl: 'https://env', pull: 'never' })
  })

  test('an option that is undefined does not hide one below it', () => {
    const call = { pull: undefined, baseUrl: undefined } as unknown as Options
    expect(layers(call, { pull: 'missing' })).toMatchObject({
      pull: 'missing',
      baseUrl: 'https://env',
    })
  })

  test('false and zero-like values do hide one below them', () => {
    expect(
      layers({ dts: false, fallback: false }, { dts: 'x.d.ts', fallback: true }),
    ).toMatchObject({
      dts: false,
      fallback: false,
    })
  })

  test('problems name the layer that has them', () => {
    expect(failure(() => layers({}, { pull: 'often' as 'always' }))).toMatchObject({
      code: 'OPTIONS_INVALID',
      details: { source: 'prompts.config.ts', problems: [expect.stringMatching(/^pull:/)] },
    })
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
    [undefined, {}, undefined, undefined],
    ['test', {}, 'test', 'test'],
    [undefined, VARIABLE, undefined, 'test'],
    ['live', VARIABLE, 'live', 'live'],
    [undefined, { PROMPTS_TEST_API_KEY: 'svc_test_a' }, undefined, undefined],
    [undefined, { PROMPTS_API_KEY: 'svc_live_a', ...VARIABLE }, undefined, 'test'],
  ] as const)(
    'for option %s and variables %j is %s in files and %s in builds',
    (option, env, declared, served) => {
      const options = resolved(option && { environment: option }, env)
      expect([options.environment, options.servedEnvironment]).toEqual([declared, served])
      expect(options.lock).toBe(resolve(ROOT, 'prompts.lock.json'))
    },
  )

  test('is checked in a variable, of its own workspace', () => {
    expect(failure(() => resolved({}, { PROMPTS_ENVIRONMENT: 'staging' }))).toMatchObject({
      code: 'OPTIONS_INVALID',
    })
    const env = [{ name: 'the environment', values: VARIABLE }]
    const other = resolveOptions({ root: ROOT, name: 'billing-prompts', layers: [], env })
    expect(other.servedEnvironment).toBe(undefined)
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
  expect(resolved({ apiKey: 'odd' }, env).secrets).toEqual(['odd', ...secretForms('svc_live_a')])
  expect(resolved({}, {})).toMatchObject({ keys: [], secrets: [] })
})

describe('a key in a public variable is KEY_PUBLISHED, from any source', () => {
  test.each([
    'VITE_KEY',
    'NEXT_PUBLIC_KEY',
    'NUXT_PUBLIC_KEY',
    'PUBLIC_KEY',
    'REACT_APP_KEY',
    'VUE_APP_KEY',
    'EXPO_PUBLIC_KEY',
    'GATSBY_KEY',
  ])('%s', (variable) => {
    const key = 'svc_live_Secret'
    for (const run of [
      () => resolved({ apiKey: key }, { [variable]: key }),
      () => resolved({}, { PROMPTS_API_KEY: key }, {}, { [variable]: key }),
      () => resolved({ apiKey: 'svc_live_b' }, { PROMPTS_TEST_API_KEY: key }, { [variable]: key }),
    ]) {
      const error = failure(run)
      expect(error).toMatchObject({ code: 'KEY_PUBLISHED', details: { variable } })
      expect(error.message).not.toContain(key)
    }
  })

  test('another value in a public variable, or the key in a private one, is allowed', () => {
    const env = {
      VITE_KEY: 'other',
      MY_KEY: 'svc_live_a',
      VITE_EMPTY: '',
      PROMPTS_API_KEY: 'svc_live_a',
    }
    expect(resolved({}, env).secrets).toContain('svc_live_a')
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

  test('has secrets of its own, and the variables of the built-in service are not read', () => {
    const env = { OWN_KEY: 'Canary0123456', PROMPTS_API_KEY: 'svc_live_a', PROMPTS_BASE_URL: 'x' }
    const options = inFile({ service }, env)
    expect(options).toMatchObject({ baseUrl: undefined, canRead: false, env })
    expect(options.keys).toEqual([{ value: 'Canary0123456', source: 'OWN_KEY in the environment' }])
    expect(options.secrets).toEqual(secretForms('Canary0123456'))
    expect(inFile({ service }, { ...env, OWN_OTHER: 'b' }).canRead).toBe(true)
  })

  test('gets the variables of all sources, of which the first that is not empty counts', () => {
    const env = resolved({}, { A: '', B: '1', C: '' }, { A: '2', B: '3', D: '4' }).env
    expect(env).toEqual({ A: '2', B: '1', D: '4' })
  })

  test('is refused in the call of a plugin, whatever it is', () => {
    for (const value of [service, {}, 1]) {
      const error = failure(() => resolved({ service: value } as Options))
      const problems = [expect.stringMatching(/^service: set it in the configuration file/)]
      expect(error).toMatchObject({ code: 'OPTIONS_INVALID', details: { problems } })
    }
  })

  test('is refused with all its problems in a file', () => {
    const error = failure(() => inFile({ service: { name: '', secrets: [1], list: 'a' } }))
    expect(error.details).toMatchObject({
      problems: [
        'service.name: expected a string that is not empty',
        'service.secrets[0]: expected a string that is not empty',
        'service.list: expected a function',
        'service.get: missing',
      ],
    })
  })

  test('has no secret in a public variable', () => {
    const env = { OWN_OTHER: 'Canary0123456', VITE_OWN: 'Canary0123456' }
    expect(failure(() => inFile({ service }, env))).toMatchObject({
      code: 'KEY_PUBLISHED',
      details: { variable: 'VITE_OWN', source: 'OWN_OTHER in the environment' },
    })
    const odd = { ...service, secrets: ['VITE_SECRET'] }
    expect(failure(() => inFile({ service: odd }, { VITE_SECRET: 'Canary0123456' }))).toMatchObject(
      {
        code: 'KEY_PUBLISHED',
      },
    )
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
  ])('is refused where it is %s, in workspace %s, also without a key', (prefix, name, variable) => {
    const details = { setting: 'envPrefix', prefix, variable }
    const error = failure(() => withPrefix(prefix, name))
    expect(error).toMatchObject({ code: 'PREFIX_PUBLISHES_KEY', details })
  })

  test.each([
    ['PROMPTS_PUBLIC_', 'prompts'],
    ['PROMPTS_API_KEY_', 'prompts'],
    ['PROMPTS_', 'billing-prompts'],
  ])('is none of the key where it is %s, in workspace %s', (prefix, name) => {
    expect(withPrefix(prefix, name)).toMatchObject({ name })
  })
})

describe('the name of a workspace', () => {
  test('begins its files and its variables, and those of others are not read', () => {
    const values = {
      PROMPTS_API_KEY: 'svc_live_a',
      PROMPTS_BASE_URL: 'https://a.example',
      PROMPTS_PULL: 'never',
      BILLING_PROMPTS_API_KEY: 'svc_test_b',
    }
    const env = [{ name: 'the environment', values }]
    expect(resolveOptions({ root: ROOT, name: 'billing-prompts', layers: [], env })).toMatchObject({
      name: 'billing-prompts',
      keys: [{ source: 'BILLING_PROMPTS_API_KEY in the environment' }],
      baseUrl: undefined,
      pull: 'missing',
      lock: resolve('/project/billing-prompts.lock.json'),
      dts: resolve('/project/billing-prompts.d.ts'),
    })
  })

  test.each(['', 'Billing', 'a/b', '../a', 'virtual:a', 7, null])('is not %j', (name) => {
    expect(failure(() => checkWorkspaceName(name, 'the call'))).toMatchObject({
      code: 'OPTIONS_INVALID',
      details: { source: 'the call' },
    })
  })

  test("can't be set in a configuration file", () => {
    expect(fieldsWithProblems({ name: 'billing-prompts' })).toEqual(['name'])
  })
})

describe('PROMPTS_PULL', () => {
  test.each(['missing', 'always', 'never'] as const)('can be %s', (pull) => {
    expect(resolved({}, { PROMPTS_PULL: pull }).pull).toBe(pull)
  })

  test('is an error for other values unless an option overrides it', () => {
    const env = [{}, { PROMPTS_PULL: 'sometimes' }]
    expect(failure(() => resolved({}, ...env))).toMatchObject({
      code: 'OPTIONS_INVALID',
      details: { source: 'PROMPTS_PULL in .env.local' },
    })
    expect(resolved({ pull: 'never' }, ...env).pull).toBe('never')
  })
})

describe('paths', () => {
  test('are resolved from the project, unless they are absolute', () => {
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
  ])('of %j are refused, as one would overwrite the other', (options, pairs) => {
    expect(failure(() => resolved(options))).toMatchObject({
      code: 'OPTIONS_INVALID',
      details: { problems: pairs.map((pair) => expect.stringMatching(`^${pair}:`)) },
    })
  })

  test.each<Options>([
    { dts: false, lock: 'prompts.d.ts' },
    { outDir: '.' },
    { outDir: 'prompts', dts: 'prompts/prompts.d.ts', lock: 'prompts/lock.json' },
  ])('of %j are fine', (options) => {
    expect(resolved(options)).toBeDefined()
  })
})

const GLOBS = [
  { given: {}, in: ['a', 'x/a', ''], out: [] },
  { given: { include: '*' }, in: ['a', '.a', 'x/a', 'a-b'], out: [] },
  {
    given: { include: 'support-*' },
    in: ['support-a', 'x/support-a'],
    out: ['a', 'x/a', 'support'],
  },
  { given: { include: 'support/*' }, in: ['support/a'], out: ['a', 'x/a', 'support/eu/a'] },
  { given: { include: 'support/**' }, in: ['support/a', 'support/eu/a'], out: ['a', 'x/a'] },
  { given: { include: ['a', 'b'] }, in: ['a', 'b', 'x/a'], out: ['c'] },
  { given: { include: [] }, in: [], out: ['a', 'x/a'] },
  { given: { include: '{a,b}' }, in: ['a', 'x/b'], out: ['c'] },
  { given: { exclude: 'a' }, in: ['b', 'x/b'], out: ['a', 'x/a'] },
  { given: { exclude: 'x/**' }, in: ['a', 'y/a'], out: ['x/a', 'x/y/a'] },
  { given: { exclude: [] }, in: ['a'], out: [] },
  { given: { exclude: 'x (old)/**' }, in: ['x/a', 'x old/a'], out: ['x (old)/a'] },
  { given: { include: '@(a|b)' }, in: ['a', 'x/b'], out: ['c'] },
  { given: { include: '!(a)' }, in: ['b'], out: ['a'] },
  { given: { include: '**' }, in: ['a\nb', 'x\u2028/a'], out: [] },
  { given: { include: 'x/*', exclude: '*-draft' }, in: ['x/a'], out: ['x/a-draft', 'y/a'] },
  { given: { include: 'größe-?' }, in: ['größe-1'], out: ['größe-12'] },
] satisfies { given: Options; in: string[]; out: string[] }[]

/** A prompt given as `folder/slug`. */
function entry(path: string): { slug: string; folder: string } {
  const slash = path.lastIndexOf('/')
  return { slug: path.slice(slash + 1), folder: path.slice(0, Math.max(slash, 0)) }
}

describe('include and exclude are globs over slug and folder/slug', () => {
  test.each(GLOBS)('$given', ({ given, in: included, out }) => {
    const { isSelected } = resolved(given)
    expect(included.filter((path) => !isSelected(entry(path)))).toEqual([])
    expect(out.filter((path) => isSelected(entry(path)))).toEqual([])
  })

  afterEach(() => {
    vi.unstubAllGlobals()
  })

  test('a backslash in a slug is not a separator, even on Windows', () => {
    vi.stubGlobal('navigator', { platform: 'Win32' })
    const { isSelected } = resolved({ include: 'x/*' })
    expect(isSelected({ slug: 'x\\a', folder: '' })).toBe(false)
    expect(isSelected({ slug: 'a\\b', folder: 'x' })).toBe(true)
  })
})

const FIELDS: { given: unknown; want: string[] }[] = [
  { given: null, want: [''] },
  { given: undefined, want: [''] },
  { given: [], want: [''] },
  { given: () => ({}), want: [''] },
  { given: {}, want: [] },
  { given: { pull: undefined }, want: [] },
  { given: { baseURL: 'https://x' }, want: ['baseURL'] },
  { given: { toString: 1 }, want: ['toString'] },
  { given: { baseUrl: '' }, want: ['baseUrl'] },
  {
    given: { baseUrl: new URL('https://x') },
    want: ['baseUrl'],
  },
  { given: { apiKey: 1 }, want: ['apiKey'] },
  { given: { environment: 'staging' }, want: ['environment'] },
  { given: { pull: true }, want: ['pull'] },
  { given: { staging: 'no' }, want: ['staging'] },
  { given: { fallback: 'yes' }, want: ['fallback'] },
  { given: { include: [''] }, want: ['include'] },
  { given: { include: /a/ }, want: ['include'] },
  { given: { exclude: [['a']] }, want: ['exclude'] },
  {
    given: { include: ['**', '!drafts/*'] },
    want: ['include'],
  },
  { given: { include: '!(drafts)' }, want: [] },
  { given: { include: 'a', exclude: ['a', 'b'] }, want: [] },
  { given: { apps: [''] }, want: ['apps'] },
  { given: { apps: ['../*', '../../tools/cli'] }, want: [] },
  { given: { lock: false }, want: ['lock'] },
  { given: { dts: true }, want: ['dts'] },
  { given: { dts: '' }, want: ['dts'] },
  { given: { dts: false }, want: [] },
  { given: { client: 'off' }, want: ['client'] },
  { given: { production: false }, want: ['production'] },
  { given: { page: 'write' }, want: ['page'] },
  { given: { page: 'read' }, want: [] },
  { given: { concurrency: 0 }, want: ['concurrency'] },
  { given: { concurrency: 257 }, want: ['concurrency'] },
  { given: { concurrency: 1.5 }, want: ['concurrency'] },
  { given: { concurrency: '8' }, want: ['concurrency'] },
  { given: { timeout: 2 ** 31 }, want: ['timeout'] },
  {
    given: { timeout: Number.NaN },
    want: ['timeout'],
  },
  { given: { concurrency: 256, timeout: 2 ** 31 - 1 }, want: [] },
  {
    given: { pull: 1, dts: 1, nope: 1 },
    want: ['pull', 'dts', 'nope'],
  },
]

/** What problems are about: the field of each, or '' for all options. */
function fieldsWithProblems(options: unknown): string[] {
  return optionProblems(options).map((problem) => /^(\w+): /.exec(problem)?.[1] ?? '')
}

describe('all problems of options are reported together', () => {
  test.each(FIELDS)('$given → $want', ({ given, want }) => {
    expect(fieldsWithProblems(given)).toEqual(want)
  })

  test('with what is expected', () => {
    const problems = FIELDS.flatMap(({ given }) => optionProblems(given))
    expect([...new Set(problems)].join('\n')).toMatchSnapshot()
  })

  test('values never appear: one may be a key', () => {
    const options = {
      apiKey: ['svc_live_Secret'],
      pull: 'svc_live_Secret',
      timeout: 'svc_live_Secret',
    }
    expect(optionProblems(options).join('\n')).not.toContain('Secret')
  })
})
