import { describe, expect, test, vi } from 'vitest'
import { secretForms } from '../../../src/core/secrets.ts'
import type { CustomService, ServiceContext } from '../../../src/config/options.ts'
import { missingSettings } from '../../../src/core/settings.ts'
import { type ListedPart, type PromptService, SERVICE_CLOSED } from '../../../src/core/service.ts'
import { isPromptsError } from '../../../src/errors/prompts-error.ts'
import { openCustomService } from '../../../src/service/custom.ts'
import { readWorkspace } from '../../../src/service/read-workspace.ts'
import {
  answer,
  type FaultServer,
  json,
  type Play,
  reset,
  startFaultServer,
} from '../../helpers/fault-server.ts'
import { startLocalServer } from '../../helpers/local-server.ts'
import {
  outcome,
  passTime,
  rejection,
  stallTooLong,
  stopTime,
  TIMEOUT,
  untilTestEnds,
} from '../../helpers/service-client.ts'

const SECRET = 'Canary 0123456789/secret+'
const NEVER = new Promise<never>(() => undefined)

/** A service of functions that answer anything. */
interface Functions {
  readonly list?: (context: ServiceContext) => unknown
  readonly get?: (slug: string, context: { version: string } & ServiceContext) => unknown
}

interface Given {
  readonly onWarning: (message: string) => void
  readonly signal: AbortSignal
  readonly secret: string
  readonly url: string
  /** The names of variables. */
  readonly secrets: readonly string[]
}

function open(
  { list = () => [ENTRY], get = () => PROMPT }: Functions,
  {
    signal = untilTestEnds(),
    secret = SECRET,
    url = '',
    secrets = ['OWN_KEY'],
    ...call
  }: Partial<Given> = {},
): PromptService {
  return openCustomService({
    service: { name: 'Own', secrets, list, get } as CustomService,
    env: { OWN_KEY: secret, OWN_URL: url },
    secrets: secretForms(secret),
    name: 'prompts',
    concurrency: 4,
    staging: true,
    processEnv: {},
    timeout: TIMEOUT,
    signal,
    ...call,
  })
}

function read(service: PromptService): ReturnType<typeof readWorkspace> {
  return readWorkspace(service, { isSelected: () => true, concurrency: 4 })
}

const ENTRY = { slug: 'a', liveVersion: 'v1' }
const PROMPT = { version: 'v1', systemSource: 'Be kind.', userSource: '{{ ticket }}' }
const PART: ListedPart = {
  slug: 'a',
  environment: 'live',
  folder: '',
  model: 'own/gpt-5',
  version: 'v1',
}

/** The problems of the error of a read, which must be that of the functions. */
async function problemsOf(promise: Promise<unknown>): Promise<readonly string[]> {
  const error = await rejection(promise)
  if (!isPromptsError(error, 'SERVICE_ADAPTER_FAILED')) throw error
  expect(error.details.service).toBe('Own')
  expect(error.message).not.toContain('Canary')
  return error.details.problems
}

test('a read is in the order of slugs, and has defaults for what the answers leave out', async () => {
  const list = () => [
    { slug: 'b', folder: 'f', model: 'gpt-5', liveVersion: null, stagingVersion: 'v1' },
    ENTRY,
  ]
  const { parts } = await read(open({ list }))
  const texts = { system: 'Be kind.', user: '{{ ticket }}', source: 'Be kind.\n\n{{ ticket }}' }
  const fields = { ...missingSettings(), version: 'v1', ...texts }
  expect(parts).toEqual([
    { slug: 'a', environment: 'live', ...fields },
    { slug: 'b', environment: 'test', ...fields, folder: 'f', model: 'gpt-5' },
  ])
})

test('the folder of a prompt is that of the list', async () => {
  const list = () => [ENTRY, { ...ENTRY, slug: 'b', folder: 'f' }]
  const { parts } = await read(open({ list, get: () => ({ ...PROMPT, folder: 'other' }) }))
  expect(parts.map(({ folder }) => folder)).toEqual(['', 'f'])
})

