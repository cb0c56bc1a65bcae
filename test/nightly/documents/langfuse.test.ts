import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { describePart, type PinnedPrompt } from '../../../src/core/prompt.ts'
import { codeBlocks } from '../../helpers/document-code.ts'
import { startLocalServer } from '../../helpers/local-server.ts'
import { openTestProject, type TestProject } from '../../helpers/project.ts'
import { pull } from '../../helpers/pull.ts'
import { rejection } from '../../helpers/service-client.ts'

const PAGE = 'src/docs/services/langfuse.md'
const KEYS = { LANGFUSE_PUBLIC_KEY: 'pk-lf-0123', LANGFUSE_SECRET_KEY: 'sk-lf-Canary0123456789' }

/** One version of a prompt, with the fields of Langfuse's API reference. */
interface Version {
  readonly name: string
  readonly version?: number
  readonly labels?: readonly string[]
  readonly prompt?: unknown
  readonly config?: unknown
}

/** Answers as `fern/apis/server/definition/prompts.yml` of Langfuse 4.16.0 says. */
async function startLangfuse(versions: readonly Version[]): Promise<string> {
  const all = versions.map((given) => ({
    version: 1,
    labels: ['production'],
    tags: [],
    config: {},
    prompt: 'Hi',
    ...given,
    type: typeof given.prompt === 'object' ? 'chat' : 'text',
  }))
  const basic = btoa(`${KEYS.LANGFUSE_PUBLIC_KEY}:${KEYS.LANGFUSE_SECRET_KEY}`)
  return startLocalServer(({ url = '', headers }, response) => {
    const { pathname, searchParams: query } = new URL(url, 'http://localhost')
    const [, path, encoded] = /^(\/api\/public\/v2\/prompts)(?:\/([^/]+))?$/.exec(pathname) ?? []
    const reply = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (headers.authorization !== `Basic ${basic}`) return reply(401, { message: 'No.' })
    if (path === undefined) return reply(404, { message: 'No such path.' })
    if (encoded !== undefined) {
      const isAsked = ({ name, version }: (typeof all)[number]): boolean =>
        name === decodeURIComponent(encoded) && version === Number(query.get('version'))
      const prompt = all.find(isAsked)
      const resolved = JSON.stringify(prompt).replaceAll(/@@@langfusePrompt:[^@]*@@@/g, 'Be kind.')
      return prompt === undefined ? reply(404, {}) : reply(200, JSON.parse(resolved))
    }
    const [limit, page] = [Number(query.get('limit') ?? 10), Number(query.get('page') ?? 1)]
    if (!(limit >= 1 && limit <= 100)) return reply(400, { message: 'Invalid limit.' })
    const label = query.get('label')
    const rows = all.filter(({ labels }) => label === null || labels.includes(label))
    const names = [...new Set(rows.map(({ name }) => name))].toSorted()
    const data = names.slice(limit * (page - 1), limit * page).map((name) => {
      const own = rows.filter((row) => row.name === name)
      const numbers = own.map(({ version }) => version)
      return { name, versions: numbers, labels: own.flatMap((row) => row.labels) }
    })
    const totalPages = Math.ceil(names.length / limit)
    return reply(200, { data, meta: { page, limit, totalItems: names.length, totalPages } })
  })
}

/** A project with the page's configuration, which is copied as it is. */
async function copied(versions: readonly Version[], keys = KEYS): Promise<TestProject> {
  const [code = ''] = await codeBlocks(PAGE)
  const processEnv = { ...keys, LANGFUSE_BASE_URL: await startLangfuse(versions) }
  // The package is not installed in the folder of a test.
  const config = code.replace(/^import .*$/m, 'const defineConfig = (options) => options')
  expect(config).not.toMatch(/\bimport\b/)
  return openTestProject({ files: { 'prompts.config.ts': config }, processEnv })
}

async function pulled(...versions: readonly Version[]): Promise<Map<string, PinnedPrompt>> {
  const { project } = await copied(versions)
  const { lock } = await pull(project)
  return new Map(lock.parts.map((part) => [describePart(part), part]))
}

const SYSTEM = { type: 'chatmessage', role: 'system', content: 'Be {{ tone }}.' }
const USER = { type: 'chatmessage', role: 'user', content: '{{ ticket }}' }

