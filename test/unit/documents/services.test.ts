import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describePart, type PinnedPrompt } from '../../../src/core/prompt.ts'
import type { PullDraft } from '../../../src/features/pull/draft.ts'
import { startLocalServer } from '../../helpers/local-server.ts'
import { openTestProject } from '../../helpers/project.ts'

const KEY = 'Canary0123456789'

type Query = Readonly<Record<string, string>>

/** A request that is validated: its answer, or why it is refused. */
type Answer = { readonly body: unknown } | { readonly status: number }

interface Vendor {
  /** In `src/docs/services`. */
  readonly file: string
  readonly env: (url: string) => Readonly<Record<string, string>>
  /** The headers that every request needs. */
  readonly headers: Readonly<Record<string, string>>
  /** Answers what the public description of the vendor has, and nothing else. */
  readonly answer: (path: string, query: Query) => Answer
}

interface Pulled {
  readonly parts: ReadonlyMap<string, PinnedPrompt>
  readonly refused: Readonly<Record<string, string>>
  readonly requests: readonly string[]
}

const FOLDER = join(import.meta.dirname, '../../../src/docs/services')

/** Pulls with the functions of a service, which are copied as they are. */
async function pull({ file, env, headers, answer }: Vendor): Promise<Pulled> {
  const requests: string[] = []
  const url = await startLocalServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    requests.push(`${request.method} ${request.url}`)
    const isAllowed = Object.entries(headers).every(
      ([name, value]) => request.headers[name] === value,
    )
    const reply: Answer =
      request.method === 'GET' && isAllowed
        ? answer(decodeURI(pathname), Object.fromEntries(searchParams))
        : { status: 401 }
    const [status, body] = 'body' in reply ? [200, reply.body] : [reply.status, {}]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const code = await readFile(join(FOLDER, file), 'utf8')
  // The package is not installed in the folder of a test, and PromptLayer has one address.
  const config = code
    .replace(/^import .*$/m, 'const defineConfig = (options) => options')
    .replace('https://api.promptlayer.com', url)
  const { project } = await openTestProject({
    files: { 'prompts.config.mts': config },
    processEnv: env(url),
  })
  const { lock, kept }: PullDraft = await project.prepare()
  return {
    parts: new Map(lock.parts.map((part) => [describePart(part), part])),
    refused: Object.fromEntries(kept.map(({ slug, refused }) => [slug, refused ?? ''])),
    requests,
  }
}

/** A page of a list by number: `undefined` for a query with other names. */
function hasOnly(query: Query, names: readonly string[]): boolean {
  return Object.keys(query).every((name) => names.includes(name))
}

interface PostHogRow {
  readonly name: string
  readonly version: number
  readonly labels: readonly string[]
  readonly prompt: unknown
  readonly config?: unknown
}

/**
 * The list by label, as the SDK of PostHog reads it:
 * https://github.com/PostHog/posthog-js/blob/main/packages/ai/src/prompts.ts
 */
function postHog(rows: readonly PostHogRow[]): Vendor {
  return {
    file: 'posthog.mts',
    env: (url) => ({
      POSTHOG_PERSONAL_API_KEY: KEY,
      POSTHOG_PROJECT_ID: '7',
      POSTHOG_HOST: url,
    }),
    headers: { authorization: `Bearer ${KEY}` },
    answer(path, query) {
      if (path !== '/api/environments/7/llm_prompts/') return { status: 404 }
      if (!hasOnly(query, ['label', 'content', 'limit', 'offset'])) return { status: 400 }
      const { label = '', content, limit, offset } = query
      if (content !== 'full') return { status: 400 }
      const all = rows.filter(({ labels }) => labels.includes(label))
      const end = Number(offset) + Number(limit)
      const next = end < all.length ? `http://localhost${path}?offset=${end}` : null
      return { body: { count: all.length, next, results: all.slice(Number(offset), end) } }
    },
  }
}

