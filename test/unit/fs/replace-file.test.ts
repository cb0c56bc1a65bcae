import { describe, expect, test } from 'vitest'
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

describe('work on a file that another program has open', () => {
  test('succeeds when the file is released', async () => {
    const { work, times } = refused('EPERM', 'EBUSY', 'EACCES')
    await retryOnBusy(work, [0, 0, 0])
    expect(times()).toBe(4)
  })

  test('fails with the last error when the waits are over', async () => {
    const { work, times } = refused('EPERM', 'EBUSY', 'EACCES')
    await expect(retryOnBusy(work, [0, 0])).rejects.toMatchObject({ code: 'EACCES' })
    expect(times()).toBe(3)
  })

  test.each([[[]], [[0, 0]]])(
    'fails at once with an error of another kind, with the waits %j',
    async (waits) => {
      const { work, times } = refused('ENOSPC')
      await expect(retryOnBusy(work, waits)).rejects.toMatchObject({ code: 'ENOSPC' })
      expect(times()).toBe(1)
    },
  )

  test('fails immediately without delays', async () => {
    const { work, times } = refused('EPERM')
    await expect(retryOnBusy(work, [])).rejects.toMatchObject({ code: 'EPERM' })
    expect(times()).toBe(1)
  })
})