test('each version of the list is asked for once, and a staging version only if it is not null, whatever its label', async () => {
  const asked: unknown[] = []
  await read(
    open({
      list: () => [
        ENTRY,
        { ...ENTRY, slug: 'b', stagingVersion: 'v2' },
        { ...ENTRY, slug: 'c', stagingVersion: 'v1' },
      ],
      get(slug, { version, env, ...context }) {
        asked.push(`${slug} ${Object(context).environment} ${version} ${env['OWN_KEY'] === SECRET}`)
        return { ...PROMPT, version }
      },
    }),
  )
  const both = ['b live v1 true', 'b test v2 true', 'c live v1 true', 'c test v1 true']
  expect(asked).toEqual(['a live v1 true', ...both])
})

test.each([
  [`"${SECRET}"`, 'quotes'],
  [`${SECRET}\r`, 'a line end'],
])('a service with the secret %j is not opened, and it is not shown', (secret, wrapping) => {
  const error = { code: 'KEY_MALFORMED', details: { source: 'OWN_KEY', wrapping } }
  expect(() => open({}, { secret })).toThrow(expect.objectContaining(error))
  expect(() => open({}, { secret: 'line 1 of\nCanary 01234\n' })).not.toThrow()
})

test('a service without a secret is not opened', () => {
  const error = { code: 'KEY_MISSING', details: { variable: 'OWN_KEY' } }
  expect(() => open({}, { secret: '' })).toThrow(expect.objectContaining(error))
})

const listing = (list: unknown): Functions => ({ list: () => list })
const listed = (fields: object): Functions => listing([{ ...ENTRY, ...fields }])
const gets = (fields: object): Functions => ({ get: () => ({ ...PROMPT, ...fields }) })

