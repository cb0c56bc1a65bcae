import { symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OPEN } from '../../../src/page/protocol.ts'
import { appFolder } from '../../helpers/app-folder.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { servedPage, testProject } from '../../helpers/page/project.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

interface Editor {
  readonly root: string
  readonly origin: string
  /** The places that the editor was started with. */
  readonly opened: readonly string[]
  /** The addresses with the token that were printed for other machines. */
  readonly denied: readonly string[]
  /** The status of a request to open a place. */
  open(place: string, headers?: Record<string, string>, method?: string): Promise<number>
}

async function editor({
  isInstalled = true,
  apps = [] as readonly string[],
} = {}): Promise<Editor> {
  const config = JSON.stringify({ apps })
  const files = { 'src/a b.ts': '', 'prompts.config.json': config }
  const project = await testProject(liveLock({}), { files })
  const opened: string[] = []
  const denied: string[] = []
  const { url } = await servedPage(project, {
    launch: async (place) => isInstalled && opened.push(place) > 0,
    onTokenMissing: (address) => denied.push(address),
  })
  const { origin } = new URL(url)
  return {
    root: project.root,
    origin,
    opened,
    denied,
    open: (place, headers = { origin }, method = 'POST') =>
      new Promise((resolve, reject) => {
        const address = `${url}${OPEN}?file=${encodeURIComponent(place)}`
        const sent = request(address, { method, headers }, (response) => {
          response.resume()
          resolve(response.statusCode ?? 0)
        })
        sent.on('error', reject).end()
      }),
  }
}

describe('the editor is started', () => {
  test.each([
    ['src/a b.ts', 'src/a b.ts:1:1'],
    ['src/a b.ts:3', 'src/a b.ts:3:1'],
    ['src/a b.ts:3:7', 'src/a b.ts:3:7'],
    ['src/../src/a b.ts:3', 'src/a b.ts:3:1'],
  ])('at the line and column of a file of the project: %s', async (place, want) => {
    const { root, opened, open } = await editor()
    expect(await open(`${root}/${place}`)).toBe(200)
    expect(opened).toEqual([join(root, want)])
  })

  test('at a file of another app with the lock', async () => {
    const other = await appFolder({ 'package.json': '{}', 'main.ts': '' })
    const { opened, open } = await editor({ apps: [`../${basename(other)}`] })
    expect(await open(`${other}/main.ts:2`)).toBe(200)
    expect(opened).toEqual([join(other, 'main.ts:2:1')])
  })

  test('or the answer is 500 if there is none', async () => {
    const { root, open } = await editor({ isInstalled: false })
    expect(await open(`${root}/src/a b.ts`)).toBe(500)
  })
})

describe('the editor is not started', () => {
  test.each<[string, Record<string, string>]>([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['no origin', {}],
    ['a foreign host', { host: 'evil.example', origin: 'http://evil.example' }],
  ])('for %s', async (_, headers) => {
    const { root, opened, open } = await editor()
    expect(await open(`${root}/src/a b.ts`, headers)).toBe(403)
    expect(opened).toEqual([])
  })

  test('for a client on another machine, even with the token', async () => {
    const { root, origin, opened, denied, open } = await editor()
    const file = `${root}/src/a b.ts`
    const elsewhere = { origin, 'x-forwarded-for': '192.0.2.1' }
    expect(await open(file, elsewhere)).toBe(403)
    const token = new URL(denied[0] ?? '').searchParams.get('token') ?? ''
    const withToken = { ...elsewhere, 'x-prompts-token': token }
    expect(await open(file, withToken, 'GET')).toBe(405)
    expect(await open(file, withToken)).toBe(403)
    expect(opened).toEqual([])
  })

  test('by a link, which sends GET', async () => {
    const { root, opened, open } = await editor()
    expect(await open(`${root}/src/a b.ts`, {}, 'GET')).toBe(405)
    expect(opened).toEqual([])
  })

  test('for anything but a file in the project', async () => {
    const { root, opened, open } = await editor()
    const elsewhere = await temporaryFolder()
    await writeFile(join(elsewhere, 'secret.ts'), '')
    await symlink(join(elsewhere, 'secret.ts'), join(root, 'link.ts'))
    await symlink(elsewhere, join(root, 'linked'))
    for (const place of [
      '',
      root,
      `${root}/src`,
      `${root}/absent.ts:1`,
      `${root}/link.ts`,
      `${root}/linked/secret.ts:1`,
      `${root}/../${elsewhere.split('/').at(-1)}/secret.ts`,
      `${root}/src/a b.ts\0`,
      `${root}/src/a b.ts --wait`,
      `file://${root}/src/a b.ts`,
      join(elsewhere, 'secret.ts:1:1'),
    ]) {
      expect({ place, status: await open(place) }).toEqual({ place, status: 404 })
    }
    expect(opened).toEqual([])
  })
})
