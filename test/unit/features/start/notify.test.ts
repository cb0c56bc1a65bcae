import { expect, test } from 'vitest'
import { createNotify } from '../../../../src/features/start/notify.ts'
import { COMMAND, HOSTILE } from '../../../helpers/hostile.ts'
import { UNPRINTABLE } from '../../../helpers/unprintable.ts'

test('a message of a build or a start has its label, no controls and no command to a CI server', () => {
  const printed: string[] = []
  const notify = createNotify('billing', (level, text) => void printed.push(`${level} ${text}`))
  for (const text of HOSTILE) notify('warn', `Kept: ${text}\n${text}`)
  expect(printed).toHaveLength(HOSTILE.length)
  for (const text of printed) {
    expect(text).toMatch(/^warn \[billing\] Kept: /)
    expect(text.replaceAll('\n', '')).not.toMatch(UNPRINTABLE)
    expect(text).not.toMatch(COMMAND)
  }
})