describe('the configuration of the page', () => {
  test('the configuration reads text and chat prompts in folders, with their references resolved', async () => {
    const config = { model: 'gpt-5', temperature: 0.2, other: true }
    const parts = await pulled(
      { name: 'plain', version: 3, prompt: '@@@langfusePrompt:name=a|version=1@@@ {{ name }}' },
      { name: 'support/triage', version: 12, prompt: [SYSTEM, USER], config },
      { name: 'only-system', prompt: [SYSTEM], config: null },
    )
    expect(Object.fromEntries(parts)).toMatchObject({
      plain: {
        version: 'v3',
        folder: '',
        model: '',
        temperature: null,
        user: 'Be kind. {{ name }}',
      },
      'support/triage': {
        version: 'v12',
        folder: 'support',
        model: 'gpt-5',
        temperature: 0.2,
        system: SYSTEM.content,
        user: USER.content,
      },
      'only-system': { system: SYSTEM.content, user: '' },
    })
  })

  test('the configuration reads the labels production and staging, and counts prompts with neither', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    onTestFinished(() => warn.mockRestore())
    const parts = await pulled(
      { name: 'both', version: 2, labels: ['production', 'staging'] },
      { name: 'staged', version: 4, labels: ['staging', 'latest'] },
      { name: 'staged', version: 3 },
      { name: 'only-staged', labels: ['staging'] },
      { name: 'draft', labels: ['latest'] },
    )
    expect([...parts].map(([name, { version }]) => `${name} ${version}`)).toEqual([
      'both v2',
      'only-staged (staging) v1',
      'staged v3',
      'staged (staging) v4',
    ])
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('with neither label: 1'))
  })

  test('the configuration reads every page of the list', async () => {
    const names = Array.from({ length: 201 }, (_, index) => ({ name: `prompt-${index}` }))
    expect((await pulled(...names)).size).toBe(201)
  })

  test('the configuration refuses other messages and tags, and names all prompts that have them', async () => {
    const refused: readonly (readonly [prompt: unknown, reason: string])[] = [
      [[SYSTEM, USER, SYSTEM], 'has the messages system, user, system'],
      [[USER, SYSTEM], 'has the messages user, system'],
      [[{ role: 'assistant', content: 'Yes' }], 'has the messages assistant'],
      [[], 'has the messages'],
      [[SYSTEM, { type: 'placeholder', name: 'history' }], 'placeholder history'],
      ['{{#items}}x{{/items}}', 'has the token {{#items}}'],
      ['{{ ^items }}x{{/items}}', 'has the token {{ ^items }}'],
      ['{{> footer}}', 'has the token {{> footer}}'],
      ['{{! why }}', 'has the token {{! why }}'],
      [[SYSTEM, { ...USER, content: '{{{html}}}' }], 'the token {{{html}}}'],
      ['{{&html}}', 'has the token {{&html}}'],
      ['{{=<% %>=}}', 'has the token {{=<% %>=}}'],
    ]
    const odd = refused.map(([prompt], index) => ({ name: `odd-${10 + index}`, prompt }))
    const { project, root } = await copied([...odd, { name: 'sound' }])
    const error = await rejection(pull(project))
    expect(error).toMatchObject({
      code: 'SERVICE_ADAPTER_FAILED',
      details: { service: 'Langfuse' },
    })
    const problems = error.why.split('\n').filter((line) => line.includes('odd-'))
    expect(problems).toEqual(refused.map(([, reason]) => expect.stringContaining(reason)))
    expect(problems[3]).toMatch(/has the messages$/)
    expect(problems).toEqual(odd.map(({ name }) => expect.stringContaining(`get ${name}: `)))
    await expect(readFile(join(root, 'prompts.lock.json'))).rejects.toThrow('ENOENT')
  })

  test('the configuration says which key was refused, and shows none', async () => {
    const wrong = { ...KEYS, LANGFUSE_SECRET_KEY: 'sk-lf-wrong-0123456789' }
    const { project } = await copied([], wrong)
    const error = await rejection(pull(project))
    expect(error.why).toContain('[KEY_REFUSED]')
    expect(error.why).toContain('LANGFUSE_SECRET_KEY')
    expect(error.message).not.toContain('sk-lf')
  })
})
