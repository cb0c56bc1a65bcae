import { expect, test } from 'vitest'
import { retryOnBusy } from '../../../src/fs/replace-file.ts'

/** Work that is refused with each of some codes, one time after the other, and then done. */
function refused(...codes: readonly string[]): { work: () => Promise<void>; times: () => number } {
  let times = 0
  const work = async (): Promise<void> => {
    const code = codes[times++]
    if (code !== undefined) throw Object.assign(new Error('refused'), { code })
  }
  return { work, times: () => times }
}

test('work on a file that another program has open succeeds when it is released', async () => {
  const { work, times } = refused('EPERM', 'EBUSY', 'EACCES')
  await retryOnBusy(work, [0, 0, 0])
  expect(times()).toBe(4)
})

test.each([
  ['its last error after the waits', ['EPERM', 'EBUSY', 'EACCES'], [0, 0], 3, 'EACCES'],
  ['an error of another kind at once', ['ENOSPC'], [0, 0], 1, 'ENOSPC'],
  ['any error at once without waits', ['EPERM'], [], 1, 'EPERM'],
])('work on a file fails with %s', async (_, codes, waits, count, code) => {
  const { work, times } = refused(...codes)
  await expect(retryOnBusy(work, waits)).rejects.toMatchObject({ code })
  expect(times()).toBe(count)
})
