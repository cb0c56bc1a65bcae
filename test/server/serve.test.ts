import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type LocalServer, type ServeOptions, startServer } from '../../src/server/serve.ts'
import { parseWorkspace } from '../../src/server/workspace.ts'
import { ask, LIVE, serve } from './http.ts'

const PATH = '/api/v1/prompts/a'

function yaml(system: string): string {
  const versions = `versions: { v1: { system: ${JSON.stringify(system)} } }`
  return `prompts:\n- { slug: a, folder: f, model: m, temperature: 1, live: v1, ${versions} }\n`
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'serve-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

interface Watched {
  readonly server: LocalServer
  readonly path: string
  readonly onReload: ReturnType<typeof vi.fn>
  readonly onError: ReturnType<typeof vi.fn>
}

/** A server over a workspace file that is watched. */
async function serveFile(options: Partial<ServeOptions> = {}): Promise<Watched> {
  const path = join(await folder(), 'workspace.yaml')
  await writeFile(path, yaml('one'))
  const onReload = vi.fn()
  const onError = vi.fn()
  const readWorkspace: ServeOptions['readWorkspace'] = async () =>
    parseWorkspace(await readFile(path, 'utf8'), path)
  const server = await startServer({
    readWorkspace,
    watchPath: path,
    onReload,
    onError,
    ...options,
  })
  onTestFinished(() => server.close())
  return { server, path, onReload, onError }
}

async function textOf(server: LocalServer): Promise<unknown> {
  const { body } = await ask(server, { path: PATH, headers: LIVE })
  return typeof body === 'object' && body !== null && 'source' in body ? body.source : body
}

describe('the workspace file', () => {
  test('is read again when it is written', async () => {
    const { server, path, onReload } = await serveFile()
    expect(await textOf(server)).toBe('one')
    await writeFile(path, yaml('two'))
    await vi.waitFor(async () => expect(await textOf(server)).toBe('two'), 5000)
    expect(onReload).toHaveBeenCalledTimes(1)
  })

  test('is read again each time an editor replaces it by renaming another', async () => {
    const { server, path } = await serveFile()
    for (const text of ['two', 'three']) {
      // oxlint-disable no-await-in-loop -- one replacement after the other
      await writeFile(`${path}.tmp`, yaml(text))
      await rename(`${path}.tmp`, path)
      await vi.waitFor(async () => expect(await textOf(server)).toBe(text), 5000)
      // oxlint-enable no-await-in-loop
    }
  })

  test('is read again when it is a link whose target changes', async () => {
    const base = await folder()
    const [target, link] = [join(base, 'target.yaml'), join(base, 'link.yaml')]
    await writeFile(target, yaml('one'))
    await symlink(target, link)
    const { server } = await serveFile({
      watchPath: link,
      readWorkspace: async () => parseWorkspace(await readFile(link, 'utf8'), link),
    })
    await writeFile(target, yaml('two'))
    await vi.waitFor(async () => expect(await textOf(server)).toBe('two'), 5000)
  })

  test('keeps the last good workspace while it is broken or away, and recovers', async () => {
    const { server, path, onReload, onError } = await serveFile()
    await writeFile(path, 'prompts: [')
    await vi.waitFor(() => expect(onError).toHaveBeenCalledTimes(1), 5000)
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'WORKSPACE_INVALID' })
    await rm(path)
    await vi.waitFor(() => expect(onError).toHaveBeenCalledTimes(2), 5000)
    expect(await textOf(server)).toBe('one')
    expect(onReload).not.toHaveBeenCalled()
    await writeFile(path, yaml('two'))
    await vi.waitFor(async () => expect(await textOf(server)).toBe('two'), 5000)
  })

  test('is read once for many writes in a row', async () => {
    const { server, path, onReload } = await serveFile()
    for (let count = 0; count < 20; count++) {
      // oxlint-disable-next-line no-await-in-loop -- one write after the other
      await writeFile(path, yaml(`draft ${count}`))
    }
    await vi.waitFor(async () => expect(await textOf(server)).toBe('draft 19'), 5000)
    expect(onReload.mock.calls.length).toBeLessThanOrEqual(2)
  })

  test('is not missed when it changes while it is read for the first time', async () => {
    const path = join(await folder(), 'workspace.yaml')
    await writeFile(path, yaml('one'))
    let reads = 0
    const { server } = await serveFile({
      watchPath: path,
      readWorkspace: async () => {
        const text = await readFile(path, 'utf8')
        if (reads++ === 0) await writeFile(path, yaml('two'))
        return parseWorkspace(text, path)
      },
    })
    await vi.waitFor(async () => expect(await textOf(server)).toBe('two'), 5000)
  })

  test('that is broken at the start stops the server from starting', async () => {
    const readWorkspace = (): Promise<never> => Promise.reject(new Error('broken'))
    await expect(startServer({ readWorkspace })).rejects.toThrow('broken')
  })
})

