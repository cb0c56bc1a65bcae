import { promisify } from 'node:util'
import { afterAll, expect, test, vi } from 'vitest'

const files = new Set(['C:/mono/.git', 'C:/mono/prompts.lock.json', 'C:/mono/a/data/my.lock.json'])

async function onWindows(): Promise<typeof import('../../../src/judge/own-files.ts')> {
  vi.resetModules()
  vi.doMock('node:path', async (original) => {
    const { win32 } = await original<typeof import('node:path')>()
    return { ...win32, default: win32 }
  })
  vi.doMock('node:fs', async (original) => ({
    ...(await original<object>()),
    existsSync: (path: string) => files.has(path.replaceAll('\\', '/')),
  }))
  vi.doMock('node:child_process', () => {
    const run = async () => ({ stdout: 'a/src/main.ts\0' })
    return { execFile: Object.assign(run, { [promisify.custom]: run }) }
  })
  return import('../../../src/judge/own-files.ts')
}

afterAll(() => {
  for (const module of ['node:path', 'node:fs', 'node:child_process']) vi.doUnmock(module)
  vi.resetModules()
})

const ROOT = String.raw`C:\mono\a`

test('on Windows, a file that git ignores is ignored with the slashes of TypeScript', async () => {
  const { ignoredFiles } = await onWindows()
  const isIgnored = await ignoredFiles(String.raw`C:\mono`)
  const paths = ['C:/mono/a/src/main.ts', 'C:/mono/a/src/generated/client.ts']
  expect(paths.filter(isIgnored)).toEqual(['C:/mono/a/src/generated/client.ts'])
})

test('on Windows, code with the slashes of TypeScript is that of its app, whatever lock is above', async () => {
  const { foreignFiles } = await onWindows()
  const isForeign = foreignFiles({
    root: ROOT,
    name: 'prompts',
    lockPath: String.raw`${ROOT}\data\my.lock.json`,
  })
  const paths = ['C:/mono/a/src/x.ts', String.raw`C:\mono\a\src\x.ts`, 'C:/mono/b/x.ts']
  expect(paths.filter(isForeign)).toEqual(['C:/mono/b/x.ts'])
})