describe('SERVICE_ADAPTER_FAILED', () => {
  test.each<[string, Functions, RegExp]>([
    ['a list that is no array', listing({}), /^list: \$: expected an array, received object/],
    ['a list that is null', listing(null), /^list: \$: expected an array, received null/],
    [
      'no slug and no label',
      listing([{}]),
      /^list: \$\[0\]\.slug: missing; \$\[0\]\.liveVersion: /,
    ],
    ['a number as slug', listed({ slug: 1 }), /\$\[0\]\.slug: expected a string, received n/],
    ['a folder that is null', listed({ folder: null }), /\.folder: expected a string/],
    ['a model that is no text', listed({ model: {} }), /\.model: expected a string/],
    ['no version at all', listed({ liveVersion: null }), /a live or a staging version/],
    ['a number as label', listed({ stagingVersion: 2 }), /\.stagingVersion: expected a str/],
    ['a long slug', listed({ slug: 'a'.repeat(1001) }), /\.slug: expected at most 1,000 ch/],
    ['a slug twice', listing([ENTRY, ENTRY]), /^list: \[SLUG_DUPLICATE\]/],
    ['no prompt', { get: () => undefined }, /^get a: \$: expected an object/],
    [
      'another version',
      gets({ version: '1' }),
      /^get a: \$\.version: expected “v1”, received “1”$/,
    ],
    ['a number as version', gets({ version: 1 }), /\$\.version: expected a string, rec/],
    ['another model', gets({ model: 'gpt-5' }), /^get a: \$\.model: expected “own\/gpt-5”, rec/],
    ['a reason that is no text', { get: () => ({ refused: 1 }) }, /\$\.refused: expected a str/],
    [
      'an unknown syntax',
      gets({ syntax: 'ejs' }),
      /\$\.syntax: expected f-string, mustache, jinja/,
    ],
    ['a text that is none', gets({ systemSource: [] }), /\$\.systemSource: expected a string, r/],
    [
      'a huge text',
      gets({ userSource: 'a'.repeat(10_485_761) }),
      /\$\.userSource: expected at most/,
    ],
    ['a source that is none', gets({ source: 1 }), /\$\.source: expected a string/],
    ['a model that is none', gets({ model: 1 }), /\$\.model: expected a string/],
    ['no temperature', gets({ temperature: Number.NaN }), /\$\.temperature: expected a fin/],
  ])('SERVICE_ADAPTER_FAILED names the field of %s', async (_, functions, problem) => {
    const service = open(functions)
    const reading = functions.list === undefined ? service.get(PART) : service.list()
    expect(await problemsOf(reading)).toEqual([expect.stringMatching(problem)])
  })

  test('SERVICE_ADAPTER_FAILED lists the problems of all prompts, also of staging versions, without a secret', async () => {
    const list = () => ['a', 'b', 'c'].map((slug) => ({ ...ENTRY, slug, stagingVersion: 'v2' }))
    const get: Functions['get'] = (slug, { version }) => {
      if (slug === 'b') return { ...PROMPT, version }
      throw version === 'v1' ? new Error(`No ${btoa(`user:${SECRET}`)}\n${SECRET}`) : 'odd'
    }
    expect(await problemsOf(read(open({ list, get })))).toEqual([
      expect.stringMatching(/^get a: No .*\[key\]/),
      'get a (staging): odd',
      expect.stringMatching(/^get c: No .*\[key\]/),
      'get c (staging): odd',
    ])
  })

  test.each<[string, unknown, RegExp]>([
    ['a body of a response', { status: 401, message: 'Unauthorized' }, /^list: Unauthorized$/],
    ['an object without a prototype', Object.create(null), /^list: unknown error$/],
    [
      'an error with a list as message',
      Object.assign(new Error('x'), { message: ['a', SECRET] }),
      /^list: Error: a,\[key\]$/,
    ],
  ])('SERVICE_ADAPTER_FAILED describes %s that a function throws', async (_, thrown, problem) => {
    const list = () => {
      throw thrown
    }
    expect(await problemsOf(open({ list }).list())).toEqual([expect.stringMatching(problem)])
  })

  test('SERVICE_ADAPTER_FAILED has no secret of several lines that a function throws', async () => {
    const secret = '-----BEGIN KEY-----\nCanary0123456789+Canary/A\n-----END KEY-----\n'
    const list: Functions['list'] = ({ env }) => {
      throw new Error(`bad credentials: ${env['OWN_KEY']}`)
    }
    expect(await problemsOf(open({ list }, { secret }).list())).toEqual([
      'list: bad credentials: [key]',
    ])
  })

  test('a function that sends nothing for the time of one request is ended', async () => {
    const problem = expect.stringMatching(/\[SERVICE_TIMEOUT\] Own .* 5000 ms/)
    const signals: AbortSignal[] = []
    const answers = [[ENTRY], NEVER]
    const list: Functions['list'] = ({ signal }) => (signals.push(signal), answers.shift())
    const { url } = await startFaultServer(json({}))
    const get: Functions['get'] = async (_, { fetchJson }) => {
      await fetchJson(url).finally(() => passTime(TIMEOUT))
      return NEVER
    }
    stopTime()
    const service = open({ list, get })
    await service.list()
    expect(await Promise.all([service.list(), service.get(PART)].map(problemsOf))).toEqual([
      [problem],
      [problem],
    ])
    // Not one that is done.
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true])
  })

  test('the read of a service that is down ends at its first prompt', async () => {
    stopTime()
    const list = () => Array.from({ length: 50 }, (_, index) => ({ ...ENTRY, slug: `p${index}` }))
    let calls = 0
    const get: Functions['get'] = (_, { fetchJson }) => (calls++, fetchJson('http://127.0.0.1:1/'))
    const problems = await problemsOf(read(open({ list, get })))
    expect(problems).toEqual([expect.stringMatching(/^get p\d: \[SERVICE_UNREACHABLE\]/)])
    expect(calls).toBeLessThan(10)
    expect((await rejection(read(open({ list, get })))).fix).toMatch(/ the URL in `service`/)
  })
})

test('many requests of one function may take longer than one', async () => {
  stopTime()
  const { url } = await startFaultServer((...request) => {
    passTime(TIMEOUT / 4)
    json([])(...request)
  })
  const list = async ({ fetchJson }: ServiceContext) => {
    for (let page = 0; page < 5; page++) await fetchJson(url)
    return []
  }
  expect(await open({ list }).list()).toEqual({ prompts: [], planStatus: 'active' })
})

test('lists that never agree are PULL_UNSETTLED, and a prompt that is gone is not pinned', async () => {
  let count = 0
  const changing = open({
    list: () => [{ ...ENTRY, liveVersion: `n${count++}` }],
    get: () => ({ ...PROMPT, version: undefined }),
  })
  expect(await rejection(read(changing))).toMatchObject({ code: 'PULL_UNSETTLED' })
  const lists = [[ENTRY, { ...ENTRY, slug: 'gone' }], [ENTRY]]
  const gone = open({ list: () => lists.shift(), get: (slug) => (slug === 'a' ? PROMPT : null) })
  expect((await read(gone)).parts.map(({ slug }) => slug)).toEqual(['a'])
  const lost = open({ get: () => null })
  const why = expect.not.stringContaining('404')
  expect(await rejection(read(lost))).toMatchObject({ code: 'PROMPT_NOT_FOUND', why })
})

