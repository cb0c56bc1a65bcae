import { once } from 'node:events'
import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { promptsOnTerminal, startBinary, variables } from '../helpers/binary.ts'
import { folderWith } from '../helpers/cli.ts'
import { testService } from '../helpers/local-service.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'
import { SOON } from '../helpers/soon.ts'

const CTRL_C = '\u0003'

describe('a command that runs until Ctrl-C', () => {
  test.each([
    { args: ['serve', '--example', '--port', '0'] },
    { args: ['ui', '--no-open', '--port', '0'] },
    { args: ['generate', '--watch'] },
  ])('ends with one line: $args', async ({ args }) => {
    const cwd = await pinnedProject(await testService([{ slug: 'a', version: 'v1' }]))
    const steps = [{ await: 'Press Ctrl-C to stop.', send: CTRL_C }]
    const env = { NO_COLOR: '1' }
    const { code, output } = await promptsOnTerminal(args, { cwd, env, steps })
    expect(code).toBe(130)
    expect(output.slice(output.lastIndexOf('\r\u001b[2K') + 5)).toBe('Stopped.\r\n')
  })
})

test('prompts ui ends while the app is analysed', async () => {
  const cwd = await pinnedProject(await testService([{ slug: 'a', version: 'v1' }]))
  const stall = `import { writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
if (!isMainThread) {
  writeSync(2, 'stalled')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
`
  const folder = await folderWith({ 'stall.mjs': stall })
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(join(folder, 'stall.mjs'))}` }
  const child = startBinary(['ui', '--no-open', '--port', '0', '--json'], { cwd, env })
  const [line] = await once(createInterface(child.stdout), 'line')
  void fetch(`${JSON.parse(line).url}api/uses`).catch(() => undefined)
  const [text] = await once(child.stderr, 'data')
  expect(String(text)).toBe('stalled')
  child.kill('SIGINT')
  expect(await child.code).toBe(130)
})

test('prompts ui opens the browser on a terminal', async () => {
  const cwd = await pinnedProject(await testService([{ slug: 'a', version: 'v1' }]))
  const bin = await folderWith({ 'xdg-open': '#!/bin/sh\necho "$1" > "$OPENED"\n' })
  await chmod(join(bin, 'xdg-open'), 0o755)
  const opened = join(bin, 'opened')
  const PATH = `${bin}:${variables()['PATH']}`
  const steps = [{ await: 'Press Ctrl-C to stop.', send: CTRL_C }]
  const env = { DISPLAY: ':0', OPENED: opened, PATH }
  const { output } = await promptsOnTerminal(['ui', '--port', '0'], { cwd, env, steps })
  const [url] = /http:\S+__prompts\//.exec(output) ?? []
  await vi.waitFor(async () => expect(await readFile(opened, 'utf8')).toBe(`${url}\n`), SOON)
})
