import { writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { Server } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { finished } from '../helpers/binary.ts'
import { filesIn, folderWith, prompts, start } from '../helpers/cli.ts'
import { testService } from '../helpers/local-service.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'
import { SOON } from '../helpers/soon.ts'
import { yaml } from '../helpers/workspace-yaml.ts'

async function textOf(url: string): Promise<unknown> {
  const headers = { authorization: 'Bearer svc_live_local' }
  return (await fetch(`${url}/api/v1/prompts/a`, { headers })).json()
}

/** The first line that `prompts serve --json` prints, while it serves until the test ends. */
async function served(
  cwd: string,
  ...args: readonly string[]
): Promise<{ url: string; keys: object }> {
  const child = start(['serve', ...args, '--port', '0', '--json'], { cwd })
  onTestFinished(() => void child.kill())
  const [line] = await once(createInterface(child.stdout), 'line')
  return JSON.parse(line)
}

describe('prompts serve', () => {
  test('prints the address and both keys as one line of JSON, and ends with 130 on Ctrl-C', async () => {
    const cwd = await folderWith({ 'prompts.workspace.yaml': yaml('One') })
    const child = start(['serve', '--port', '0', '--json'], { cwd })
    const run = finished(child)
    const [line] = await once(createInterface(child.stdout), 'line')
    const { url, keys } = JSON.parse(line)
    expect(keys).toStrictEqual({ live: 'svc_live_local', test: 'svc_test_local' })
    expect(await textOf(url)).toMatchObject({ source: 'One' })
    child.kill('SIGINT')
    const { code, stdout, stderr } = await run
    expect({ code, stderr }).toStrictEqual({ code: 130, stderr: '' })
    expect(stdout).toBe(`${line}\n`)
    await expect(fetch(url)).rejects.toBeInstanceOf(TypeError)
  })

  test('prints every request with --verbose, rejected ones too', async () => {
    const cwd = await folderWith({ 'prompts.workspace.yaml': yaml('One') })
    const child = start(['serve', '--port', '0', '--verbose'], { cwd })
    const run = finished(child)
    const [line] = await once(createInterface(child.stdout), 'line')
    const [, url = ''] = /(http:\S+)/.exec(line) ?? []
    await textOf(url)
    await fetch(`${url}/api/v1/prompts`)
    child.kill('SIGINT')
    const { stderr } = await run
    expect(stderr).toContain('\n200 GET /api/v1/prompts/a\n401 GET /api/v1/prompts\n')
  })

  test('says that .env.local names another local service, whose prompts a pull would read', async () => {
    const env = '.env.local'
    const said = async (address: string): Promise<string> => {
      const files = {
        'prompts.workspace.yaml': yaml('One'),
        [env]: `PROMPTS_BASE_URL=${address}\n`,
      }
      const child = start(['serve', '--port', '0'], { cwd: await folderWith(files) })
      const run = finished(child)
      await once(createInterface(child.stdout), 'line')
      child.kill('SIGINT')
      return (await run).stderr
    }
    const other = await said('http://localhost:1')
    expect(other).toContain('.env.local names another local service: http://localhost:1.')
    expect(other).toContain('`--write-env`')
    expect(await said('https://prompts.example.com')).not.toContain('another local service')
  })

  test('prints the variables to set, reloads a changed file, and continues after an error', async () => {
    const cwd = await folderWith({ 'ws.yaml': yaml('One') })
    const child = start(['serve', 'ws.yaml', '--port', '0', '--latency', '1'], { cwd })
    let said = ''
    child.stderr.on('data', (piece) => (said += String(piece)))
    const run = finished(child)
    await vi.waitFor(() => expect(said).toContain('Ctrl-C'), SOON)
    await writeFile(join(cwd, 'ws.yaml'), 'prompts: 1\n')
    await vi.waitFor(() => expect(said).toContain('WORKSPACE_INVALID'), SOON)
    await writeFile(join(cwd, 'ws.yaml'), yaml('Two'))
    await vi.waitFor(() => expect(said).toContain('↻'), SOON)
    child.kill('SIGTERM')
    const { code, stdout, stderr } = await run
    expect(code).toBe(143)
    expect(stdout.replace(/:\d+$/m, ':PORT')).toMatchInlineSnapshot(`
      "  PROMPTS_BASE_URL       http://127.0.0.1:PORT
        PROMPTS_API_KEY        svc_live_local           live versions
        PROMPTS_TEST_API_KEY   svc_test_local           staging versions
      "
    `)
    expect(stderr).toMatchSnapshot()
  })

  test('writes an example once, and serves what a pull can pin', async () => {
    const cwd = await folderWith()
    const { url } = await served(cwd, '--example')
    const env = { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: 'svc_live_local' }
    const pulled = await prompts(['pull'], { cwd, env })
    expect(pulled.stdout).toMatchInlineSnapshot(`
      "+ added   sales-follow-up   v1   +product, +notes
      + added   support-triage    v1   +tone, +ticket

      2 added

      1 version not fetched without a test key: support-triage (staging) v2
      "
    `)
    await writeFile(join(cwd, 'prompts.workspace.yaml'), yaml('Mine'))
    const again = await served(cwd, '--example')
    expect(await textOf(again.url)).toMatchObject({ source: 'Mine' })
  })

  test('writes what a pull needs with --write-env, to a file that git ignores', async () => {
    const cwd = await folderWith()
    const { url } = await served(cwd, '--example', '--write-env')
    const { '.env.local': env, '.gitignore': ignored } = await filesIn(cwd)
    expect(env).toBe(`PROMPTS_BASE_URL=${url}\nPROMPTS_API_KEY=svc_live_local\n`)
    expect(ignored).toMatch(/^\.env\.local$/m)
    expect(await prompts(['pull'], { cwd })).toMatchObject({ code: 0 })
  })

  test('writes nothing with --write-env beside another service, which pulls would still use', async () => {
    for (const [name, env] of [
      ['.env.local', 'PROMPTS_API_KEY=svc_live_0123'],
      ['.env.local', 'PROMPTS_TEST_API_KEY=svc_test_0123'],
      ['.env.local', 'PROMPTS_BASE_URL=https://prompts.example.com'],
      ['.env.production.local', 'PROMPTS_API_KEY=svc_live_0123'],
      ['.env.production', 'PROMPTS_BASE_URL=https://prompts.example.com'],
    ] as const) {
      const files = { [name]: `${env}\n`, 'prompts.workspace.yaml': yaml('One') }
      const cwd = await folderWith(files)
      const run = await prompts(['serve', '--write-env', '--port', '0'], { cwd })
      expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('USAGE') })
      expect(await filesIn(cwd)).toStrictEqual(files)
    }
  })

  test('stops if --write-env fails', async () => {
    const cwd = await folderWith({ '.gitignore/file': '', 'prompts.workspace.yaml': yaml('One') })
    const listen = vi.spyOn(Server.prototype, 'listen')
    onTestFinished(() => listen.mockRestore())
    const run = await prompts(['serve', '--write-env', '--port', '0'], { cwd })
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('FILE_UNREADABLE') })
    expect(listen.mock.contexts).toEqual([expect.objectContaining({ listening: false })])
  })

  test('serves the prompts of a lock with --lock', async () => {
    const service = await testService([{ slug: 'a', version: 'v9', system: 'Nine' }])
    const { url } = await served(await pinnedProject(service), '--lock', 'prompts.lock.json')
    expect(await textOf(url)).toMatchObject({ version: 'v9', source: 'Nine' })
  })

  test('advises for the lock of a workspace the commands of it', async () => {
    const cwd = await folderWith({ 'billing-prompts.lock.json': '<<<<<<< HEAD\n' })
    const run = await prompts(['serve', '--lock', 'billing-prompts.lock.json'], { cwd })
    expect(run.stderr).toContain('--name billing-prompts')
  })

  test('ends with exit code 1 for files that it cannot read and a port that is in use', async () => {
    const { server } = await testService([])
    const cwd = await folderWith({ 'broken.yaml': '1', 'prompts.workspace.yaml': yaml('One') })
    for (const [error, ...args] of [
      ['FILE_UNREADABLE', 'absent.yaml'],
      ['LOCK_MISSING', '--lock', 'absent.json'],
      ['WORKSPACE_INVALID', 'broken.yaml'],
      ['PORT_UNAVAILABLE', '--port', `${server.port}`],
    ]) {
      const run = await prompts(['serve', ...args], { cwd })
      expect(run).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(`${error}`),
      })
    }
  })
})
