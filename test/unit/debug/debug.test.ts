import { expect, onTestFinished, test, vi } from 'vitest'
import { debug } from '../../../src/debug/debug.ts'

test.each([
  { selected: 'unplugin-prompts:*', printed: true },
  { selected: '*', printed: true },
  { selected: 'vite:*, unplugin-prompts:lock', printed: true },
  { selected: 'unplugin-prompts:service', printed: false },
  { selected: '*,-unplugin-prompts:lock', printed: false },
  { selected: '', printed: false },
])(
  'DEBUG=$selected prints messages of unplugin-prompts:lock: $printed',
  ({ selected, printed }) => {
    vi.stubEnv('DEBUG', selected)
    onTestFinished(() => void vi.unstubAllEnvs())
    const lines: string[] = []
    debug(
      'lock',
      () => 'read',
      (line) => lines.push(line),
    )
    expect(lines).toEqual(printed ? ['unplugin-prompts:lock read'] : [])
  },
)

test('a message is made safe to print', () => {
  vi.stubEnv('DEBUG', '*')
  onTestFinished(() => void vi.unstubAllEnvs())
  const lines: string[] = []
  debug(
    'lock',
    () => 'a\u001b[2J',
    (line) => lines.push(line),
  )
  expect(lines.join('')).not.toContain('\u001b')
})
