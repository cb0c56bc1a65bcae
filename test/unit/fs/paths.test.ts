import { posix, win32 } from 'node:path'
import { describe, expect, test } from 'vitest'
import { annotationLines } from '../../../src/cli/commands/check/github.ts'
import { displayPath } from '../../../src/cli/project/project-command.ts'
import { relativeInside, toForwardSlashes } from '../../../src/fs/paths.ts'

describe('the path relative to a folder', () => {
  test.each([
    ['/app', '/app/src/main.ts', 'src/main.ts'],
    ['/app', '/app', ''],
    ['/app', '/app/..x/main.ts', '..x/main.ts'],
    ['/app', '/app/..', undefined],
    ['/app', '/', undefined],
    ['/app', '/apple/main.ts', undefined],
    ['/app', '/..app/main.ts', undefined],
    ['/', '/app', 'app'],
  ])('from %s to %s is %j', (folder, path, want) => {
    expect(relativeInside(folder, path, posix)).toBe(want)
  })

  test.each([
    [String.raw`C:\app`, String.raw`C:\app\..x\main.ts`, String.raw`..x\main.ts`],
    [String.raw`C:\app`, String.raw`c:\APP\main.ts`, 'main.ts'],
    [String.raw`C:\app`, String.raw`C:\other`, undefined],
    [String.raw`C:\app`, String.raw`D:\app\main.ts`, undefined],
    [String.raw`C:\app`, String.raw`\\server\share\app`, undefined],
  ])('on Windows, from %s to %s is %j', (folder, path, want) => {
    expect(relativeInside(folder, path, win32)).toBe(want)
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
      severity: 'fault',
      message: '',
      fix: '',
      line: 7,
    } as const
    const report = { findings: [{ ...finding, file }], failure: undefined }
    const around = { cwd: '/', env: { GITHUB_WORKSPACE: '/repository' } }
    expect(annotationLines(report, around).join()).toContain(`file=${want},line=7`)
  })
})

test('a Windows path gets forward slashes', () => {
  expect(toForwardSlashes('C:\\app\\src/main.ts', '\\')).toBe('C:/app/src/main.ts')
})

test('a backslash in a name stays if slashes separate folders', () => {
  expect(toForwardSlashes('src/a\\b.ts', '/')).toBe('src/a\\b.ts')
})

test('the separator of the operating system is the default', () => {
  const windows = process.platform === 'win32'
  expect(toForwardSlashes('src\\main.ts')).toBe(windows ? 'src/main.ts' : 'src\\main.ts')
})
