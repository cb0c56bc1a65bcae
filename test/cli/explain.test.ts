import { describe, expect, test } from 'vitest'
import { catalogue } from '../../src/errors/catalogue.ts'
import { folderWith, prompts } from '../helpers/cli.ts'

describe('prompts explain', () => {
  test('shows what a code means, its background and the fix, in any folder', async () => {
    const run = await prompts(['explain', 'LOCK_EDITED'], { cwd: await folderWith() })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const [code, why, more, fix] = run.stdout.split('\n\n')
    expect(code).toBe('LOCK_EDITED')
    expect(why).toContain('‹path›')
    expect(more).toContain('hash')
    expect(fix).toMatch(/^Fix: /)
    expect(Math.max(...run.stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80)
  })

  test('accepts a code in lower case and with hyphens', async () => {
    const run = await prompts(['explain', 'lock-missing'], { cwd: await folderWith() })
    expect(run.stdout).toMatch(/^LOCK_MISSING\n/)
  })

  test('suggests the code that was meant and exits with 2', async () => {
    const run = await prompts(['explain', 'LOCK_EDTED'], { cwd: await folderWith() })
    expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.stderr).toContain('LOCK_EDITED')
  })

  test('lists every code without an argument, one line each', async () => {
    const cwd = await folderWith()
    const plain = await prompts(['explain'], { cwd })
    const json = await prompts(['explain', '--json'], { cwd })
    const codes = Object.keys(catalogue)
    expect(
      plain.stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toStrictEqual(codes)
    const { errors } = JSON.parse(json.stdout)
    expect(errors.map(({ code }: { code: string }) => code)).toStrictEqual(codes)
  })

  test('prints one error as JSON, with null for a code without background', async () => {
    const cwd = await folderWith()
    const run = await prompts(['explain', 'PORT_UNAVAILABLE', '--json'], { cwd })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const text = expect.any(String)
    expect(JSON.parse(run.stdout)).toStrictEqual({
      errors: [{ code: 'PORT_UNAVAILABLE', why: text, fix: text, background: null }],
    })
  })

  test('is suggested by errors with more background, and not in JSON', async () => {
    const cwd = await folderWith()
    const key = await prompts(['pull'], { cwd })
    expect(key.stderr).toContain('KEY_MISSING')
    expect(key.stderr).toContain('`npx prompts explain KEY_MISSING`')
    const lock = await prompts(['list'], { cwd })
    expect(lock.stderr).toContain('LOCK_MISSING')
    expect(lock.stderr).not.toContain('explain')
    expect((await prompts(['pull', '--json'], { cwd })).stdout).not.toContain('explain')
  })
})