describe('the page of PostHog', () => {
  test('the page of PostHog reads the labels production and staging, and refuses what it fills in another way', async () => {
    const row = { version: 1, labels: ['production'], prompt: 'Hi {{name}}' }
    const { parts, refused } = await pull(
      postHog([
        { ...row, name: 'plain', config: { model: 'gpt-5', temperature: 0.2 } },
        { ...row, name: 'both', version: 3, labels: ['production', 'staging'] },
        { ...row, name: 'staged' },
        { ...row, name: 'staged', version: 2, labels: ['staging'], prompt: 'Hello' },
        { ...row, name: 'odd-config', config: { model: 1, temperature: '0.7' } },
        { ...row, name: 'spaces', prompt: 'Hi {{ name }}' },
        { ...row, name: 'number', prompt: 'Hi {{1}}' },
        { ...row, name: 'json', prompt: { a: 1 } },
      ]),
    )
    expect(Object.fromEntries(parts)).toMatchObject({
      plain: { version: 'v1', model: 'gpt-5', temperature: 0.2, user: 'Hi {{name}}' },
      both: { version: 'v3' },
      staged: { version: 'v1' },
      'staged (staging)': { version: 'v2', user: 'Hello' },
      'odd-config': { model: '', temperature: null },
    })
    expect(parts.size).toBe(5)
    expect(refused).toEqual({
      spaces: 'has {{ name }}, which PostHog reads in another way',
      number: 'has {{1}}, which PostHog reads in another way',
      json: 'is no text',
    })
  })

  test('the page of PostHog takes 6 requests for 142 prompts', async () => {
    const rows = Array.from({ length: 142 }, (_, index) => ({
      name: `prompt-${index}`,
      version: 1,
      labels: ['production'],
      prompt: 'Hi',
    }))
    const { parts, requests } = await pull(postHog(rows))
    expect(parts.size).toBe(142)
    expect(requests).toHaveLength(6)
  })
})

/**
 * List and get of templates:
 * https://docs.promptlayer.com/reference/list-prompt-templates
 */
function promptLayer(
  templates: readonly {
    readonly name: string
    readonly version: number
    readonly label: string
    readonly template: object
    readonly parameters?: object
  }[],
): Vendor {
  return {
    file: 'promptlayer.mts',
    env: () => ({ PROMPTLAYER_API_KEY: KEY }),
    headers: { 'x-api-key': KEY },
    answer(path, query) {
      if (path === '/prompt-templates') {
        if (!hasOnly(query, ['label', 'is_snippet', 'per_page', 'page'])) return { status: 400 }
        const all = templates.filter(({ label }) => label === query['label'])
        // Smaller pages than it was asked for.
        const page = Number(query['page'])
        const items = all
          .slice(2 * (page - 1), 2 * page)
          .map(({ name, version }) => ({ prompt_name: name, version }))
        return { body: { items, page, has_next: 2 * page < all.length } }
      }
      const [, name] = /^\/prompt-templates\/([^/]+)$/.exec(path) ?? []
      if (!hasOnly(query, ['version'])) return { status: 400 }
      const found = templates.find(
        (one) => one.name === name && one.version === Number(query['version']),
      )
      if (found === undefined) return { status: 404 }
      const metadata = {
        model: { provider: 'openai', name: 'gpt-5', parameters: found.parameters },
      }
      return { body: { prompt_template: found.template, version: found.version, metadata } }
    },
  }
}

describe('the page of PromptLayer', () => {
  test('the page of PromptLayer converts f-strings and Jinja, and refuses tools and other messages', async () => {
    const content = (text: string, format?: string) => ({
      content: [{ type: 'text', text }],
      template_format: format,
    })
    const system = { role: 'system', ...content('Be {tone}.') }
    const user = { role: 'user', ...content('{{"a": {x}}}') }
    const live = { version: 2, label: 'prod' }
    const chat = { type: 'chat', messages: [system, user] }
    const image = { role: 'user', content: [{ type: 'image_url', image_url: {} }] }
    const { parts, refused } = await pull(
      promptLayer([
        { ...live, name: 'chat', template: chat, parameters: { temperature: 0.2 } },
        {
          ...live,
          name: 'jinja',
          template: { type: 'completion', ...content('Hi {{name}}', 'jinja2') },
          parameters: { temperature: 'warm' },
        },
        { ...live, name: 'chat', version: 3, label: 'staging', template: chat },
        { ...live, name: 'tools', template: { ...chat, tools: [{}] } },
        { ...live, name: 'turns', template: { ...chat, messages: [user, system] } },
        { ...live, name: 'image', template: { ...chat, messages: [image] } },
        { ...live, name: 'logic', template: content('{% if x %}', 'jinja2') },
      ]),
    )
    expect(Object.fromEntries(parts)).toMatchObject({
      chat: {
        version: 'v2',
        model: 'gpt-5',
        temperature: 0.2,
        system: 'Be {{ tone }}.',
        user: '{"a": {{ x }}}',
      },
      'chat (staging)': { version: 'v3' },
      jinja: { user: 'Hi {{ name }}', temperature: null },
    })
    expect(refused).toMatchObject({
      tools: 'has tools',
      turns: 'has user,system',
      image: 'is no text',
      logic: expect.stringContaining('user: line 1 has {% if x %}'),
    })
  })
})

