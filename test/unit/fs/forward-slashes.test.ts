import { expect, test } from 'vitest'
import { forwardSlashes } from '../../../src/fs/forward-slashes.ts'

test('a path of Windows gets forward slashes', () => {
  expect(forwardSlashes('C:\\app\\src/main.ts', '\\')).toBe('C:/app/src/main.ts')
})

test('a backslash in a name stays where folders are separated by slashes', () => {
  expect(forwardSlashes('src/a\\b.ts', '/')).toBe('src/a\\b.ts')
})

test('this machine decides which it is', () => {
  const windows = process.platform === 'win32'
  expect(forwardSlashes('src\\main.ts')).toBe(windows ? 'src/main.ts' : 'src\\main.ts')
})
