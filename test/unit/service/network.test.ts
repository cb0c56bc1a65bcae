import type { Socket } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import {
  type Play,
  answer,
  flood,
  head,
  json,
  raw,
  startFaultServer,
} from '../../helpers/fault-server.ts'
import { connect, hastyClock, listed, rejection } from '../../helpers/service-client.ts'
import { SOON } from '../../helpers/soon.ts'

describe('refused connections', () => {
  test('a refused connection is retried and names the host', async () => {
    const clock = hastyClock(1)
    const error = await rejection(connect('http://127.0.0.1:1', {}, clock).list())
    expect(error).toMatchObject({
      code: 'SERVICE_UNREACHABLE',
      details: { attempts: 3, reason: expect.stringMatching(/127\.0\.0\.1:1\b.*ECONNREFUSED/) },
    })
    expect(clock.waits).toEqual([500, 1000])
  })

  test('a host that does not exist is retried and named', async () => {
    const error = await rejection(connect('https://prompts.invalid').list())
    expect(error).toMatchObject({
      code: 'SERVICE_UNREACHABLE',
      details: { attempts: 3, reason: expect.stringContaining('prompts.invalid') },
    })
  })

  test('a self-signed certificate is an error without a retry', async () => {
    const server = await startFaultServer(json(listed), { tls: true })
    const error = await rejection(connect(server.url).list())
    expect(error).toMatchObject({
      code: 'CERTIFICATE_INVALID',
      cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    })
    expect(error.message).not.toContain('NODE_TLS_REJECT_UNAUTHORIZED')
    expect([server.connections(), server.requests.length]).toEqual([1, 0])
  })
})

describe('an answer in several parts', () => {
  const body = JSON.stringify(listed)
  const length = { 'content-type': 'application/json', 'content-length': `${body.length}` }

  test('provisional answers before it are ignored', async () => {
    const long = { ...listed, planStatus: 'x'.repeat(100_000) }
    const hints = head(102) + head(103, { link: '</next>; rel=next' })
    const whole = head(200, { 'content-type': 'application/json', connection: 'close' })
    const play: Play = (socket) => socket.end(hints + whole + JSON.stringify(long))
    expect(await connect((await startFaultServer(play)).url).list()).toEqual(long)
  })

  test('its body may arrive in chunks that split a character', async () => {
    const planStatus = '✓ äöü 😀'
    const bytes = Buffer.from(JSON.stringify({ ...listed, planStatus }))
    const inPieces: Play = (socket) => {
      socket.setNoDelay(true)
      socket.write(head(200, { ...length, 'content-length': `${bytes.length}` }))
      for (const byte of bytes) setImmediate(() => socket.write(Uint8Array.of(byte)))
    }
    const server = await startFaultServer(inPieces)
    expect(await connect(server.url).list()).toEqual({ ...listed, planStatus })
  })

  test('both values of a repeated header are used', async () => {
    const links = '</a>; rel=first\r\nlink: </b>; rel=next'
    const server = await startFaultServer(raw(head(200, { ...length, link: links }) + body))
    expect(await rejection(connect(server.url).list())).toMatchObject({ code: 'ANSWER_PAGINATED' })
  })
})

describe('an attempt that times out', () => {
  test.each([
    ['too large', flood, 'ANSWER_TOO_LARGE'],
    ['an error without end', endlessError, 'ACCESS_DENIED'],
  ] as const)('%s does not go on being received', async (_title, play, code) => {
    const sockets: Socket[] = []
    const watched: Play = (socket, request) => {
      sockets.push(socket)
      play(socket, request)
    }
    const server = await startFaultServer(watched)
    const error = await rejection(connect(server.url, { timeout: 20_000 }).list())
    expect(error.code).toBe(code)
    await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]), SOON)
  })
})

/** A page of an error that never ends; its first bytes are enough. */
function endlessError(...[socket]: Parameters<Play>): void {
  socket.write(head(403, { 'content-length': '999999999' }))
  const timer = setInterval(() => socket.write('x'.repeat(10_000)), 1)
  socket.on('close', () => clearInterval(timer))
}

describe('redirects', () => {
  test.each([
    [301, 'https://evil.example/path?q=1', 'https://evil.example'],
    [302, '//evil.example:8443/', 'https?://evil.example:8443'],
    [303, 'https://user:pw@evil.example/', 'https://evil.example'],
    [307, undefined, 'an unknown address'],
    [308, 'http://[', 'an unknown address'],
    [302, 'javascript:alert(1)', 'javascript:'],
  ])('%i to %s is not followed', async (status, location, target) => {
    const headers = location === undefined ? {} : { location }
    const server = await startFaultServer(answer(status, '', headers))
    const error = await rejection(connect(server.url).list())
    expect(error.code).toBe('REDIRECTED')
    expect((error.details as { target: string }).target).toMatch(new RegExp(`^${target}$`))
    expect(server.requests).toHaveLength(1)
  })
})
