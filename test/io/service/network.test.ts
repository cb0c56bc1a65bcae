import { describe, expect, test } from 'vitest'
import {
  type Play,
  answer,
  drip,
  head,
  json,
  stall,
  startFaultServer,
} from '../../helpers/fault-server.ts'
import { connect, hastyClock, listed, rejection } from '../../helpers/service-client.ts'

describe('refused connections', () => {
  test('a port that nobody listens on is retried and named (FAULTS 2)', async () => {
    const clock = hastyClock(1)
    const error = await rejection(connect('http://127.0.0.1:1', {}, clock).list())
    expect(error).toMatchObject({ code: 'SERVICE_UNREACHABLE', details: { attempts: 3 } })
    expect(error.why).toContain('127.0.0.1:1 refused the connection (ECONNREFUSED)')
    expect(clock.waits).toEqual([500, 1000])
  })

  test('a host that does not exist is retried and named (FAULTS 1)', async () => {
    const error = await rejection(connect('https://prompts.invalid').list())
    expect(error).toMatchObject({ code: 'SERVICE_UNREACHABLE', details: { attempts: 3 } })
    expect(error.why).toMatch(/prompts\.invalid (?:was not found|could not be looked up|.* name)/)
  })

  test('a self-signed certificate is refused without a retry (FAULTS 3)', async () => {
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

describe('deadlines', () => {
  test('headers that never come are retried while the deadline allows it (FAULTS 4)', async () => {
    const server = await startFaultServer(stall)
    const begin = performance.now()
    const error = await rejection(connect(server.url, { timeout: 600 }, hastyClock(0)).list())
    expect(error).toMatchObject({ code: 'SERVICE_TIMEOUT', details: { milliseconds: 600 } })
    expect(server.requests).toHaveLength(3)
    expect(performance.now() - begin).toBeLessThan(1500)
  })

  test('an answer after a stalled attempt is that answer (FAULTS 4)', async () => {
    const server = await startFaultServer([stall, json(listed)])
    expect(await connect(server.url, { timeout: 900 }).list()).toEqual(listed)
    expect(server.requests).toHaveLength(2)
  })

  test('a drip ends at the deadline, without a retry (FAULTS 5)', async () => {
    const server = await startFaultServer(drip(20))
    const begin = performance.now()
    const error = await rejection(connect(server.url, { timeout: 500 }).list())
    expect(error).toMatchObject({ code: 'SERVICE_TIMEOUT', details: { attempts: 1 } })
    expect(performance.now() - begin).toBeGreaterThan(450)
    expect(performance.now() - begin).toBeLessThan(1500)
  })

  test('an error whose body drips does not use up the deadline (FAULTS 5)', async () => {
    const slowly: Play = (socket) => {
      socket.write(head(503, { 'content-length': '100000' }))
      const timer = setInterval(() => socket.write('x'), 20)
      socket.on('close', () => clearInterval(timer))
    }
    const server = await startFaultServer([slowly, json(listed)])
    expect(await connect(server.url, { timeout: 900 }).list()).toEqual(listed)
  })

  test('a TLS handshake that hangs is a timeout (FAULTS 4)', async () => {
    const server = await startFaultServer(stall)
    const url = server.url.replace('http:', 'https:')
    const error = await rejection(connect(url, { timeout: 400 }, hastyClock(0)).list())
    expect(error).toMatchObject({ code: 'SERVICE_TIMEOUT' })
  })
})

describe('redirects', () => {
  test.each([
    [301, 'https://evil.example/path?q=1', 'https://evil.example'],
    [302, '//evil.example:8443/', 'https?://evil.example:8443'],
    [303, 'https://user:pw@evil.example/', 'https://evil.example'],
    [307, undefined, 'an address it does not give'],
    [308, 'http://[', 'an address it does not give'],
  ])('%i to %s is not followed (FAULTS 18)', async (status, location, target) => {
    const headers = location === undefined ? {} : { location }
    const server = await startFaultServer(answer(status, '', headers))
    const error = await rejection(connect(server.url).list())
    expect(error.code).toBe('REDIRECTED')
    expect((error.details as { target: string }).target).toMatch(new RegExp(`^${target}$`))
    expect(server.requests).toHaveLength(1)
  })
})
