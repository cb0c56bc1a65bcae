import { expect, test } from 'vitest'
import { catalogue } from '../../src/errors/catalogue.ts'
import { folderWith, prompts } from '../helpers/cli.ts'

test('prompts explain lists every code without an argument, one line each', async () => {
  const cwd = await folderWith()
  const { stdout } = await prompts(['explain'], { cwd })
  const { json } = await prompts(['explain', '--json'], { cwd })
  const codes = Object.keys(catalogue)
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map((line) => line.split(' ')[0])).toStrictEqual(codes)
  expect(json.errors.map(({ code }: { code: string }) => code)).toStrictEqual(codes)
})

test('prompts explain prints one error as JSON, by its code in lower case and with hyphens', async () => {
  const run = await prompts(['explain', 'port-unavailable', '--json'], { cwd: await folderWith() })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  const text = expect.any(String)
  expect(run.json).toStrictEqual({
    errors: [{ code: 'PORT_UNAVAILABLE', why: text, fix: text, background: null }],
  })
})

test('prompts explain is suggested by errors with more background, and not in JSON', async () => {
  const cwd = await folderWith()
  const key = await prompts(['pull'], { cwd })
  expect(key.stderr).toMatch(/KEY_MISSING.*`npx prompts explain KEY_MISSING`/s)
  expect((await prompts(['list'], { cwd })).stderr).not.toContain('explain')
  expect((await prompts(['pull', '--json'], { cwd })).stdout).not.toContain('explain')
})
