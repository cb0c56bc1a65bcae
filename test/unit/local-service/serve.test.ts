import { Agent } from 'node:http'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startServer } from '../../../src/local-service/serve.ts'
import { ask, LIVE, serve } from '../../helpers/http.ts'
import { yaml } from '../../helpers/workspace-yaml.ts'
import { SOON } from '../../helpers/soon.ts'

const PATH = '/api/v1/prompts/a'

describe('the server', () => {
  test.each([
    { port: 0, title: 'taken', reason: 'it is already in use' },
    { port: 65_536, title: 'out of range', reason: 'a port is a number from 0 to 65535' },
  ])('the server says PORT_UNAVAILABLE when its port is $title', async ({ port, reason }) => {
    const taken = await serve(yaml('one'))
    const wanted = port === 0 ? taken.port : port
    await expect(serve(yaml('one'), { port: wanted })).rejects.toMatchObject({
      code: 'PORT_UNAVAILABLE',
      details: { port: wanted, reason },
    })
  })

  test('the server does not start without a workspace', async () => {
    const broken = new Error('broken')
    const started = startServer({ readWorkspace: () => Promise.reject(broken) })
    await expect(started).rejects.toBe(broken)
  })

  test.each(['localhost', 'LOCALHOST:1', '127.0.0.1:65535', '[::1]', '[::1]:3000'])(
    'the server answers to the host %s',
    async (host) => {
      const answer = await ask(await serve(yaml('one')), {
        path: PATH,
        headers: { ...LIVE, host },
      })
      expect(answer.status).toBe(200)
    },
  )

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io:80', '[::2]', '::1'])(
    'the server refuses a request to the foreign host %j',
    async (host) => {
      const server = await serve(yaml('one'))
      const answer = await ask(server, { path: PATH, headers: { ...LIVE, host } })
      expect(answer).toMatchObject({ status: 403, body: { error: expect.any(String) } })
      expect(server.requests).toStrictEqual([{ method: 'GET', path: PATH, status: 403 }])
    },
  )
})

describe('closing', () => {
  test('closing ends idle connections and pending answers at once, and can be repeated', async () => {
    const server = await serve(yaml('one'), { latency: 30_000 })
    const quick = await serve(yaml('one'))
    const agent = new Agent({ keepAlive: true })
    onTestFinished(() => agent.destroy())
    await ask(quick, { path: PATH, headers: LIVE, agent })
    const pending = ask(server, { path: PATH, headers: LIVE }).catch((error: unknown) => error)
    await vi.waitFor(() => expect(server.requests).toHaveLength(1), SOON)
    await Promise.all([server.close(), quick.close()])
    expect(await pending).toMatchObject({ code: 'ECONNRESET' })
    await server.close()
    await expect(ask(quick, { path: PATH, headers: LIVE })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    })
  })
})
