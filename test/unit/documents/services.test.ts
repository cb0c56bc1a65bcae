import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describePart, type PinnedPrompt } from '../../../src/core/prompt.ts'
import { startLocalServer } from '../../helpers/local-server.ts'
import { openTestProject } from '../../helpers/project.ts'

const KEY = 'Canary0123456789'

interface Vendor {
  /** In `src/docs/services`. */
  readonly file: string
  readonly env: (url: string) => Readonly<Record<string, string>>
  /** The headers that every request needs. */
  readonly headers: Readonly<Record<string, string>>
}

/** The body of each answer, by the path and query of its request. Everything else is not found. */
type Answers = Readonly<Record<string, unknown>>

interface Pulled {
  readonly parts: Readonly<Record<string, PinnedPrompt>>
  readonly refused: Readonly<Record<string, string>>
  readonly requests: readonly string[]
}

const FOLDER = join(import.meta.dirname, '../../../src/docs/services')

/**
 * Pulls with the functions of a service, which are copied as they are.
 *
 * @param first - answers that are given once
 */
async function pull(
  { file, env, headers }: Vendor,
  answers: Answers,
  first: Answers = {},
): Promise<Pulled> {
  const once = new Map(Object.entries(first))
  const requests: string[] = []
  const url = await startLocalServer((request, response) => {
    requests.push(request.url ?? '')
    const body = once.get(request.url ?? '') ?? answers[request.url ?? '']
    once.delete(request.url ?? '')
    const isAllowed = Object.entries(headers).every(([name, key]) => request.headers[name] === key)
    const status = !isAllowed || request.method !== 'GET' ? 401 : body === undefined ? 404 : 200
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
  const { plan, report } = await project.prepare()
  return {
    parts: Object.fromEntries(plan.after.parts.map((part) => [describePart(part), part])),
    refused: Object.fromEntries(report.kept.map(({ slug, refused }) => [slug, refused ?? ''])),
    requests,
  }
}

/** As the SDK reads it: https://github.com/PostHog/posthog-js/blob/main/packages/ai/src/prompts.ts */
const POSTHOG: Vendor = {
  file: 'posthog.mts',
  env: (url) => ({
    POSTHOG_PERSONAL_API_KEY: KEY,
    POSTHOG_PROJECT_ID: '7',
    POSTHOG_HOST: url,
  }),
  headers: { authorization: `Bearer ${KEY}` },
}

interface PostHogPage {
  readonly offset: number
  readonly next: string | null
  /** Of all pages. */
  readonly count: number
}

/** A page of PostHog's list of a label. */
function postHogPage(
  label: string,
  results: readonly object[],
  { offset = 0, next = null, count = results.length }: Partial<PostHogPage> = {},
): Answers {
  const query = `label=${label}&content=full&limit=100&offset=${offset}`
  return {
    [`/api/environments/7/llm_prompts/?${query}`]: {
      count,
      next,
      results: results.map((row) => ({ version: 1, labels: [label], prompt: 'Hi', ...row })),
    },
  }
}

test('the page of PostHog reads the labels production and staging, and refuses what it fills in another way', async () => {
  const both = { name: 'both', version: 3, labels: ['production', 'staging'] }
  const { parts, refused } = await pull(POSTHOG, {
    ...postHogPage('production', [
      { name: 'plain', prompt: 'Hi {{name}}', config: { model: 'gpt-5', temperature: 0.2 } },
      both,
      { name: 'staged' },
      { name: 'odd-config', config: { model: 1, temperature: '0.7' } },
      { name: 'spaces', prompt: 'Hi {{ name }}' },
      { name: 'number', prompt: 'Hi {{1}}' },
      { name: 'json', prompt: { a: 1 } },
    ]),
    ...postHogPage('staging', [both, { name: 'staged', version: 2, prompt: 'Hello' }]),
  })
  expect(parts).toMatchObject({
    plain: { version: 'v1', model: 'gpt-5', temperature: 0.2, user: 'Hi {{name}}' },
    both: { version: 'v3' },
    staged: { version: 'v1' },
    'staged (staging)': { version: 'v2', user: 'Hello' },
    'odd-config': { model: '', temperature: null },
  })
  expect(Object.keys(parts)).toHaveLength(5)
  expect(refused).toEqual({
    spaces: 'has {{ name }}, which PostHog reads in another way',
    number: 'has {{1}}, which PostHog reads in another way',
    json: 'is no text',
  })
})

test('the page of PostHog takes 6 requests for 142 prompts', async () => {
  const rows = Array.from({ length: 142 }, (_, index) => ({ name: `prompt-${index}` }))
  const { parts, requests } = await pull(POSTHOG, {
    ...postHogPage('production', rows.slice(0, 100), { next: '?offset=100', count: 142 }),
    ...postHogPage('production', rows.slice(100), { offset: 100, count: 142 }),
    ...postHogPage('staging', []),
  })
  expect(Object.keys(parts)).toHaveLength(142)
  expect(requests).toHaveLength(6)
})

test.each([
  [
    'PostHog',
    () => POSTHOG,
    (rows: readonly object[], page: number, total: number) =>
      postHogPage(
        'production',
        rows,
        page === 1 ? { next: 'next', count: total } : { offset: 100, count: total },
      ),
  ],
  [
    'PromptLayer',
    () => PROMPTLAYER,
    (rows: readonly { readonly name: string }[], page: number, total: number) =>
      promptLayerPage(
        'prod',
        rows.map(({ name }) => name),
        page,
        2,
        total,
      ),
  ],
] as const)(
  'the page of %s lists again if a prompt goes between two pages',
  async (_, vendor, pageOf) => {
    const rows = Array.from({ length: 142 }, (_row, index) => ({ name: `prompt-${index}` }))
    const left = rows.slice(1)
    const later = { ...pageOf(left.slice(0, 100), 1, 141), ...pageOf(left.slice(100), 2, 141) }
    const none = vendor() === POSTHOG ? postHogPage('staging', []) : promptLayerPage('staging', [])
    const texts = Object.fromEntries(
      rows.map(({ name }) => [
        `/prompt-templates/${name}?version=2`,
        { prompt_template: { content: [] } },
      ]),
    )
    const { parts } = await pull(
      vendor(),
      { ...texts, ...later, ...none },
      pageOf(rows.slice(0, 100), 1, 142),
    )
    expect(Object.keys(parts).toSorted()).toEqual(left.map(({ name }) => name).toSorted())
  },
)

/** List and get of templates: https://docs.promptlayer.com/reference/list-prompt-templates */
const PROMPTLAYER: Vendor = {
  file: 'promptlayer.mts',
  env: () => ({ PROMPTLAYER_API_KEY: KEY }),
  headers: { 'x-api-key': KEY },
}

/** A page of PromptLayer's list of a label. */
function promptLayerPage(
  label: string,
  names: readonly string[],
  page = 1,
  pages = 1,
  total = 6,
): Answers {
  const items = names.map((name) => ({ prompt_name: name, version: label === 'prod' ? 2 : 3 }))
  const query = `label=${label}&is_snippet=false&per_page=100&page=${page}`
  return { [`/prompt-templates?${query}`]: { items, page, has_next: page < pages, total } }
}

test('the page of PromptLayer converts f-strings and Jinja, and refuses tools and other messages', async () => {
  const content = (text: string, format?: string) => ({
    content: [{ type: 'text', text }],
    template_format: format,
  })
  const system = { role: 'system', ...content('Be {tone}.') }
  const user = { role: 'user', ...content('{{"a": {x}}}') }
  const chat = { type: 'chat', messages: [system, user] }
  const image = { role: 'user', content: [{ type: 'image_url', image_url: {} }] }
  const answer = (template: object, parameters?: object) => ({
    prompt_template: template,
    metadata: { model: { provider: 'openai', name: 'gpt-5', parameters } },
  })
  const jinja = { type: 'completion', ...content('Hi {{name}}', 'jinja2') }
  const { parts, refused } = await pull(PROMPTLAYER, {
    // A page may be smaller than it was asked for.
    ...promptLayerPage('prod', ['chat', 'jinja'], 1, 2),
    ...promptLayerPage('prod', ['tools', 'turns', 'image', 'logic'], 2, 2),
    ...promptLayerPage('staging', ['chat']),
    '/prompt-templates/chat?version=2': answer(chat, { temperature: 0.2 }),
    '/prompt-templates/chat?version=3': answer(chat),
    '/prompt-templates/jinja?version=2': answer(jinja, { temperature: 'warm' }),
    '/prompt-templates/tools?version=2': answer({ ...chat, tools: [{}] }),
    '/prompt-templates/turns?version=2': answer({ ...chat, messages: [user, system] }),
    '/prompt-templates/image?version=2': answer({ ...chat, messages: [image] }),
    '/prompt-templates/logic?version=2': answer(content('{% if x %}', 'jinja2')),
  })
  const texts = { system: 'Be {{ tone }}.', user: '{"a": {{ x }}}' }
  expect(parts).toMatchObject({
    chat: { version: 'v2', model: 'gpt-5', temperature: 0.2, ...texts },
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

/**
 * Names, tags and versions of prompts:
 * https://github.com/Arize-ai/phoenix/blob/9744e3eb26781033d0312095804c66b303ead885/schemas/openapi.json
 */
const PHOENIX: Vendor = {
  file: 'phoenix.mts',
  env: (url) => ({ PHOENIX_API_KEY: KEY, PHOENIX_COLLECTOR_ENDPOINT: url }),
  headers: { authorization: `Bearer ${KEY}` },
}

/** A prompt of Phoenix, with its version for a tag. */
function phoenixPrompt(name: string, data: object, tag = 'production'): Answers {
  const [id, model] = [`id-${name}-${tag}`, { model_provider: 'OPENAI', model_name: 'gpt-5' }]
  const invocation_parameters = { type: 'openai', openai: { temperature: 0.2 } }
  const settings = { id, template_format: 'MUSTACHE', ...model, invocation_parameters }
  return {
    [`/v1/prompts/${name}/tags/${tag}`]: { data: { id } },
    [`/v1/prompt_versions/${id}`]: { data: { ...settings, ...data } },
  }
}

test('the page of Phoenix reads the tags production and staging in each of its syntaxes', async () => {
  const chat = (...messages: readonly (readonly [role: string, content: unknown])[]) => ({
    template: { type: 'chat', messages: messages.map(([role, content]) => ({ role, content })) },
  })
  const parts = ['{{ ', 'ticket }}'].map((text) => ({ type: 'text', text }))
  const string = { type: 'string', template: '{{x}} {x}' }
  const names = ['chat', 'format', 'none', 'braces', 'tools', 'turns', 'call', 'draft']
  const page = (of: readonly string[]) => of.map((name) => ({ id: name, name }))
  const { parts: pinned, refused } = await pull(PHOENIX, {
    '/v1/prompts?limit=100': { data: page(names.slice(0, 2)), next_cursor: '2' },
    '/v1/prompts?limit=100&cursor=2': { data: page(names.slice(2)), next_cursor: null },
    ...phoenixPrompt('chat', chat(['developer', 'Hi'], ['user', parts])),
    ...phoenixPrompt('chat', chat(['system', 'Hello']), 'staging'),
    ...phoenixPrompt('format', { template: string, template_format: 'F_STRING' }),
    ...phoenixPrompt('none', { ...chat(['user', '{x}']), template_format: 'NONE' }),
    ...phoenixPrompt('braces', { ...chat(['user', '{{x}}']), template_format: 'NONE' }),
    ...phoenixPrompt('tools', { ...chat(['user', 'a']), tools: { tools: [{}] } }),
    ...phoenixPrompt('turns', chat(['user', 'a'], ['ai', 'b'])),
    ...phoenixPrompt('call', chat(['user', [{ type: 'tool_call' }]])),
    ...phoenixPrompt('draft', chat(['user', 'a']), 'other'),
  })
  const live = { model: 'gpt-5', temperature: 0.2, system: 'Hi', user: '{{ ticket }}' }
  expect(pinned).toMatchObject({
    chat: { version: 'id-chat-production', ...live },
    'chat (staging)': { version: 'id-chat-staging', system: 'Hello', user: '' },
    format: { user: '{x} {{ x }}' },
    none: { user: '{x}' },
  })
  expect(Object.keys(pinned)).toHaveLength(4)
  expect(refused).toEqual({
    braces: 'has {{ as text',
    tools: 'has tools or a response format',
    turns: 'has user,ai',
    call: 'has more than text',
  })
})
