import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readWorkspace } from '../../src/service/read-workspace.ts'
import { clock } from '../../src/service/retry.ts'
import {
  answer,
  drip,
  head,
  json,
  type Play,
  stall,
  startFaultServer,
} from '../helpers/fault-server.ts'
import { startLocalServer } from '../helpers/local-server.ts'
import {
  connect,
  hastyClock,
  KEY,
  listed,
  openHosted,
  rejection,
  served,
  summary,
} from '../helpers/service-client.ts'
import { SOON } from '../helpers/soon.ts'

describe('deadlines', () => {
  test('headers that never come are retried while the deadline allows it', async () => {
    const server = await startFaultServer(stall)
    hastyClock(0)
    const error = await rejection(connect(server.url, { timeout: 600 }).list())
    expect(error).toMatchObject({ code: 'SERVICE_TIMEOUT', details: { milliseconds: 600 } })
    // Three on an idle machine.
    expect(server.requests.length).toBeGreaterThan(1)
  })

  test('an answer after a stalled attempt is returned', async () => {
    const server = await startFaultServer([stall, json(listed)])
    expect(await connect(server.url, { timeout: 900 }).list()).toEqual(listed)
    expect(server.requests).toHaveLength(2)
  })

  test('a dripping body ends at the deadline, without a retry, and is not received any longer', async () => {
    const sockets: Socket[] = []
    const server = await startFaultServer((socket, request) => {
      sockets.push(socket)
      drip(20)(socket, request)
    })
    const error = await rejection(connect(server.url, { timeout: 500 }).list())
    expect(error).toMatchObject({ code: 'SERVICE_TIMEOUT', details: { attempts: 1 } })
    await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]), SOON)
  })

  test('an error whose body drips does not use up the deadline', async () => {
    const slowly: Play = (socket) => {
      socket.write(head(503, { 'content-length': '100000' }))
      const timer = setInterval(() => socket.write('x'), 20)
      socket.on('close', () => clearInterval(timer))
    }
    const server = await startFaultServer([slowly, json(listed)])
    expect(await connect(server.url, { timeout: 900 }).list()).toEqual(listed)
  })

  test('a TLS handshake that hangs and a proxy that never answers are timeouts', async () => {
    const { url } = await startFaultServer(stall)
    hastyClock(0)
    const errors = await Promise.all(
      [
        connect(url.replace('http:', 'https:'), { timeout: 400 }),
        connect('https://service.test', { processEnv: { HTTPS_PROXY: url }, timeout: 400 }),
      ].map((client) => rejection(client.list())),
    )
    expect(errors.map(({ code }) => code)).toEqual(['SERVICE_TIMEOUT', 'SERVICE_TIMEOUT'])
  })

  test('a wait that is longer than the deadline does not end it', async () => {
    const limited = answer(429, '', { 'retry-after': '1' })
    const server = await startFaultServer([limited, json(listed)])
    // The real one.
    const sleep = vi.spyOn(clock, 'sleep')
    onTestFinished(() => sleep.mockRestore())
    expect(await connect(server.url, { timeout: 500 }).list()).toEqual(listed)
  })

  test('the deadline of a read does not run while other reads are awaited', async () => {
    const slugs = Array.from({ length: 40 }, (_, index) => `prompt-${index}`)
    const prompts = slugs.map((slug) => ({ ...summary, slug }))
    const url = await startLocalServer(({ url: path = '' }, response) => {
      const slug = slugs.find((each) => path.endsWith(`/${each}`))
      const body = slug === undefined ? { ...listed, prompts } : { ...served, slug }
      response.setHeader('content-type', 'application/json')
      setTimeout(() => response.end(JSON.stringify(body)), 40)
    })
    // Less than all reads take together, and much more than one takes on a busy machine.
    const service = openHosted(url, [KEY], { concurrency: 1, timeout: 1_500 })
    const request = { isSelected: () => true, concurrency: 1 }
    expect(await readWorkspace(service, request)).toMatchObject({ reads: 40 })
  })
})
