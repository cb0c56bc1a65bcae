import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'

/** The disk is that of this machine, so only paths below a folder are as on Windows. */
async function onWindows(): Promise<typeof import('../../helpers/project.ts')> {
  vi.resetModules()
  vi.doMock('node:path', async (original) => {
    const path = await original<typeof import('node:path')>()
    const joined: typeof path.join = (...parts) =>
      path.posix.isAbsolute(parts[0] ?? '') ? path.join(...parts) : path.win32.join(...parts)
    return { ...path, join: joined, default: { ...path, join: joined } }
  })
  return import('../../helpers/project.ts')
}

afterAll(() => {
  vi.doUnmock('node:path')
  vi.resetModules()
})

test.each(['{apps,packages}/*', 'packages/*/app'])(
  'on Windows, %s matches an app two folders below',
  async (apps) => {
    const { openTestProject } = await onWindows()
    const files = { 'packages/app/app/package.json': '{}', 'packages/app/package.json': '{}' }
    const { project, root } = await openTestProject({ files, options: { apps } })
    const folders = (await project.apps()).slice(1).map((app) => app.root)
    const below = apps.endsWith('app') ? 'packages/app/app' : 'packages/app'
    expect(folders).toContain(join(root, below))
  },
)