describe('the server', () => {
  test('gives its address and what it was asked, in order', async () => {
    const server = await serve(yaml('one'))
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
    await ask(server, { path: '/api/v1/prompts', headers: LIVE })
    await ask(server, { path: '/api/v1/prompts/b', headers: LIVE })
    await ask(server, { path: '/api/v1/prompts', method: 'POST' })
    expect(server.requests).toStrictEqual([
      { method: 'GET', path: '/api/v1/prompts', status: 200 },
      { method: 'GET', path: '/api/v1/prompts/b', status: 404 },
      { method: 'POST', path: '/api/v1/prompts', status: 405 },
    ])
  })

  test.each([
    { port: 0, title: 'taken', reason: 'something else uses it' },
    { port: 65_536, title: 'out of range', reason: 'ports go from 0 to 65535' },
  ])('says PORT_UNAVAILABLE when its port is $title', async ({ port, reason }) => {
    const taken = await serve(yaml('one'))
    const wanted = port === 0 ? taken.port : port
    await expect(serve(yaml('one'), { port: wanted })).rejects.toMatchObject({
      code: 'PORT_UNAVAILABLE',
      details: { port: wanted, reason },
    })
  })

  test('delays each answer by the latency', async () => {
    const server = await serve(yaml('one'), { latency: 200 })
    const start = performance.now()
    expect(await textOf(server)).toBe('one')
    expect(performance.now() - start).toBeGreaterThanOrEqual(190)
  })

  test.each(['localhost', 'LOCALHOST:1', '127.0.0.1:65535', '[::1]', '[::1]:3000'])(
    'answers to the host %s',
    async (host) => {
      const answer = await ask(await serve(yaml('one')), {
        path: PATH,
        headers: { ...LIVE, host },
      })
      expect(answer.status).toBe(200)
    },
  )

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io:80', '[::2]', '::1', ''])(
    'refuses a request to the foreign host %j',
    async (host) => {
      const server = await serve(yaml('one'))
      const answer = await ask(server, { path: PATH, headers: { ...LIVE, host } })
      expect(answer).toMatchObject({ status: 403, body: { error: expect.any(String) } })
      expect(server.requests).toStrictEqual([{ method: 'GET', path: PATH, status: 403 }])
    },
  )
})

describe('closing', () => {
  test('ends idle keep-alive connections and pending answers at once, and can be repeated', async () => {
    const server = await serve(yaml('one'), { latency: 30_000 })
    const quick = await serve(yaml('one'))
    const agent = new Agent({ keepAlive: true })
    onTestFinished(() => agent.destroy())
    await ask(quick, { path: PATH, headers: LIVE, agent })
    const pending = expect(ask(server, { path: PATH, headers: LIVE })).rejects.toThrow('hang up')
    await vi.waitFor(() => expect(server.requests).toHaveLength(1))
    const start = performance.now()
    await Promise.all([server.close(), quick.close(), pending])
    await server.close()
    expect(performance.now() - start).toBeLessThan(1000)
    await expect(ask(quick, { path: PATH, headers: LIVE })).rejects.toThrow('ECONNREFUSED')
  })

  test('frees the port and stops watching', async () => {
    const { server, path, onReload } = await serveFile()
    await server.close()
    await serve(yaml('one'), { port: server.port })
    await writeFile(path, yaml('two'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(onReload).not.toHaveBeenCalled()
  })

  test('leaves no handle: the process ends by itself', async () => {
    const base = await folder()
    const outfile = join(base, 'run.mjs')
    const contents = `
      import { startServer } from './serve.ts'
      const workspace = { planStatus: 'active', prompts: new Map() }
      const readWorkspace = async () => workspace
      const server = await startServer({ readWorkspace, watchPath: 'absent', latency: 10 })
      await (await fetch(server.url + '/api/v1/prompts')).text()
      fetch(server.url + '/api/v1/prompts').catch(() => {})
      while (server.requests.length < 2) await new Promise(setImmediate)
      await server.close()
      console.log(process.getActiveResourcesInfo().filter((name) => /Server|FS|Timeout/.test(name)))`
    const resolveDir = join(import.meta.dirname, '../../src/server')
    const platform = { platform: 'node', format: 'esm', bundle: true } as const
    await build({ stdin: { contents, resolveDir, loader: 'ts' }, outfile, ...platform })
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], { timeout: 10_000 })
    expect(stdout).toBe('[]\n')
  })
})
