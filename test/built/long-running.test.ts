import { once } from 'node:events'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import { promptsOnTerminal, startBinary, variables } from '../helpers/binary.ts'
import { folderWith } from '../helpers/cli.ts'
import { testService } from '../helpers/local-service.ts'
import { liveLock, lockText } from '../helpers/pinned.ts'
import { ask, openEvents } from '../helpers/page/ask.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'
import { SOON } from '../helpers/soon.ts'

const CTRL_C = '\u0003'

test.each(['serve --example --port 0', 'ui --no-open --port 0'])(
  'Ctrl-C ends prompts %s with one line',
  async (line) => {
    const cwd = await pinnedProject(await testService([{ slug: 'a', version: 'v1' }]))
    const steps = [{ await: 'Press Ctrl-C to stop.', send: CTRL_C }]
    const call = { cwd, env: { NO_COLOR: '1' }, steps }
    const { code, output } = await promptsOnTerminal(line.split(' '), call)
    expect(code).toBe(130)
    expect(output.slice(output.lastIndexOf('\r\u001b[2K') + 5)).toBe('Stopped.\r\n')
  },
)

/** `prompts ui` with code that runs in each thread that it starts, and the address of the page. */
async function startUi(code: string) {
  const cwd = await pinnedProject(await testService([{ slug: 'a', version: 'v1' }]))
  const text = `import { writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
if (!isMainThread) { ${code} }
`
  const folder = await folderWith({ 'in-thread.mjs': text })
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(join(folder, 'in-thread.mjs'))}` }
  const child = startBinary(['ui', '--no-open', '--port', '0', '--json'], { cwd, env })
  const [line] = await once(createInterface(child.stdout), 'line')
  const { url } = JSON.parse(line) as { url: string }
  return { cwd, child, url }
}

test('prompts ui ends while the app is analysed', async () => {
  const wait = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'
  const { child, url } = await startUi(`writeSync(2, 'stalled'); ${wait}`)
  await openEvents(url)
  const [text] = await once(child.stderr, 'data')
  expect(String(text)).toBe('stalled')
  child.kill('SIGINT')
  expect(await child.code).toBe(130)
})

test('prompts ui analyses the app in one thread, and ends while that waits for more', async () => {
  const { cwd, child, url } = await startUi(`writeSync(2, 'thread\\n')`)
  let started = ''
  child.stderr.on('data', (text) => (started += String(text)))
  await openEvents(url)
  const analysed = (slug: string): Promise<void> =>
    vi.waitFor(async () => {
      const { body } = await ask(`${url}prompts/${slug}`)
      expect(body).toContain('No code uses it.')
    }, SOON)
  await analysed('a')
  await writeFile(join(cwd, 'prompts.lock.json'), lockText(liveLock({ slug: 'b' })))
  await analysed('b')
  expect(started).toBe('thread\n')
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
  const [url] = /http:\S+:\d+\//.exec(output) ?? []
  await vi.waitFor(async () => expect(await readFile(opened, 'utf8')).toBe(`${url}\n`), SOON)
})
