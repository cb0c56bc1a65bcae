import { symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { appFolder } from '../../helpers/app-folder.ts'
import { act, type Question } from '../../helpers/page/ask.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { servedPage, testProject } from '../../helpers/page/project.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

interface Editor {
  readonly root: string
  /** The places that the editor was started with. */
  readonly opened: readonly string[]
  /** The status of a request to open a place. */
  open(place: string, question?: Question): Promise<number>
}

async function editor({
  isInstalled = true,
  apps = [] as readonly string[],
} = {}): Promise<Editor> {
  const config = JSON.stringify({ apps })
  const files = { 'src/a b.ts': '', 'prompts.config.json': config }
  const project = await testProject(liveLock({}), { files })
  const opened: string[] = []
  const { url } = await servedPage(project, {
    launch: async (place) => isInstalled && opened.push(place) > 0,
  })
  return {
    root: project.root,
    opened,
    open: async (file, question = {}) =>
      (await act(url, 'open', { body: JSON.stringify({ file }), ...question })).status,
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
  test.each<[string, Question]>([
    ['a foreign origin', { headers: { origin: 'https://evil.example' } }],
    ['a form of another site', { headers: { 'content-type': 'text/plain' } }],
    ['a proxy', { headers: { 'x-forwarded-for': '192.0.2.1' } }],
  ])('for %s', async (_, question) => {
    const { root, opened, open } = await editor()
    expect(await open(`${root}/src/a b.ts`, question)).toBe(403)
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