test('a prompt that does not fit is refused with its reason, and the others are read', async () => {
  const asked: string[] = []
  const list = () => ['a', 'b', 'c'].map((slug) => ({ ...ENTRY, slug, stagingVersion: 'v2' }))
  const get: Functions['get'] = (slug, { version }) => {
    asked.push(`${slug} ${version}`)
    if (slug === 'b' && version === 'v1') return { refused: `has tools ${SECRET}\n` }
    if (slug === 'c') return { ...PROMPT, version, syntax: 'jinja', userSource: 'Hi\n{% if x %}' }
    return { ...PROMPT, version, syntax: 'jinja' }
  }
  const { parts, refused, reads } = await read(open({ list, get }))
  expect(parts.map(({ slug, version }) => `${slug} ${version}`)).toEqual(['a v1', 'a v2', 'b v2'])
  const reason = "user: line 2 has {% if x %}, which can't be a variable or text here"
  expect(refused).toMatchObject([
    { slug: 'b', environment: 'live', version: 'v1', refused: 'has tools [key]' },
    { slug: 'c', environment: 'live', version: 'v1', refused: reason },
    { slug: 'c', environment: 'test', version: 'v2', refused: reason },
  ])
  // Each is read once, also the refused ones.
  expect(asked).toHaveLength(6)
  expect(reads).toBe(6)
})

test('what a function warns of a prompt that it refuses stands beside the reason', async () => {
  const get: Functions['get'] = (_, { warn }) => (
    warn('no placeholders\n'),
    { refused: 'has tools\n' }
  )
  const { refused } = await read(open({ get }))
  expect(refused).toMatchObject([{ refused: 'has tools; no placeholders' }])
})

test('`refused` without a reason is no refusal', async () => {
  for (const refused of [undefined, null]) {
    const { parts } = await read(open({ get: () => ({ ...PROMPT, refused }) }))
    expect(parts).toHaveLength(1)
  }
})

test('the reason of a refusal is cut after the secrets are masked', async () => {
  const secret = 'Canary0123456789'.repeat(3)
  const get = () => ({ ...PROMPT, syntax: 'jinja', userSource: `{{ x|join('${secret}') }}` })
  const { refused } = await read(open({ get }, { secret }))
  expect(refused).toMatchObject([{ refused: expect.stringContaining("{{ x|join('[key]') }}") }])
})

test('texts of another syntax become tokens, in all three texts', async () => {
  const texts = { systemSource: 'Be {tone}.', userSource: '{{"a": {x}}}' }
  const get = () => ({ ...texts, source: 'Be {tone}. {{"a": {x}}}', syntax: 'f-string' })
  const { parts } = await read(open({ get }))
  expect(parts).toMatchObject([
    {
      version: 'v1',
      system: 'Be {{ tone }}.',
      user: '{"a": {{ x }}}',
      source: 'Be {{ tone }}. {"a": {{ x }}}',
    },
  ])
})

test('a function warns once for each message, masked', async () => {
  const warnings: string[] = []
  const list: Functions['list'] = ({ warn }) => {
    warn(`left out: ${SECRET}`)
    return [ENTRY]
  }
  await read(open({ list }, { onWarning: (message) => warnings.push(message) }))
  expect(warnings).toEqual(['Own: left out: [key]'])
})

test('a function warns with anything', async () => {
  const warnings: string[] = []
  const list: Functions['list'] = ({ warn }) => {
    for (const message of [new Error('no'), { a: 1 }, undefined, 7, Object.create(null)])
      warn(message)
    return [ENTRY]
  }
  await read(open({ list }, { onWarning: (message) => warnings.push(message) }))
  const texts = ['no', '[object Object]', 'undefined', '7', 'unknown error']
  expect(warnings).toEqual(texts.map((text) => `Own: ${text}`))
})

