import { expect, onTestFinished, test, vi } from 'vitest'
import { debug } from '../../../src/debug/debug.ts'

test.each([
  ['unplugin-prompts:*', true],
  ['*', true],
  ['vite:*, unplugin-prompts:lock', true],
  ['unplugin-prompts:service', false],
  ['*,-unplugin-prompts:lock', false],
  ['', false],
  [undefined, false],
  ['prompts:*', false],
  ['unplugin-prompts', false],
  ['vite:*, unplugin*', true],
  ['a b *', true],
])('DEBUG=%s prints messages of unplugin-prompts:lock, sanitized: %s', (selected, isPrinted) => {
  vi.stubEnv('DEBUG', selected)
  onTestFinished(() => void vi.unstubAllEnvs())
  const print = vi.fn<(line: string) => void>()
  debug('lock', () => 'read\u001b[2J', print)
  expect(print.mock.calls).toEqual(isPrinted ? [['unplugin-prompts:lock read']] : [])
})
