import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { certificate } from '../helpers/certificate.ts'
import { type FaultServer, json, startFaultServer, tunnelTo } from '../helpers/fault-server.ts'
import { KEY, listed } from '../helpers/service-client.ts'

const proxied = (proxy: FaultServer): { HTTPS_PROXY: string } => ({
  HTTPS_PROXY: proxy.url.replace('://', '://user:secret@'),
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
    const { stdout, stderr } = await promisify(execFile)(process.execPath, script, {
      env,
      timeout: 30_000,
    })
    return { told: JSON.parse(stdout) as unknown, stderr }
  }

  test('reads through a proxy with its credentials, and prints nothing else', async () => {
    const server = await startFaultServer(json(listed), { tls: true })
    const proxy = await startFaultServer(tunnelTo(server.port))
    const { told, stderr } = await run('https://service.test', proxied(proxy))
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

  test('reads directly, and exits although the client was not closed', async () => {
    // An idle connection is kept for longer than the process may run.
    const play = json(listed, { 'keep-alive': 'timeout=600' })
    const server = await startFaultServer(play, { tls: true })
    const { told, stderr } = await run(server.url, {})
    expect([told, stderr]).toEqual([listed, ''])
  })
})

const program = `
import { createClient } from '../../src/service/hosted.ts'
const [baseUrl, value] = process.argv.slice(2)
const key = { value, source: 'test', environment: 'live' }
const { signal } = new AbortController()
const common = { name: 'prompts', secrets: [value], concurrency: 4, timeout: 5000 }
createClient({ baseUrl, signal, processEnv: process.env, ...common }, key)
  .list()
  .catch(({ code, why }) => ({ code, why }))
  .then((told) => console.log(JSON.stringify(told)))
`
