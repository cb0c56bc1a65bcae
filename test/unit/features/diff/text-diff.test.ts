import { expect, test } from 'vitest'
import { diffTexts } from '../../../../src/features/diff/text-diff.ts'

test('a new text of 200,000 lines is one hunk', () => {
  const [hunk, ...others] = diffTexts('', 'a\n'.repeat(200_000))
  expect(hunk).toHaveLength(200_000)
  expect(others).toEqual([])
})
