import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { withFileLock } from '../../src/fs/file-lock.ts'
import { BINARY, finished, runBinary as prompts, startBinary as start } from '../helpers/binary.ts'
import { filesIn, start as startHere } from '../helpers/cli.ts'
import { testService, type TestService } from '../helpers/local-service.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'
import { SOON } from '../helpers/soon.ts'

const PROMPTS = Array.from({ length: 40 }, (_, index) => ({ slug: `p${index}`, version: 'v1' }))

/** A project with an outdated lock and a slow service. */
async function slowUpdate(): Promise<{ service: TestService; cwd: string }> {
  const fast = await testService(PROMPTS)
  const cwd = await pinnedProject(fast)
  const changed = PROMPTS.map((prompt) => ({ ...prompt, version: 'v2' }))
  return { service: await testService(changed, { latency: 300 }), cwd }
}

describe('an interrupted command', () => {
  test('ends a pull at once, leaves every file, and does not block the next one', async () => {
    const { service, cwd } = await slowUpdate()
    const before = await filesIn(cwd)
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      service.forget()
      const child = start(['pull'], { cwd, env: service.live })
      const run = finished(child)
      await vi.waitFor(() => expect(service.asked().length).toBeGreaterThan(5), SOON)
      child.kill(signal)
      const stderr = expect.stringMatching(/Interrupted\. The lock is unchanged\.\n$/)
      expect(await run).toEqual({ code, stdout: '', stderr })
      expect(await filesIn(cwd)).toStrictEqual(before)
      // It did not wait for the rest.
      expect(service.asked().length).toBeLessThan(40)
    }
    const next = await prompts(['pull', 'p1'], { cwd, env: service.live })
    expect(next).toMatchObject({ code: 0, stdout: expect.stringContaining('1 settings') })
  })

  test('leaves the lock alone, and does not deny a report that was written', async () => {
    const { service, cwd } = await slowUpdate()
    const path = join(cwd, 'prompts.lock.json')
    const report = join(cwd, 'report.md')
    const before = await readFile(path)
    await withFileLock({ path }, async () => {
      const child = startHere(['pull', '--report', report], { cwd, env: service.live })
      const run = finished(child)
      await vi.waitFor(() => expect(existsSync(report)).toBe(true), SOON)
      child.kill('SIGINT')
      const { code, stderr } = await run
      expect({ code, denied: /nothing/i.test(stderr) }).toEqual({ code: 130, denied: false })
    })
    expect(await readFile(path)).toEqual(before)
  })

  test.each(['diff --json', 'check --impact --json'])(
    'ends any command of the network with 130: %s',
    async (line) => {
      const { service, cwd } = await slowUpdate()
      const child = startHere(line.split(' '), { cwd, env: service.live })
      const run = finished(child)
      await vi.waitFor(() => expect(service.asked().length).toBeGreaterThan(0), SOON)
      child.kill('SIGINT')
      const { code, stdout, stderr } = await run
      expect({ code, stderr }).toStrictEqual({ code: 130, stderr: '' })
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'INTERRUPTED' } })
    },
  )
})

test('a reader that closes the pipe ends a command without an error', async () => {
  const cwd = await pinnedProject(await testService(PROMPTS))
  const child = start(['list'], { cwd })
  child.stdout.destroy()
  let stderr = ''
  child.stderr.on('data', (piece) => (stderr += String(piece)))
  expect(await child.code).toBe(0)
  expect(stderr).not.toContain('EPIPE')
})

test.runIf(existsSync('/dev/full'))(
  'output that cannot be written is an error, and no stack',
  async () => {
    const cwd = await pinnedProject(await testService(PROMPTS))
    for (const line of ['list >', 'list --json >', '--help >', 'list 2>']) {
      const command = `"${process.execPath}" "${BINARY}" ${line} /dev/full`
      const { status, stdout, stderr } = spawnSync(command, { cwd, encoding: 'utf8', shell: true })
      expect({ line, status }).toEqual({ line, status: 1 })
      expect(stderr + stdout).not.toMatch(/^\s+at /m)
      if (!line.endsWith('2>')) expect(stderr).toContain('OUTPUT_UNWRITABLE')
    }
  },
)
