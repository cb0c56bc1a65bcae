import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runBinary } from '../../helpers/binary.ts'

const PLAYGROUND = join(import.meta.dirname, '../../../playground')

test('the committed declarations of the playground are those of its lock, and every use is checked', async () => {
  const run = await runBinary(['check', '--offline'], { cwd: PLAYGROUND })
  expect(run, 'Run `node ../dist/cli.js generate` in playground/.').toMatchObject({ code: 0 })
  const { stdout } = await runBinary(['list', '--usage', '--json'], { cwd: PLAYGROUND })
  expect(stdout).toMatch(/"kind": "compile"[^]*"escapes": \[\]/)
  expect(stdout).not.toContain('"kind": "not-checked"')
})

test('npm start shows a break before it is written, in 60 lines, and leaves lock and code as they are', async () => {
  const files = ['prompts.lock.json', 'prompts.d.ts', 'workspace.yaml', 'src/reply.ts']
  const texts = (): Promise<string[]> =>
    Promise.all(files.map((file) => readFile(join(PLAYGROUND, file), 'utf8')))
  const before = await texts()
  const { stdout, stderr } = await promisify(execFile)('node', [join(PLAYGROUND, 'start.js')])
  expect(stdout + stderr).toMatch(/src\/reply\.ts:14:\d+/)
  expect(stdout).toMatch(
    /v11 \(live\) or v12 \(staging\).*\n +live +│ At most 130 .*\n +staging │ At most 90 /,
  )
  expect(stdout).not.toContain('{{')
  expect(stdout).toMatch(/The same \d+ bytes/)
  expect((stdout + stderr).trim().split('\n').length).toBeLessThanOrEqual(60)
  expect(await texts()).toEqual(before)
}, 60_000)
