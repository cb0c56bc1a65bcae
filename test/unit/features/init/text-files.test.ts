import { expect, test } from 'vitest'
import { addExampleVariables } from '../../../../src/features/init/text-files.ts'

test('addExampleVariables names address and key, empty, and keeps what is there', () => {
  const text = addExampleVariables('OTHER=1')
  expect(text).toMatch(/^OTHER=1\n\n# .*\nPROMPTS_BASE_URL=\n# .*\nPROMPTS_API_KEY=\n$/)
  expect(addExampleVariables(text)).toBe(text)
  expect(addExampleVariables('PROMPTS_BASE_URL=x\n# PROMPTS_API_KEY=\n')).not.toContain(
    '\nPROMPTS_API_KEY=',
  )
})
