import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { answer, json, startFaultServer } from '../../helpers/fault-server.ts'
import { KEY, connect, listed, rejection, served, toPinned } from '../../helpers/service-client.ts'

describe('requests', () => {
  test('the list is read with the key, for JSON, unencoded', async () => {
    const server = await startFaultServer(json(listed))
    expect(await connect(server.url).list()).toEqual(listed)
    expect(server.requests).toEqual([
      {
        method: 'GET',
        target: '/api/v1/prompts',
        headers: {
          host: `127.0.0.1:${server.port}`,
          connection: 'keep-alive',
          authorization: `Bearer ${KEY}`,
          accept: 'application/json',
          'accept-encoding': 'identity',
          'user-agent': 'unplugin-prompts',
        },
      },
    ])
  })

  test.each([
    ['/', '/api/v1/prompts'],
    ['/prefix', '/prefix/api/v1/prompts'],
    ['/deep/prefix//', '/deep/prefix/api/v1/prompts'],
  ])('a base address with the path %s asks for %s', async (path, target) => {
    const server = await startFaultServer(json(listed))
    await connect(server.url + path).list()
    expect(server.requests[0]?.target).toBe(target)
  })

  test.each([
    ['a/b', 'a%2Fb'],
    ['%2e', '%252e'],
    ['%2e%2e', '%252e%252e'],
    ['../list', '..%2Flist'],
    ['...', '...'],
    ['what? now#here', 'what%3F%20now%23here'],
    ['nul\0', 'nul%00'],
    ['\\..\\', '%5C..%5C'],
    ['😀', '%F0%9F%98%80'],
    ['__proto__', '__proto__'],
    ['', ''],
    ['é'.repeat(1000), '%C3%A9'.repeat(1000)],
  ])('the slug %j is sent as one path segment', async (slug, segment) => {
    const server = await startFaultServer(json({ ...served, slug }))
    expect(await connect(server.url).get(slug)).toEqual({ ...toPinned(served), slug })
    expect(server.requests[0]?.target).toBe(`/api/v1/prompts/${segment}`)
  })

  test.each([
    ['.', 'SLUG_UNSAFE', { slugs: ['.'] }],
    ['..', 'SLUG_UNSAFE', { slugs: ['..'] }],
    ['cut \ud83d emoji', 'TEXT_UNPAIRED_SURROGATE', { problems: [expect.stringContaining('cut')] }],
  ])('the slug %j is refused with %s and nothing is sent', async (slug, code, details) => {
    const server = await startFaultServer(json(served))
    expect(await rejection(connect(server.url).get(slug))).toMatchObject({ code, details })
    expect(server.requests).toEqual([])
  })

  test('a base address that may not be used is refused, with what is wrong', () => {
    const details = { problem: expect.stringContaining('http: to prompts.example') }
    const error = expect.objectContaining({ code: 'BASE_URL_INVALID', details })
    expect(() => connect('http://prompts.example')).toThrow(error)
  })

  test('a prompt that the service does not know is undefined', async () => {
    const server = await startFaultServer(answer(404, '{"error":"no such prompt"}'))
    expect(await connect(server.url).get('gone')).toBeUndefined()
    expect(server.requests).toHaveLength(1)
  })
})

test.each([
  ['past_due', 1],
  ['active', 0],
  [undefined, 0],
])('the plan status %j of the header warns %i time(s) beside “active”', async (header, count) => {
  const warnings: string[] = []
  const headers = header === undefined ? {} : { 'x-service-plan-status': header }
  const server = await startFaultServer(json(listed, headers))
  const service = connect(server.url, { onWarning: (message) => warnings.push(message) })
  for (const { planStatus } of [await service.list(), await service.list()])
    expect(planStatus).toBe('active')
  const warning =
    'The service reports different plan statuses: “past_due” in the header x-service-plan-status, “active” in the body. The body is used.'
  expect(warnings).toEqual(Array(count).fill(warning))
})

test('reads share as many connections as `concurrency` allows, in order', async () => {
  let [active, most, connections] = [0, 0, 0]
  const server = createServer((request, response) => {
    most = Math.max(most, ++active)
    const slug = decodeURIComponent(request.url?.split('/').at(-1) ?? '')
    setTimeout(() => {
      active--
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ...served, slug }))
    }, 5)
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const service = connect(`http://127.0.0.1:${port}`, { concurrency: 3 })
  const slugs = Array.from({ length: 60 }, (_, index) => `prompt-${index}`)
  const prompts = await Promise.all(slugs.map((slug) => service.get(slug)))
  expect(prompts.map((prompt) => prompt?.slug)).toEqual(slugs)
  expect({ most, connections }).toEqual({ most: 3, connections: 3 })
})

test('64 reads at once cause no warning of the process', async () => {
  const warnings: Error[] = []
  const note = (warning: Error): number => warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const service = connect((await startFaultServer(json(served))).url, { concurrency: 64 })
  await Promise.all(Array.from({ length: 64 }, () => service.get('support-triage')))
  await new Promise(setImmediate)
  expect(warnings).toEqual([])
})
