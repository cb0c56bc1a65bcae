import type { existsSync } from 'node:fs'
import type * as nodePath from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { foreignFiles, ignoredFiles } from '../../../src/judge/own-files.ts'

const files = new Set(['C:/mono/.git', 'C:/mono/prompts.lock.json', 'C:/mono/a/data/my.lock.json'])

vi.mock('node:path', async (original) => {
  const { win32 } = await original<typeof nodePath>()
  return { ...win32, default: win32 }
})
vi.mock('node:fs', async (original) => ({
  ...(await original<object>()),
  existsSync: ((path) => files.has(String(path).replaceAll('\\', '/'))) satisfies typeof existsSync,
}))
vi.mock('node:child_process', () => {
  const run = async () => ({ stdout: 'a/src/main.ts\0' })
  return { execFile: Object.assign(run, { [promisify.custom]: run }) }
})

const ROOT = String.raw`C:\mono\a`

test('on Windows, a file that git ignores is ignored with the slashes of TypeScript', async () => {
  const isIgnored = await ignoredFiles(String.raw`C:\mono`)
  const paths = ['C:/mono/a/src/main.ts', 'C:/mono/a/src/generated/client.ts']
  expect(paths.filter(isIgnored)).toEqual(['C:/mono/a/src/generated/client.ts'])
})

test('on Windows, code with the slashes of TypeScript is that of its app, whatever lock is above', () => {
  const isForeign = foreignFiles({ root: ROOT, lockPath: String.raw`${ROOT}\data\my.lock.json` })
  const paths = ['C:/mono/a/src/x.ts', String.raw`C:\mono\a\src\x.ts`, 'C:/mono/b/x.ts']
  expect(paths.filter(isForeign)).toEqual(['C:/mono/b/x.ts'])
})
