import { describe, expect, test } from 'vitest'
import { whileHeld } from '../../src/io/while-held.ts'

/** Work that is refused with each of some codes, one time after the other, and then done. */
function refused(...codes: readonly string[]): { work: () => Promise<void>; times: () => number } {
  let times = 0
  const work = async (): Promise<void> => {
    const code = codes[times++]
    if (code !== undefined) throw Object.assign(new Error('refused'), { code })
  }
  return { work, times: () => times }
}

describe('work on a file that another program holds', () => {
  test('is done when it is let go', async () => {
    const { work, times } = refused('EPERM', 'EBUSY', 'EACCES')
    await whileHeld(work, [0, 0, 0])
    expect(times()).toBe(4)
  })

  test('is given up with the last refusal when the waits are over', async () => {
    const { work, times } = refused('EPERM', 'EBUSY', 'EACCES')
    await expect(whileHeld(work, [0, 0])).rejects.toMatchObject({ code: 'EACCES' })
    expect(times()).toBe(3)
  })

  test.each([[[]], [[0, 0]]])(
    'is given up at once for another reason, with the waits %j',
    async (waits) => {
      const { work, times } = refused('ENOSPC')
      await expect(whileHeld(work, waits)).rejects.toMatchObject({ code: 'ENOSPC' })
      expect(times()).toBe(1)
    },
  )

  test('is given up at once where a refusal is for good', async () => {
    const { work, times } = refused('EPERM')
    await expect(whileHeld(work, [])).rejects.toMatchObject({ code: 'EPERM' })
    expect(times()).toBe(1)
  })
})