describe('a promise that nobody awaits', () => {
  test.each([
    ['its request', (promise: Promise<unknown>) => promise],
    ['what follows from it', (promise: Promise<unknown>) => promise.then(Object)],
  ])('ends nothing when the service is closed: %s', async (_, follow) => {
    const { url, requests } = await startFaultServer(() => undefined)
    const closing = new AbortController()
    const signals: AbortSignal[] = []
    const list: Functions['list'] = async ({ fetchJson, signal }) => {
      signals.push(signal)
      void follow(fetchJson(url))
      await vi.waitUntil(() => requests.length === 1)
      return [ENTRY]
    }
    // Vitest fails for a rejection that nobody handles.
    await read(open({ list }, { signal: closing.signal }))
    closing.abort(SERVICE_CLOSED)
    await new Promise(setImmediate)
    // A request of its own with the signal does not end either.
    expect(signals.some(({ aborted }) => aborted)).toBe(false)
  })

  test('ends nothing when it fails', async () => {
    const { url } = await startFaultServer(answer(404, ''))
    const kept: Promise<unknown>[] = []
    const list: Functions['list'] = async ({ fetchJson }) => {
      kept.push(fetchJson(url))
      await fetchJson(url).catch(() => undefined)
      return [ENTRY]
    }
    await read(open({ list }))
    expect(await outcome(Promise.all(kept))).toMatchObject({ status: 404 })
  })
})

test('a list and the reads of one pull may share what they know', async () => {
  const texts = new Map<string, object>()
  const list = () => {
    texts.set('a v1', { ...PROMPT, userSource: 'From the list' })
    return [ENTRY]
  }
  const { parts } = await read(open({ list, get: (slug) => texts.get(`${slug} v1`) }))
  expect(parts).toMatchObject([{ user: 'From the list' }])
})

test('an abort ends a function with its reason', async () => {
  const aborter = new AbortController()
  const reading = open({ list: () => NEVER }, { signal: aborter.signal }).list()
  const reason = new Error('Ctrl-C')
  aborter.abort(reason)
  expect(await outcome(reading)).toBe(reason)
  expect(await outcome(open({}, { signal: aborter.signal }).list())).toBe(reason)
})

