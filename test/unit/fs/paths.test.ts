import { posix, win32 } from 'node:path'
import { describe, expect, test } from 'vitest'
import { annotationLines } from '../../../src/cli/commands/check.ts'
import { displayPath } from '../../../src/cli/project/project-command.ts'
import { relativeInside, toForwardSlashes } from '../../../src/fs/paths.ts'

describe('the path relative to a folder', () => {
  const app = String.raw`C:\app`

  test.each([
    ['POSIX', '/app', '/app/src/main.ts', 'src/main.ts', posix],
    ['POSIX', '/app', '/app', '', posix],
    ['POSIX', '/app', '/app/..x/main.ts', '..x/main.ts', posix],
    ['POSIX', '/app', '/app/..', undefined, posix],
    ['POSIX', '/app', '/', undefined, posix],
    ['POSIX', '/app', '/apple/main.ts', undefined, posix],
    ['POSIX', '/app', '/..app/main.ts', undefined, posix],
    ['POSIX', '/', '/app', 'app', posix],
    ['Windows', app, String.raw`C:\app\..x\main.ts`, String.raw`..x\main.ts`, win32],
    ['Windows', app, String.raw`c:\APP\main.ts`, 'main.ts', win32],
    ['Windows', app, String.raw`C:\other`, undefined, win32],
    ['Windows', app, String.raw`D:\app\main.ts`, undefined, win32],
    ['Windows', app, String.raw`\\server\share\app`, undefined, win32],
  ])('is on %s from %s to %s: %j', (_, folder, path, want, system) => {
    expect(relativeInside(folder, path, system)).toBe(want)
  })

  test('is what output shows; a path outside is shown whole', () => {
    const cwd = process.cwd()
    expect(displayPath(`${cwd}/..x/a`, { cwd })).toBe('..x/a')
    expect(displayPath(cwd, { cwd })).toBe(cwd)
    expect(displayPath('/elsewhere/a', { cwd })).toBe('/elsewhere/a')
  })

  test.each([
    ['/repository/..x/prompts.lock.json', '..x/prompts.lock.json'],
    ['/elsewhere/prompts.lock.json', '/elsewhere/prompts.lock.json'],
  ])('is the file of an annotation for %s', (file, want) => {
    const finding = {
      kind: 'lock-broken',
      severity: 'error',
      message: '',
      fix: '',
      line: 7,
    } as const
    const findings = [{ ...finding, file }]
    const step = { name: 'lock', state: 'error', message: '', findings } as const
    const around = { cwd: '/', env: { GITHUB_WORKSPACE: '/repository' } }
    const result = { steps: [step], impact: undefined, root: '/repository' }
    expect(annotationLines(result, around).join()).toContain(`file=${want},line=7`)
  })
})

const NATIVE = process.platform === 'win32' ? 'src/main.ts' : 'src\\main.ts'

test.each([
  ['a Windows path gets forward slashes', 'C:\\app\\src/main.ts', '\\', 'C:/app/src/main.ts'],
  ['a backslash in a name stays if slashes separate folders', 'src/a\\b.ts', '/', 'src/a\\b.ts'],
  ['the separator of the system is the default', 'src\\main.ts', undefined, NATIVE],
])('%s', (_, path, separator, want) => {
  expect(toForwardSlashes(path, separator)).toBe(want)
})
