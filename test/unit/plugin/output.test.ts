import { describe, expect, test } from 'vitest'
import { type EmittedFile, refuseKey } from '../../../src/plugin/output.ts'
import { fakeHost, fakeProject } from '../../helpers/fake-project.ts'
import { rejection } from '../../helpers/service-client.ts'

const KEY = 'svc_live_Canary0123456789'

/** Inspects files by name; returns those that were read. */
async function inspect(
  contents: Readonly<Record<string, string | Uint8Array>>,
  options = {},
): Promise<string[]> {
  const reads: string[] = []
  const files = Object.entries(contents).map(([file, content]): EmittedFile => ({
    file,
    read() {
      reads.push(file)
      return content
    },
  }))
  await refuseKey(fakeHost(fakeProject({ options })), files)
  return reads
}

describe('the output of a build', () => {
  test.each([
    ['data.bin', Buffer.from(`\0\u00ff${KEY}\0`)],
    ['view.bin', Buffer.from(`012345${KEY}`).subarray(6)],
    ['escaped.js', Buffer.from(`"${KEY.replaceAll('C', String.raw`\u{43}`)}"`)],
    ['large.bin', Buffer.from(`${'\xff'.repeat(2 ** 24 - 3)}${KEY}`, 'latin1')],
  ])('is refused if %s contains the key', async (file, content) => {
    const error = await rejection(inspect({ 'a.js': '1', [file]: content }, { apiKey: KEY }))
    expect(error).toMatchObject({ code: 'KEY_IN_BUNDLE' })
    expect(error).toMatchObject({ message: expect.stringContaining(file) })
  })

  test('may contain another key, and is read once', async () => {
    const files = { 'a.js': KEY, 'b.css': KEY }
    expect(await inspect(files, { apiKey: `${KEY}0` })).toEqual(['a.js', 'b.css'])
  })

  test('is not read if there is no key', async () => {
    expect(await inspect({ 'a.js': KEY })).toEqual([])
  })
})
