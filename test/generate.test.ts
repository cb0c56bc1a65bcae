import { mkdir, readFile, rmdir, stat, utimes, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { declarationsHeader } from '../src/emit/declarations-header.ts'
import { declarationsAreCurrent, writeDeclarations } from '../src/generate.ts'
import { sha256 } from '../src/io/digest.ts'
import { liveLock } from './helpers/pinned.ts'
import { rejection } from './helpers/service-client.ts'
import { temporaryFolder } from './helpers/temporary-folder.ts'

const LOCK = liveLock({ slug: 'a' })

async function target(text?: string): Promise<{ root: string; dts: string }> {
  const root = await temporaryFolder()
  const dts = join(root, 'prompts.d.ts')
  if (text !== undefined) await writeFile(dts, text)
  return { root, dts }
}

/** Whether this process has loaded ts-morph. */
function hasLoadedTsMorph(): boolean {
  const { cache } = createRequire(import.meta.url)
  return Object.keys(cache).some((path) => path.includes('/node_modules/ts-morph/'))
}

// The first test of the file: later ones load ts-morph, and Vitest gives each file its own modules.
test('current declarations are left alone, and ts-morph is not even loaded', async () => {
  const text = `${declarationsHeader(LOCK, sha256)}// the rest does not matter\n`
  const current = await target(text)
  expect(await writeDeclarations(LOCK, current)).toBe('unchanged')
  expect(await readFile(current.dts, 'utf8')).toBe(text)
  expect(hasLoadedTsMorph()).toBe(false)
  await writeDeclarations(LOCK, await target())
  expect(hasLoadedTsMorph()).toBe(true)
})

describe('declarations', () => {
  test('are written where there are none', async () => {
    const files = await target()
    expect(await declarationsAreCurrent(LOCK, files)).toBe(false)
    expect(await writeDeclarations(LOCK, files)).toBe('written')
    expect(await declarationsAreCurrent(LOCK, files)).toBe(true)
    expect(await readFile(files.dts, 'utf8')).toContain('readonly "a": Prompt<"a", "v22", never>')
  })

  test('are written with the folder that they are to lie in', async () => {
    const { root } = await target()
    const files = { root, dts: join(root, 'shared/types/prompts.d.ts'), lock: join(root, 'l.json') }
    expect(await writeDeclarations(LOCK, files)).toBe('written')
    expect(await declarationsAreCurrent(LOCK, files)).toBe(true)
  })

  test('are written once: the second time nothing is touched', async () => {
    const files = await target()
    await writeDeclarations(LOCK, files)
    await utimes(files.dts, 1, 1)
    expect(await writeDeclarations(LOCK, files)).toBe('unchanged')
    expect((await stat(files.dts)).mtimeMs).toBe(1000)
  })

  test('are written anew for another lock', async () => {
    const files = await target()
    await writeDeclarations(LOCK, files)
    expect(await writeDeclarations(liveLock({ slug: 'b' }), files)).toBe('written')
    expect(await readFile(files.dts, 'utf8')).not.toContain('"a"')
  })

  test('stay as they are in a CRLF checkout (FAULTS 52)', async () => {
    const files = await target()
    await writeDeclarations(LOCK, files)
    const text = (await readFile(files.dts, 'utf8')).replaceAll('\n', '\r\n')
    await writeFile(files.dts, text)
    expect(await writeDeclarations(LOCK, files)).toBe('unchanged')
    expect(await readFile(files.dts, 'utf8')).toBe(text)
  })

  test('never say that they are current before their map is (FAULTS 56)', async () => {
    const files = { ...(await target('old\n')), lock: '/project/prompts.lock.json' }
    await mkdir(`${files.dts}.map`)
    expect(await rejection(writeDeclarations(LOCK, files))).toMatchObject({
      code: 'FILE_UNWRITABLE',
      details: { path: `${files.dts}.map` },
    })
    expect(await readFile(files.dts, 'utf8')).toBe('old\n')
    await rmdir(`${files.dts}.map`)
    expect(await writeDeclarations(LOCK, files)).toBe('written')
    expect(await writeDeclarations(LOCK, files)).toBe('unchanged')
  })
})
