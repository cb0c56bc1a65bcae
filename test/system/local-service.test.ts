import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { describe, expect, test, vi } from 'vitest'
import type { LocalServer, ServeOptions } from '../../src/local-service/serve.ts'
import { parseWorkspace } from '../../src/local-service/workspace.ts'
import { ask, LIVE } from '../helpers/http.ts'
import { startRecording } from '../helpers/local-service.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { SOON } from '../helpers/soon.ts'
import { yaml } from '../helpers/workspace-yaml.ts'

/** A server over a workspace file that is watched. */
async function serveFile(options: Partial<ServeOptions> = {}) {
  const path = join(await temporaryFolder({ 'workspace.yaml': yaml('one') }), 'workspace.yaml')
  const onReload = vi.fn<NonNullable<ServeOptions['onReload']>>()
  const onError = vi.fn<NonNullable<ServeOptions['onError']>>()
  const readWorkspace = async () => parseWorkspace(await readFile(path, 'utf8'), path)
  const given = { readWorkspace, watchPath: path, onReload, onError, ...options }
  return { server: await startRecording(given), path, onReload, onError }
}

/** The text that a server serves for the prompt `a`. */
async function textOf(server: LocalServer): Promise<unknown> {
  const { body } = await ask(server, { path: '/api/v1/prompts/a', headers: LIVE })
  return Object(body).source
}

describe('the workspace file', () => {
  test('is read again when it is written, and each time an editor replaces it by renaming another', async () => {
    const { server, path, onReload } = await serveFile()
    expect(await textOf(server)).toBe('one')
    await writeFile(path, yaml('two'))
    await vi.waitFor(async () => expect(await textOf(server)).toBe('two'), SOON)
    expect(onReload).toHaveBeenCalledTimes(1)
    for (const text of ['three', 'four']) {
      await writeFile(`${path}.tmp`, yaml(text))
      await rename(`${path}.tmp`, path)
      await vi.waitFor(async () => expect(await textOf(server)).toBe(text), SOON)
    }
  })

  test('is read again when it is a link whose target changes', async () => {
    const base = await temporaryFolder({ 'target.yaml': yaml('one') })
    const [target, link] = [join(base, 'target.yaml'), join(base, 'link.yaml')]
    await symlink(target, link)
    const { server } = await serveFile({
      watchPath: link,
      readWorkspace: async () => parseWorkspace(await readFile(link, 'utf8'), link),
    })
    await writeFile(target, yaml('two'))
    await vi.waitFor(async () => expect(await textOf(server)).toBe('two'), SOON)
  })

  test('is read once for many writes in a row', async () => {
    const { server, path, onReload } = await serveFile()
    // The watcher looks at the file in this process, so none of its looks is between two of them.
    for (let count = 0; count < 20; count++) writeFileSync(path, yaml(`draft ${count}`))
    await vi.waitFor(async () => expect(await textOf(server)).toBe('draft 19'), SOON)
    expect(onReload).toHaveBeenCalledTimes(1)
  })

  test('is not missed when it changes while it is read for the first time', async () => {
    const path = join(await temporaryFolder({ 'workspace.yaml': yaml('one') }), 'workspace.yaml')
    let reads = 0
    const { server } = await serveFile({
      watchPath: path,
      readWorkspace: async () => {
        const text = await readFile(path, 'utf8')
        if (reads++ === 0) await writeFile(path, yaml('two'))
        return parseWorkspace(text, path)
      },
    })
    await vi.waitFor(async () => expect(await textOf(server)).toBe('two'), SOON)
  })
})

describe('a broken workspace file', () => {
  test('keeps the last good workspace while it is broken or away, and recovers', async () => {
    const { server, path, onReload, onError } = await serveFile()
    await writeFile(path, 'prompts: [')
    await vi.waitFor(() => expect(onError).toHaveBeenCalledTimes(1), SOON)
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'WORKSPACE_INVALID' })
    await rm(path)
    await vi.waitFor(() => expect(onError).toHaveBeenCalledTimes(2), SOON)
    expect(await textOf(server)).toBe('one')
    expect(onReload).not.toHaveBeenCalled()
    await writeFile(path, yaml('two'))
    await vi.waitFor(async () => expect(await textOf(server)).toBe('two'), SOON)
  })
})

describe('closing', () => {
  test('stops watching', async () => {
    const { server, path, onReload } = await serveFile()
    await server.close()
    const next = await serveFile({ watchPath: path })
    // When the other server has seen the second change, this one would have seen the first.
    for (const [index, text] of ['two', 'three'].entries()) {
      await writeFile(path, yaml(text))
      await vi.waitFor(() => expect(next.onReload).toHaveBeenCalledTimes(index + 1), SOON)
    }
    expect(onReload).not.toHaveBeenCalled()
  })

  test('leaves no handle: the process ends by itself', async () => {
    const base = await temporaryFolder()
    const outfile = join(base, 'run.mjs')
    const contents = `
      import { startServer } from './serve.ts'
      const workspace = { planStatus: 'active', prompts: new Map() }
      const readWorkspace = async () => workspace
      let asked = false
      const onRequest = () => void (asked = true)
      const options = { readWorkspace, watchPath: 'absent', latency: 60_000, onRequest }
      const server = await startServer(options)
      fetch(server.url + '/api/v1/prompts').catch(() => {})
      while (!asked) await new Promise(setImmediate)
      await server.close()
      console.log('closed')`
    const resolveDir = join(import.meta.dirname, '../../src/local-service')
    const platform = { platform: 'node', format: 'esm', bundle: true } as const
    await build({ stdin: { contents, resolveDir, loader: 'ts' }, outfile, ...platform })
    // Whatever holds the process outlives this, and it is killed.
    const { timeout } = SOON
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], { timeout })
    expect(stdout).toBe('closed\n')
  })
})
