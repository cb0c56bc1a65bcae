import { expect, onTestFinished, test, vi } from 'vitest'
import { describePart, type PinnedPrompt } from '../../../src/core/prompt.ts'
import type { Plan } from '../../../src/plan/plan.ts'
import type { PullReport } from '../../../src/plan/pull.ts'
import { langfuse, type LangfuseOptions } from '../../../src/langfuse.ts'
import { LANGFUSE_KEYS, startLangfuse } from '../../helpers/langfuse-server.ts'
import { openTestProject } from '../../helpers/project.ts'
import { rejection } from '../../helpers/service-client.ts'

interface Given {
  readonly options?: LangfuseOptions
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly slash?: string
}

async function drafted(
  versions: Parameters<typeof startLangfuse>[0],
  { options = {}, env = {}, slash = '' }: Given = {},
): Promise<{
  plan: Plan
  report: PullReport
  parts: Map<string, PinnedPrompt>
  warnings: readonly string[]
}> {
  const address = { LANGFUSE_BASE_URL: (await startLangfuse(versions)) + slash }
  // Node would not load TypeScript: the configuration gets the service from here.
  vi.stubGlobal('service', langfuse(options))
  onTestFinished(() => void vi.unstubAllGlobals())
  const { project, warnings } = await openTestProject({
    files: { 'prompts.config.mjs': 'export default { service: globalThis.service }' },
    processEnv: { ...LANGFUSE_KEYS, ...address, ...env },
  })
  const { plan, report } = await project.prepare()
  const parts = new Map(plan.after.parts.map((part) => [describePart(part), part]))
  return { plan, report, parts, warnings }
}

const SYSTEM = { type: 'chatmessage', role: 'system', content: 'Be {{ tone }}.' }
const USER = { type: 'chatmessage', role: 'user', content: '{{ticket}}' }
const HISTORY = { type: 'placeholder', name: 'history' }

test('langfuse() reads text and chat prompts in folders, with their references resolved', async () => {
  const { parts, warnings } = await drafted([
    { name: 'plain', version: 3, prompt: '@@@langfusePrompt:name=a|version=1@@@ {{name}}' },
    {
      name: 'support/triage',
      version: 12,
      prompt: [SYSTEM, USER],
      config: { model: 'gpt-5', temperature: 0.2 },
    },
    { name: 'only-system', prompt: [SYSTEM], config: null },
    { name: 'a b/100%/Q?#&=+ä', prompt: '{{{ html }}} $& "quoted"' },
  ])
  expect(Object.fromEntries(parts)).toMatchObject({
    plain: {
      version: 'v3',
      folder: '',
      model: '',
      temperature: null,
      system: 'Be kind. {{ name }}',
      user: '',
    },
    'support/triage': {
      version: 'v12',
      folder: 'support',
      model: 'gpt-5',
      temperature: 0.2,
      system: SYSTEM.content,
      user: '{{ ticket }}',
    },
    'only-system': { system: SYSTEM.content, user: '' },
    'a b/100%/Q?#&=+ä': { folder: 'a b/100%', system: '{{ html }} $& "quoted"' },
  })
  expect(warnings).toEqual([])
})

test('langfuse() reads the labels production and staging, or others, and counts prompts with neither', async () => {
  const versions = [
    { name: 'both', version: 2, labels: ['production', 'staging'] },
    { name: 'staged', version: 4, labels: ['staging', 'latest'] },
    { name: 'staged', version: 3 },
    { name: 'only-staged', labels: ['staging'] },
    { name: 'draft', labels: ['latest'] },
  ]
  const { report, parts, warnings } = await drafted(versions)
  const labels = [...parts].map(([name, { version }]) => `${name} ${version}`)
  expect(labels).toEqual([
    'both v2',
    'only-staged (staging) v1',
    'staged v3',
    'staged (staging) v4',
  ])
  // The version with both labels once.
  expect(report.reads).toBe(4)
  expect(warnings).toEqual(['Langfuse: left out, without the labels production and staging: 1'])
  const other = await drafted(versions, { options: { live: 'latest', staging: 'none' } })
  expect([...other.parts.keys()]).toEqual(['draft', 'staged'])
})

