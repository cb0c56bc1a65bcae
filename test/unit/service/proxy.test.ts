import { describe, expect, test } from 'vitest'
import {
  type FaultServer,
  type Play,
  hangUp,
  json,
  raw,
  reset,
  stall,
  startFaultServer,
  tunnelTo,
} from '../../helpers/fault-server.ts'
import { KEY, connect, listed, outcome, rejection } from '../../helpers/service-client.ts'
import { SOON } from '../../helpers/soon.ts'

const proxied = (proxy: FaultServer): { processEnv: { HTTPS_PROXY: string } } => ({
  processEnv: { HTTPS_PROXY: proxy.url.replace('://', '://user:secret@') },
})

describe('a proxy that does not help', () => {
  const broken: [string, Play, RegExp][] = [
    ['refuses the tunnel', raw('HTTP/1.1 407 Authenticate\r\n\r\n'), / status 407$/],
    ['can not reach the service', raw('HTTP/1.1 502 Bad\r\n\r\n'), / status 502$/],
    ['closes the connection', hangUp, / closed the connection$/],
    ['resets the connection', reset, / reset the connection \(ECONNRESET\)$/],
    ['speaks something else', raw('SSH-2.0\r\n\r\n'), /HTTP\/1\.1/],
  ]
  test.each(broken)(
    'a proxy that %s is named, and asked three times',
    async (_title, play, reason) => {
      const proxy = await startFaultServer(play)
      const service = connect('https://service.test', proxied(proxy))
      const error = await rejection(service.list())
      expect(error).toMatchObject({
        code: 'SERVICE_UNREACHABLE',
        details: { attempts: 3, reason: expect.stringContaining(proxy.url) },
      })
      expect(error.details).toMatchObject({ reason: expect.stringMatching(reason) })
      expect(`${error.stack}`).not.toContain('secret')
      expect(proxy.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(
        Array(3).fill('CONNECT service.test:443'),
      )
    },
  )

  test('a proxy that is unreachable is named', async () => {
    const processEnv = { https_proxy: 'http://user:secret@127.0.0.1:1' }
    const error = await rejection(connect('https://service.test', { processEnv }).list())
    expect(error.details).toMatchObject({ reason: expect.stringContaining('http://127.0.0.1:1') })
  })

  test('a proxy that connects to another server is detected by the certificate', async () => {
    const other = await startFaultServer(json(listed), { tls: true })
    const proxy = await startFaultServer(tunnelTo(other.port))
    const error = await rejection(connect('https://service.test', proxied(proxy)).list())
    expect(error.code).toBe('CERTIFICATE_INVALID')
    expect([proxy.requests.length, other.requests.length]).toEqual([1, 0])
    expect(JSON.stringify(proxy.requests)).not.toContain(KEY)
  })

  test('an abort ends a tunnel that is still being made', async () => {
    const proxy = await startFaultServer(stall)
    const aborter = new AbortController()
    const service = connect('https://service.test', { ...proxied(proxy), signal: aborter.signal })
    const read = outcome(service.list())
    await expect.poll(() => proxy.requests.length, SOON).toBe(1)
    aborter.abort('stop')
    expect(await read).toBe('stop')
    await expect.poll(() => proxy.open(), SOON).toBe(0)
  })
})
