import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certificate } from '../../helpers/certificate.ts'
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
import {
  KEY,
  connect,
  hastyClock,
  listed,
  outcome,
  rejection,
} from '../../helpers/service-client.ts'

const proxied = (proxy: FaultServer): { proxyEnv: { HTTPS_PROXY: string } } => ({
  proxyEnv: { HTTPS_PROXY: proxy.url.replace('://', '://user:secret@') },
})

describe('a proxy that does not help', () => {
  const broken: [string, Play, string][] = [
    [
      'refuses the tunnel',
      raw('HTTP/1.1 407 Authenticate\r\n\r\n'),
      'refused the tunnel with status 407',
    ],
    [
      'can not reach the service',
      raw('HTTP/1.1 502 Bad\r\n\r\n'),
      'refused the tunnel with status 502',
    ],
    ['closes the connection', hangUp, 'closed the connection'],
    ['resets the connection', reset, 'reset the connection'],
    ['speaks something else', raw('SSH-2.0\r\n\r\n'), 'does not match the HTTP/1.1 protocol'],
  ]
  test.each(broken)('one that %s is named, and asked three times', async (_title, play, why) => {
    const proxy = await startFaultServer(play)
    const service = connect('https://service.test', proxied(proxy))
    const error = await rejection(service.list())
    expect(error).toMatchObject({ code: 'SERVICE_UNREACHABLE', details: { attempts: 3 } })
    expect(error.why).toContain(`the proxy ${proxy.url}`)
    expect(error.why).toContain(why)
    expect(`${error.stack}`).not.toContain('secret')
    expect(proxy.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(
      Array(3).fill('CONNECT service.test:443'),
    )
  })

  test('one that is not there is named', async () => {
    const proxyEnv = { https_proxy: 'http://user:secret@127.0.0.1:1' }
    const error = await rejection(connect('https://service.test', { proxyEnv }).list())
    expect(error.why).toContain('the proxy http://127.0.0.1:1 refused the connection')
  })

  test('one that never answers is a timeout', async () => {
    const proxy = await startFaultServer(stall)
    const options = { ...proxied(proxy), timeout: 400 }
    const error = await rejection(connect('https://service.test', options, hastyClock(0)).list())
    expect(error.code).toBe('SERVICE_TIMEOUT')
  })

  test('one that leads to another server shows by its certificate', async () => {
    const other = await startFaultServer(json(listed), { tls: true })
    const proxy = await startFaultServer(tunnelTo(other.port))
    const error = await rejection(connect('https://service.test', proxied(proxy)).list())
    expect(error.code).toBe('CERTIFICATE_INVALID')
    expect([proxy.requests.length, other.requests.length]).toEqual([1, 0])
    expect(JSON.stringify(proxy.requests)).not.toContain(KEY)
  })

  test('close ends a tunnel that is still being made', async () => {
    const proxy = await startFaultServer(stall)
    const service = connect('https://service.test', proxied(proxy))
    const read = outcome(service.list())
    await expect.poll(() => proxy.requests.length).toBe(1)
    await service.close()
    expect(await read).toMatchObject({ name: 'AbortError' })
    await expect.poll(() => proxy.open()).toBe(0)
  })

  test('a service on this machine is reached without it', async () => {
    const proxy = await startFaultServer(hangUp)
    const server = await startFaultServer(json(listed))
    const proxyEnv = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url }
    expect(await connect(server.url, { proxyEnv }).list()).toEqual(listed)
    expect(proxy.connections()).toBe(0)
  })
})

/** Node reads NODE_EXTRA_CA_CERTS only when it starts, so trust needs a process of its own. */
describe('a process that trusts the certificate', () => {
  let folder = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prompts-proxy-'))
    await writeFile(join(folder, 'ca.pem'), certificate.cert)
    await build({
      stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
      outfile: join(folder, 'program.cjs'),
      bundle: true,
      platform: 'node',
      format: 'cjs',
    })
  })

  afterAll(() => rm(folder, { recursive: true }))

  const run = async (baseUrl: string, environment: Record<string, string>) => {
    const env = { ...environment, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') }
    const script = [join(folder, 'program.cjs'), baseUrl, KEY]
    const begin = performance.now()
    const { stdout, stderr } = await promisify(execFile)(process.execPath, script, { env })
    return { told: JSON.parse(stdout) as unknown, stderr, took: performance.now() - begin }
  }

  test('reads through a proxy, with its credentials, and says nothing else', async () => {
    const server = await startFaultServer(json(listed), { tls: true })
    const proxy = await startFaultServer(tunnelTo(server.port))
    const { told, stderr } = await run('https://service.test', proxied(proxy).proxyEnv)
    expect([told, stderr]).toEqual([listed, ''])
    expect(proxy.requests).toMatchObject([
      { target: 'service.test:443', headers: { 'proxy-authorization': 'Basic dXNlcjpzZWNyZXQ=' } },
    ])
    expect(proxy.requests[0]?.headers).not.toHaveProperty('authorization')
    expect(server.requests).toMatchObject([
      {
        target: '/api/v1/prompts',
        headers: { authorization: `Bearer ${KEY}`, host: 'service.test' },
      },
    ])
  })

  test('refuses a certificate of another host, told by its name', async () => {
    const server = await startFaultServer(json(listed), { tls: true })
    const proxy = await startFaultServer(tunnelTo(server.port))
    const { told } = await run('https://other.test', proxied(proxy).proxyEnv)
    expect(told).toMatchObject({ code: 'CERTIFICATE_INVALID' })
    expect([proxy.requests.length, server.requests.length]).toEqual([1, 0])
  })

  test('reads directly, and ends by itself though the client was not closed', async () => {
    const server = await startFaultServer(json(listed), { tls: true })
    const { told, stderr, took } = await run(server.url, {})
    expect([told, stderr]).toEqual([listed, ''])
    expect(took).toBeLessThan(3000)
  })
})

const program = `
import { createPromptService } from '../../../src/service/client.ts'
const [baseUrl, key] = process.argv.slice(2)
const common = { workspace: 'prompts', keySource: 'test', environment: 'live', concurrency: 4, timeout: 5000 }
createPromptService({ baseUrl, key, proxyEnv: process.env, ...common })
  .list()
  .catch(({ code, why }) => ({ code, why }))
  .then((told) => console.log(JSON.stringify(told)))
`