test('langfuse() takes a text prompt for what the option says, by its name too', async () => {
  const versions = [
    { name: 'a', prompt: 'Be {{tone}}.' },
    { name: 'rag/a', prompt: 'Be {{tone}}.' },
    { name: 'rag/b', prompt: [SYSTEM] },
  ]
  const rolesFor = async (role: LangfuseOptions['role']) => {
    const { parts } = await drafted(versions, { options: { role } as LangfuseOptions })
    return [...parts.values()].map(({ system }) => (system === '' ? 'user' : 'system')).join(' ')
  }
  expect(await rolesFor(undefined)).toBe('system system system')
  expect(await rolesFor('user')).toBe('user user system')
  const byName = (name: string) => (name.startsWith('rag/') ? 'user' : 'system')
  expect(await rolesFor(byName)).toBe('system user system')
})

test('langfuse() reads every page of the list', async () => {
  const names = Array.from({ length: 201 }, (_, index) => ({ name: `prompt-${index}` }))
  expect((await drafted(names)).parts.size).toBe(201)
})

test.each([
  ['is deleted', (names: string[]) => names.toSpliced(0, 1)],
  ['is added', (names: string[]) => ['a', ...names]],
])('langfuse() misses no prompt if one %s between two pages', async (_, change) => {
  const names = Array.from({ length: 150 }, (_name, index) => `prompt-${1000 + index}`)
  let requests = 0
  // A list takes four requests, and all texts are read before the last one begins.
  const isLate = () => ++requests > 4 + names.length + 1
  const versions = () => (isLate() ? change(names) : names).map((name) => ({ name }))
  const { parts } = await drafted(versions)
  expect([...parts.keys()]).toEqual(change(names).toSorted())
})

test('langfuse() does not take the pages of a list that changes again and again', async () => {
  let requests = 0
  const versions = () =>
    Array.from({ length: 150 + requests++ }, (_, name) => ({ name: `${name}` }))
  const error = await rejection(drafted(versions))
  expect(error.why).toContain('the list changes while it is read')
})

test('langfuse() leaves out a prompt that is deleted after it was listed', async () => {
  let requests = 0
  // The first three are those of a list.
  const versions = () => (requests++ < 3 ? [{ name: 'a' }, { name: 'gone' }] : [{ name: 'a' }])
  expect([...(await drafted(versions)).parts.keys()]).toEqual(['a'])
})

/** What is said of each part beside its change, by the name of its prompt. */
function warningsOf({ remarks = new Map() }: Plan): Readonly<Record<string, readonly string[]>> {
  const said = [...remarks].filter(([, { warnings }]) => warnings.length > 0)
  return Object.fromEntries(said.map(([key, { warnings }]) => [key.replace('live ', ''), warnings]))
}

test('langfuse() names what config has besides model and temperature, and stops for none of it', async () => {
  const { plan, parts } = await drafted([
    { name: 'a', config: { model: 'gpt-5', max_tokens: 300, tools: [] } },
    { name: 'b', config: { model: { id: 1 }, temperature: '0.7', max_tokens: 5 } },
    { name: 'c', config: { model: null, temperature: null, stop: null } },
    { name: 'd', config: 'odd' },
    { name: 'refused', prompt: [], config: { other: 1 } },
  ])
  const names = { a: ['max_tokens', 'tools'], b: ['model', 'temperature', 'max_tokens'] }
  const want = Object.entries(names).map(([slug, of]) => {
    return [slug, of.map((name) => `${name} in config is not pinned`)]
  })
  expect(warningsOf(plan)).toEqual(Object.fromEntries(want))
  expect(parts.get('a')).toMatchObject({ model: 'gpt-5', temperature: null })
  for (const name of ['b', 'c', 'd'])
    expect(parts.get(name)).toMatchObject({ model: '', temperature: null })
})

test('langfuse() reads developer and System as system, and leaves out a history around the texts', async () => {
  const { plan, parts } = await drafted([
    { name: 'developer', prompt: [{ ...SYSTEM, role: 'developer' }, USER] },
    { name: 'upper', prompt: [{ ...SYSTEM, role: 'System' }] },
    { name: 'agent', prompt: [SYSTEM, HISTORY] },
    { name: 'around', prompt: [HISTORY, SYSTEM, USER, HISTORY] },
  ])
  for (const name of ['developer', 'upper', 'agent', 'around'])
    expect(parts.get(name)).toMatchObject({ system: SYSTEM.content })
  const said = ['placeholders before and after the texts are left out']
  expect(warningsOf(plan)).toEqual({ agent: said, around: said })
})

