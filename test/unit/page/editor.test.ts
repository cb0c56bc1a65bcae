import { symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { appFolder } from '../../helpers/app-folder.ts'
import { type Question, submit } from '../../helpers/page/ask.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { servedPage, testProject } from '../../helpers/page/project.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

interface Editor {
  readonly root: string
  /** The places that the editor was started with. */
  readonly opened: readonly string[]
  /** The status of a request to open a place. */
  open(place: string, headers?: Question['headers']): Promise<number>
}

async function editor({ isInstalled = true, apps = [] as string[] } = {}): Promise<Editor> {
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
    open: async (file, headers = {}) =>
      (await submit(`${url}prompts`, { open: file }, { headers })).status,
  }
}

test('the editor opens a line and column of a file of the project, and of another app with the lock', async () => {
  const other = await appFolder({ 'package.json': '{}', 'main.ts': '' })
  const { root, opened, open } = await editor({ apps: [`../${basename(other)}`] })
  for (const [place, want] of [
    ['src/a b.ts', join(root, 'src/a b.ts:1:1')],
    [join(root, 'src/a b.ts:3'), join(root, 'src/a b.ts:3:1')],
    [join(root, 'src/a b.ts:3:7'), join(root, 'src/a b.ts:3:7')],
    [`${root}/src/../src/a b.ts:3`, join(root, 'src/a b.ts:3:1')],
    [join(other, 'main.ts:2'), join(other, 'main.ts:2:1')],
  ] as const) {
    expect(await open(place)).toBe(204)
    expect(opened.at(-1)).toBe(want)
  }
})

test('a document says so if no editor is found', async () => {
  const { root, open } = await editor({ isInstalled: false })
  expect(await open(`${root}/src/a b.ts`)).toBe(303)
})

test('the editor is not started for a request of another site, or for anything but a file of the project', async () => {
  const { root, opened, open } = await editor()
  expect(await open(`${root}/src/a b.ts`, { origin: 'https://evil.example' })).toBe(403)
  const elsewhere = await temporaryFolder({ 'secret.ts': '' })
  await symlink(join(elsewhere, 'secret.ts'), join(root, 'link.ts'))
  await symlink(elsewhere, join(root, 'linked'))
  for (const place of [
    '',
    root,
    `${root}/src`,
    `${root}/absent.ts:1`,
    `${root}/link.ts`,
    `${root}/linked/secret.ts:1`,
    `${root}/../${basename(elsewhere)}/secret.ts`,
    `${root}/src/a b.ts\0`,
    `${root}/src/a b.ts --wait`,
    `file://${root}/src/a b.ts`,
    join(elsewhere, 'secret.ts:1:1'),
  ])
    expect({ place, status: await open(place) }).toEqual({ place, status: 303 })
  expect(opened).toEqual([])
})