describe('fetchJson', () => {
  /** What a request of a function came to, and what the server got. */
  async function fetched(
    play: Play | readonly Play[],
    request?: Parameters<ServiceContext['fetchJson']>[1],
    path = '/',
  ): Promise<{ result: unknown; server: FaultServer }> {
    stopTime()
    const server = await startFaultServer(play)
    let result: unknown
    const list = async ({ fetchJson }: ServiceContext) => {
      result = await outcome(fetchJson(server.url + path, request))
      return []
    }
    await open({ list }).list()
    return { result, server }
  }

  test('fetchJson sends what it is given, to exactly that address', async () => {
    const request = { method: 'POST', headers: { 'x-key': SECRET }, body: '{"a":1}' }
    const path = '/a%2Fb/?c=d?e&f='
    const { result, server } = await fetched(json({ ok: true }), request, path)
    expect(result).toEqual({ ok: true })
    const headers = expect.objectContaining({ 'x-key': SECRET, 'content-length': '7' })
    expect(server.requests).toEqual([{ method: 'POST', target: path, headers }])
  })

  test('fetchJson sends a header once, whatever the case of its name', async () => {
    const accepted: unknown[] = []
    const url = await startLocalServer(({ headers }, response) => {
      accepted.push(headers.accept)
      response.end('[]')
    })
    const request = { headers: { Accept: 'application/vnd.own+json' } }
    await open({ list: ({ fetchJson }) => fetchJson(url, request) }).list()
    expect(accepted).toEqual(['application/vnd.own+json'])
  })

  test.each([
    ['GET', {}, 2],
    ['POST', { method: 'POST' }, 1],
    ['POST that may be repeated', { method: 'POST', retry: true }, 2],
    ['GET that may not be repeated', { retry: false }, 1],
  ])('fetchJson sends a %s again after a failure only if it may', async (_, request, count) => {
    const { server } = await fetched([answer(503, ''), json({})], request)
    expect(server.requests).toHaveLength(count)
  })

  test.each([
    ['404', answer(404, ''), { code: 'SERVICE_NOT_FOUND', status: 404 }],
    ['401', answer(401, ''), { code: 'KEY_REFUSED', status: 401, details: { source: 'OWN_KEY' } }],
    ['a redirect', answer(302, '', { location: '/' }), { code: 'REDIRECTED', status: 302 }],
    ['no JSON', answer(200, '<p>'), { code: 'ANSWER_NOT_JSON', status: 200 }],
    ['33 MiB', answer(200, '', { 'content-length': '34603008' }), { code: 'ANSWER_TOO_LARGE' }],
    ['nothing', stallTooLong, { code: 'SERVICE_TIMEOUT' }],
  ])('fetchJson rejects with the code and the status for %s', async (_, play, error) => {
    const { result, server } = await fetched(play)
    expect(result).toMatchObject(error)
    expect(server.requests.every(({ target }) => target === '/')).toBe(true)
  })

  test('fetchJson rejects with the status of the last attempt, which may have none', async () => {
    const { result } = await fetched([answer(503, ''), answer(503, ''), reset])
    expect(result).toMatchObject({ code: expect.not.stringMatching('SERVICE_FAILED') })
    expect(result).not.toHaveProperty('status')
  })

  test('fetchJson shows no query of an address', async () => {
    const { result } = await fetched(answer(404, ''), {}, '/texts?key=canary')
    expect(String(Object(result).message)).toContain('/texts does not exist')
    expect(String(Object(result).message)).not.toContain('canary')
  })

  test('fetchJson names the variable that has quotes around its address', async () => {
    const list: Functions['list'] = ({ env, fetchJson }) => fetchJson(`${env['OWN_URL']}/texts`)
    const service = open({ list }, { url: '"https://prompts.example"' })
    expect(await problemsOf(service.list())).toEqual(['list: OWN_URL has quotes around it'])
  })

  test.each<[what: string, request: object, reason: string]>([
    ['a body that is no text', { method: 'POST', body: { a: 1 } }, 'body'],
    ['a header with a line break', { headers: { 'x-team': 'a\nb' } }, 'header'],
    [
      'a header with another character than headers may have',
      { headers: { 'x-team': '…' } },
      'header',
    ],
    ['a header that it does not support', { headers: { expect: '100-continue' } }, 'expect'],
    [
      'another length than that of the body',
      { method: 'POST', body: 'a', headers: { 'content-length': '9' } },
      'length',
    ],
    ['a method with a space', { method: 'GE T' }, 'method'],
  ])(
    'a request with %s is an error of the function that is not sent again, and no network is unreachable',
    async (_, request, reason) => {
      const server = await startFaultServer(json([]))
      const list: Functions['list'] = ({ fetchJson }) =>
        fetchJson(server.url, { retry: true, ...request })
      expect(await problemsOf(open({ list }).list())).toEqual([
        expect.stringMatching(`^list: (?!\\[).*${reason}`),
      ])
      expect(server.requests).toEqual([])
    },
  )

  test('fetchJson sends http: to another machine only where that is allowed', async () => {
    stopTime()
    const asking = (allowHttp: boolean): Functions => ({
      list: ({ fetchJson }) => fetchJson('http://prompts.invalid/', { allowHttp }),
    })
    const refused = await problemsOf(open(asking(false)).list())
    expect(refused).toEqual([expect.stringContaining('[BASE_URL_INVALID]')])
    const sent = await problemsOf(open(asking(true)).list())
    expect(sent).toEqual([expect.stringContaining('[SERVICE_UNREACHABLE]')])
  })

  test('fetchJson without secrets names the service whose key was rejected', async () => {
    const server = await startFaultServer(answer(401, ''))
    const list: Functions['list'] = ({ fetchJson }) => fetchJson(server.url)
    const { why, fix, cause } = await rejection(open({ list }, { secrets: [] }).list())
    expect(why).toContain('the key from Own')
    expect(fix).toContain(Object(cause).fix)
  })

  test('fetchJson asks each of several servers', async () => {
    const servers = await Promise.all(['a', 'b'].map((answers) => startFaultServer(json(answers))))
    const list: Functions['list'] = async ({ fetchJson }) => {
      const [slug, liveVersion] = await Promise.all(servers.map(({ url }) => fetchJson(url)))
      return [{ slug, liveVersion }]
    }
    const entry = expect.objectContaining({ slug: 'a', liveVersion: 'b' })
    expect(await open({ list }).list()).toMatchObject({ prompts: [entry] })
  })

  test.each([
    'http://prompts.example/',
    'ftp://prompts.example/',
    'https://user:Canary@prompts.example/',
    'nowhere',
  ])('fetchJson sends nothing to %s', async (url) => {
    const list = ({ fetchJson }: ServiceContext) => fetchJson(url)
    expect(await problemsOf(open({ list }).list())).toEqual([
      expect.stringMatching(/^list: (?:\[BASE_URL_INVALID\]|Invalid URL)/),
    ])
  })
})
