import { type IncomingHttpHeaders, request } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { liveLock } from '../../helpers/pinned.ts'
import { buildPage } from '../../helpers/page/built-page.ts'
import { servedPage, testProject, type TestProject } from '../../helpers/page/project.ts'

beforeAll(() => buildPage())

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** `fetch` would not send a Host or Sec-Fetch header of our choice. */
function ask(
  url: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (body += chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}

async function start(project?: TestProject): Promise<string> {
  return (await servedPage(project ?? (await testProject(liveLock({}))))).url
}

const PATHS = ['', 'app.js', 'api/state', 'api/events', 'api/changes?with=service']

const FOREIGN: readonly { readonly given: string; readonly headers: Record<string, string> }[] = [
  { given: 'a foreign name that leads here (DNS rebinding)', headers: { host: 'evil.example' } },
  { given: 'a name that begins like ours', headers: { host: 'localhost.evil.example:5173' } },
  { given: 'a foreign origin', headers: { origin: 'https://evil.example' } },
  { given: 'no origin, as of a sandboxed frame', headers: { origin: 'null' } },
  { given: 'another port as origin', headers: { origin: 'http://127.0.0.1:1' } },
  { given: 'a foreign site, by name of the browser', headers: { 'sec-fetch-site': 'cross-site' } },
  {
    given: 'a link on a foreign site',
    headers: {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    },
  },
  {
    given: 'a script of another port of this machine',
    headers: {
      'sec-fetch-site': 'same-site',
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-dest': 'script',
    },
  },
  {
    given: 'a frame in a page of another port of this machine',
    headers: {
      'sec-fetch-site': 'same-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'iframe',
    },
  },
]

describe('a foreign request', () => {
  test.each(FOREIGN)('gets 403 at every path: $given', async ({ headers }) => {
    const url = await start()
    for (const path of PATHS) {
      const { status, body } = await ask(url + path, { headers })
      expect({ path, status }).toEqual({ path, status: 403 })
      expect(body).not.toContain('support-triage')
    }
    expect((await ask(new URL('/', url).href, { headers })).status).toBe(403)
  })
})

const OWN: readonly { readonly given: string; readonly headers: Record<string, string> }[] = [
  { given: 'an address that was typed', headers: { 'sec-fetch-site': 'none' } },
  { given: 'the page itself', headers: { 'sec-fetch-site': 'same-origin' } },
  { given: 'localhost', headers: { host: 'localhost:5173' } },
  { given: 'a name below localhost', headers: { host: 'app.localhost:5173' } },
  { given: 'IPv6', headers: { host: '[::1]:5173' } },
  {
    given: 'its own origin',
    headers: { host: 'localhost:5173', origin: 'http://localhost:5173' },
  },
  {
    given: 'a link on another port of this machine',
    headers: {
      'sec-fetch-site': 'same-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    },
  },
]

describe('a request of the page or the user', () => {
  test.each(OWN)('is answered: $given', async ({ headers }) => {
    const { status } = await ask(`${await start()}api/state`, { headers })
    expect(status).toBe(200)
  })
})

describe('every answer', () => {
  test.each(PATHS.filter((path) => path !== 'api/events'))(
    'forbids the browser all but the page’s own script: /%s',
    async (path) => {
      const { headers } = await ask((await start()) + path)
      const policy = headers['content-security-policy']
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).toContain("style-src 'self'")
      expect(policy).toContain("frame-ancestors 'self'")
      expect(policy).toContain("require-trusted-types-for 'script'")
      expect(policy).not.toContain('unsafe')
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      })
    },
  )

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('to %s is 405', async (method) => {
    const url = await start()
    for (const path of PATHS) {
      const { status, headers } = await ask(url + path, { method })
      expect({ path, status, allow: headers.allow }).toEqual({ path, status: 405, allow: 'GET' })
    }
  })

  test.each([
    '..%2f..%2fpackage.json',
    '%2e%2e%2f%2e%2e%2fpackage.json',
    'api',
    'api/',
    'index.html/',
    '__proto__',
    '/',
    '//',
    '/[',
  ])('to an address that is none is 404: %s', async (path) => {
    expect((await ask(`${await start()}${path}`)).status).toBe(404)
  })
})

test('the path without its slash redirects to the page', async () => {
  const url = await start()
  const { status, headers } = await ask(url.slice(0, -1))
  expect({ status, location: headers.location }).toEqual({ status: 302, location: '/__prompts/' })
})

describe('the keys', () => {
  const live = 'svc_live_Canary0123456789abcdefXYZ'
  const staging = 'svc_test_Canary9876543210zyxwvuABC'

  async function askEverything(project: TestProject): Promise<string> {
    const url = await start(project)
    const answers = await Promise.all(
      [
        ...PATHS.filter((path) => path !== 'api/events'),
        'api/changes?with=service&read=list',
        'api/changes?with=service&read=all',
        'api/changes?with=staging&read=all',
      ].map((path) => ask(url + path)),
    )
    return answers.map(({ headers, body }) => JSON.stringify(headers) + body).join('\n')
  }

  test('are in no answer, even if the service rejects and echoes them', async () => {
    const env = { PROMPTS_API_KEY: live, PROMPTS_TEST_API_KEY: staging }
    const said = await askEverything(await testProject(liveLock({}), { env }))
    expect(said).toContain('KEY_REFUSED')
    expect(said).not.toContain(live)
    expect(said).not.toContain(staging)
  })

  test('are in no answer, even if a prompt of the lock contains one', async () => {
    const env = { PROMPTS_API_KEY: live, PROMPTS_TEST_API_KEY: staging }
    const lock = liveLock({ system: `Use ${live}, ${staging}.`, folder: live })
    const said = await askEverything(await testProject(lock, { env }))
    expect(said).toContain('Use [key], [key].')
    expect(said).not.toContain(live)
    expect(said).not.toContain(staging)
  })
})
