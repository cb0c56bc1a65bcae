import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { BINARY, finished, runBinary as prompts, startBinary as start } from '../helpers/binary.ts'
import { filesIn } from '../helpers/cli.ts'
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
  test.each([
    { signal: 'SIGINT', code: 130 },
    { signal: 'SIGTERM', code: 143 },
  ] as const)(
    'ends at once with $code on $signal, and every file is as it was',
    async ({ signal, code }) => {
      const { service, cwd } = await slowUpdate()
      const before = await filesIn(cwd)
      const child = start(['pull'], { cwd, env: service.live })
      const run = finished(child)
      await vi.waitFor(() => expect(service.asked().length).toBeGreaterThan(5), SOON)
      child.kill(signal)
      expect(await run).toMatchObject({
        code,
        stdout: '',
        stderr: expect.stringMatching(/Interrupted\. Nothing was written\.\n$/),
      })
      expect(await filesIn(cwd)).toStrictEqual(before)
      // It did not wait for the rest.
      expect(service.asked().length).toBeLessThan(40)
    },
  )

  test.each([['diff'], ['check', '--impact'], ['list', '--updates']])(
    'may be of any kind: %s %s',
    async (...args) => {
      const { service, cwd } = await slowUpdate()
      const given = args.filter((arg) => arg !== undefined)
      const child = start([...given, '--json'], { cwd, env: service.live })
      const run = finished(child)
      await vi.waitFor(() => expect(service.asked().length).toBeGreaterThan(0), SOON)
      child.kill('SIGINT')
      const { code, stdout, stderr } = await run
      expect({ code, stderr }).toStrictEqual({ code: 130, stderr: '' })
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'INTERRUPTED' } })
    },
  )

  test('does not block the next one', async () => {
    const { service, cwd } = await slowUpdate()
    const child = start(['pull'], { cwd, env: service.live })
    const run = finished(child)
    await vi.waitFor(() => expect(service.asked().length).toBeGreaterThan(5), SOON)
    child.kill('SIGINT')
    await run
    const next = await prompts(['pull', 'p1'], { cwd, env: service.live })
    expect(next).toMatchObject({ code: 0, stdout: expect.stringContaining('1 settings') })
  })
})

describe('a reader that closes the pipe', () => {
  test('ends a command without an error', async () => {
    const cwd = await pinnedProject(await testService(PROMPTS))
    const child = start(['list'], { cwd })
    child.stdout.destroy()
    let stderr = ''
    child.stderr.on('data', (piece) => (stderr += String(piece)))
    const code = await child.code
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('EPIPE'),
    })
  })
})

describe.runIf(existsSync('/dev/full'))('output that can not be written', () => {
  test.each([
    ['list', '>'],
    ['list --json', '>'],
    ['--help', '>'],
    ['list', '2>'],
  ])('ends `%s %s /dev/full` with an error and no stack trace', async (args, operator) => {
    const cwd = await pinnedProject(await testService(PROMPTS))
    const command = `"${process.execPath}" "${BINARY}" ${args} ${operator} /dev/full`
    const { status, stdout, stderr } = spawnSync(command, { cwd, encoding: 'utf8', shell: true })
    expect(status).toBe(1)
    expect(stderr + stdout).not.toMatch(/^\s+at /m)
    if (operator === '>') expect(stderr).toContain('OUTPUT_UNWRITABLE')
  })
})