const REFUSED: readonly (readonly [name: string, prompt: unknown, reason: string])[] = [
  ['three', [SYSTEM, USER, SYSTEM], 'has the messages system, user, system'],
  ['turned', [USER, SYSTEM], 'has the messages user, system'],
  ['history', [SYSTEM, HISTORY, USER], 'has the messages system, placeholder history, user'],
  ['assistant', [{ role: 'assistant', content: 'Yes' }], 'has the messages assistant'],
  ['only-history', [HISTORY], 'has no text'],
  ['nothing', [], 'has no text'],
  ['image', [SYSTEM, { role: 'user', content: [{}] }], 'has a message that is no text'],
  ['object', {}, 'has a message that is no text'],
  ['section', '{{#items}}x{{/items}}', 'system: line 1 has {{#items}}'],
  ['partial', [SYSTEM, { ...USER, content: 'a\n{{> footer}}' }], 'user: line 2 has {{> footer}}'],
  ['spaces', [{ ...SYSTEM, content: '{{user name}}' }], 'system: line 1 has {{user name}}'],
  ['.', 'Hi', "can't be part of a URL"],
  ['..', 'Hi', "can't be part of a URL"],
]

test('langfuse() refuses by name what does not fit, and reads everything else', async () => {
  const odd = REFUSED.map(([name, prompt]) => ({ name, prompt }))
  const { report, parts } = await drafted([...odd, { name: 'sound' }])
  expect([...parts.keys()]).toEqual(['sound'])
  expect(Object.fromEntries(report.kept.map(({ slug, refused }) => [slug, refused]))).toEqual(
    Object.fromEntries(REFUSED.map(([name, , why]) => [name, expect.stringContaining(why)])),
  )
  expect(new Set(report.kept.map(({ reason }) => reason))).toEqual(new Set(['refused']))
})

test('langfuse() reads the address of LANGFUSE_BASE_URL, else LANGFUSE_HOST, with a slash or without', async () => {
  expect((await drafted([{ name: 'a' }], { slash: '//' })).parts.size).toBe(1)
  const LANGFUSE_HOST = await startLangfuse([{ name: 'a' }, { name: 'b' }])
  const { parts } = await drafted([], { env: { LANGFUSE_BASE_URL: undefined, LANGFUSE_HOST } })
  expect(parts.size).toBe(2)
})

test("langfuse() sends http: to a server of one's own, and never to Langfuse's", async () => {
  const allowed = async (env: Readonly<Record<string, string>>) => {
    const requests: unknown[] = []
    const fetchJson = async (url: string, request: object) => {
      requests.push([url, Object(request).allowHttp])
      throw new Error('enough')
    }
    const context = { env: { ...LANGFUSE_KEYS, ...env }, fetchJson }
    await langfuse()
      .list(Object(context))
      .catch(() => undefined)
    return requests[0]
  }
  const path = '/api/public/v2/prompts?label=production&limit=100&page=1'
  expect(await allowed({ LANGFUSE_HOST: 'http://my.langfuse.company:3000' })).toEqual([
    `http://my.langfuse.company:3000${path}`,
    true,
  ])
  for (const [env, base] of [
    [{}, 'https://cloud.langfuse.com'],
    [{ LANGFUSE_BASE_URL: 'http://US.cloud.langfuse.com:80' }, 'http://US.cloud.langfuse.com:80'],
    [{ LANGFUSE_BASE_URL: 'http://langfuse.com' }, 'http://langfuse.com'],
  ] as const)
    expect(await allowed(env)).toEqual([base + path, false])
})

test('langfuse() says which key was refused or is missing, and shows none', async () => {
  const wrong = { LANGFUSE_SECRET_KEY: 'sk-lf-wrong-0123456789' }
  const refused = await rejection(drafted([], { env: wrong }))
  expect(refused.why).toContain('[KEY_REFUSED]')
  expect(refused.why).toContain('LANGFUSE_SECRET_KEY (401, “Invalid credentials.')
  expect(refused.message).not.toContain('sk-lf')
  for (const [name, value] of Object.entries({
    LANGFUSE_PUBLIC_KEY: "'pk-lf-0123'",
    LANGFUSE_BASE_URL: '"https://cloud.langfuse.com"',
  })) {
    const quoted = await rejection(drafted([], { env: { [name]: value } }))
    expect(quoted.why).toContain(`${name} has quotes around it`)
  }
  const missing = await rejection(drafted([], { env: { LANGFUSE_PUBLIC_KEY: undefined } }))
  expect(missing.why).toContain('LANGFUSE_PUBLIC_KEY is not set')
})