/**
 * Names, tags and versions of prompts:
 * https://github.com/Arize-ai/phoenix/blob/9744e3eb26781033d0312095804c66b303ead885/schemas/openapi.json
 */
function phoenix(
  versions: readonly {
    readonly id: string
    readonly name: string
    readonly tag: string
    readonly template: object
    readonly format?: string
    readonly tools?: object
  }[],
): Vendor {
  return {
    file: 'phoenix.mts',
    env: (url) => ({ PHOENIX_API_KEY: KEY, PHOENIX_COLLECTOR_ENDPOINT: url }),
    headers: { authorization: `Bearer ${KEY}` },
    answer(path, query) {
      const names = [...new Set(versions.map(({ name }) => name))]
      if (path === '/v1/prompts') {
        if (!hasOnly(query, ['limit', 'cursor'])) return { status: 422 }
        const start = Number(query['cursor'] ?? 0)
        const data = names.slice(start, start + 2).map((name) => ({ id: name, name }))
        return { body: { data, next_cursor: start + 2 < names.length ? String(start + 2) : null } }
      }
      const [, name, tag] = /^\/v1\/prompts\/([^/]+)\/tags\/([^/]+)$/.exec(path) ?? []
      const [, id] = /^\/v1\/prompt_versions\/([^/]+)$/.exec(path) ?? []
      const found = versions.find((one) => one.id === id || (one.name === name && one.tag === tag))
      if (found === undefined) return { status: 404 }
      const data = {
        id: found.id,
        model_provider: 'OPENAI',
        model_name: 'gpt-5',
        template: found.template,
        template_type: 'messages' in found.template ? 'CHAT' : 'STR',
        template_format: found.format ?? 'MUSTACHE',
        invocation_parameters: { type: 'openai', openai: { temperature: 0.2 } },
        ...(found.tools && { tools: found.tools }),
      }
      return { body: { data } }
    },
  }
}

describe('the page of Phoenix', () => {
  test('the page of Phoenix reads the tags production and staging in each of its syntaxes', async () => {
    const chat = (...messages: readonly (readonly [role: string, content: unknown])[]) => ({
      type: 'chat',
      messages: messages.map(([role, content]) => ({ role, content })),
    })
    const live = { tag: 'production' }
    const parts = [
      { type: 'text', text: '{{ ' },
      { type: 'text', text: 'ticket }}' },
    ]
    const { parts: pinned, refused } = await pull(
      phoenix([
        {
          ...live,
          id: 'UHJv1',
          name: 'chat',
          template: chat(['developer', 'Hi'], ['user', parts]),
        },
        { tag: 'staging', id: 'UHJv2', name: 'chat', template: chat(['system', 'Hello']) },
        {
          ...live,
          id: 'UHJv3',
          name: 'format',
          format: 'F_STRING',
          template: { type: 'string', template: '{{x}} {x}' },
        },
        { ...live, id: 'UHJv4', name: 'none', format: 'NONE', template: chat(['user', '{x}']) },
        { ...live, id: 'UHJv5', name: 'braces', format: 'NONE', template: chat(['user', '{{x}}']) },
        {
          ...live,
          id: 'UHJv6',
          name: 'tools',
          tools: { tools: [{}] },
          template: chat(['user', 'a']),
        },
        { ...live, id: 'UHJv7', name: 'turns', template: chat(['user', 'a'], ['ai', 'b']) },
        { ...live, id: 'UHJv8', name: 'call', template: chat(['user', [{ type: 'tool_call' }]]) },
        { tag: 'other', id: 'UHJv9', name: 'draft', template: chat(['user', 'a']) },
      ]),
    )
    expect(Object.fromEntries(pinned)).toMatchObject({
      chat: {
        version: 'UHJv1',
        model: 'gpt-5',
        temperature: 0.2,
        system: 'Hi',
        user: '{{ ticket }}',
      },
      'chat (staging)': { version: 'UHJv2', system: 'Hello', user: '' },
      format: { user: '{x} {{ x }}' },
      none: { user: '{x}' },
    })
    expect(pinned.size).toBe(4)
    expect(refused).toEqual({
      braces: 'has {{ as text',
      tools: 'has tools or a response format',
      turns: 'has user,ai',
      call: 'has more than text',
    })
  })
})
