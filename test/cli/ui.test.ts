import { once } from 'node:events'
import { beforeAll, expect, test } from 'vitest'
import { Interruption } from '../../src/cli/shell/interruption.ts'
import { runCommandLine } from '../../src/cli/commands/main.ts'
import { prompts } from '../helpers/cli.ts'
import { testService } from '../helpers/local-service.ts'
import { liveLock } from '../helpers/pinned.ts'
import { act } from '../helpers/page/ask.ts'
import { buildPage } from '../helpers/page/built-page.ts'
import { testProject } from '../helpers/page/project.ts'
import { PassThrough } from 'node:stream'

beforeAll(() => buildPage())

test('`prompts ui` serves the page from the lock, on this machine, until it is interrupted', async () => {
  const { root } = await testProject(liveLock({}))
  const aborter = new AbortController()
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const exit = runCommandLine({
    argv: ['ui', '--port', '0', '--json'],
    stdin,
    stdout,
    stderr,
    env: {},
    cwd: root,
    signal: aborter.signal,
  })
  const [line] = (await once(stdout, 'data')) as [Buffer]
  const { url } = JSON.parse(line.toString()) as { url: string }
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
  expect(await (await fetch(url)).text()).toContain('<title>Prompts</title>')
  const { body } = await act(url, 'state')
  expect(JSON.parse(body)).toMatchObject({ lockError: null })
  aborter.abort(new Interruption('SIGINT'))
  expect(await exit).toBe(130)
  await expect(fetch(url)).rejects.toBeInstanceOf(TypeError)
})

test('`prompts ui` exits with an error if its port cannot be used', async () => {
  const service = await testService([])
  const { root } = await testProject(liveLock({}))
  const run = await prompts(['ui', '--port', `${service.server.port}`], { cwd: root })
  expect(run).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('PORT_UNAVAILABLE'),
  })
})
