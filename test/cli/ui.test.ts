import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test, vi } from 'vitest'
import { prompts, start } from '../helpers/cli.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { ask, openEvents } from '../helpers/page/ask.ts'
import { appWithPrompts, servedProject } from '../helpers/pinned-project.ts'
import { SOON } from '../helpers/soon.ts'

test('prompts ui serves the page from the lock, on this machine, and follows it until it is interrupted', async () => {
  const { cwd } = await servedProject([{ slug: 'a', version: 'v1' }])
  const child = start(['ui', '--port', '0', '--json'], { cwd })
  const [line] = await once(createInterface(child.stdout), 'line')
  const { url } = JSON.parse(line) as { url: string }
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
  expect((await ask(`${url}prompts`)).body).toContain('1 prompt pinned')
  // With a lock that can't be read, nothing else is an event.
  const path = join(cwd, 'prompts.lock.json')
  const lock = await readFile(path, 'utf8')
  await writeFile(path, '<<<<<<< HEAD\n')
  const events = await openEvents(url)
  await writeFile(path, lock)
  await vi.waitFor(() => expect(events()).toContain('data:'), SOON)
  const second = await prompts(['ui', '--port', new URL(url).port], { cwd })
  const stderr = expect.stringContaining('PORT_UNAVAILABLE')
  expect(second).toMatchObject({ code: 1, stderr })
  child.kill('SIGINT')
  expect(await child.code).toBe(130)
  await expect(fetch(url)).rejects.toBeInstanceOf(TypeError)
})

test('prompts ui checks changed code again while a window is open', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { cwd } = await appWithPrompts([{ slug: 'a', version: 'v1' }], 'prompts.b.render()')
  commitAll(cwd)
  const child = start(['ui', '--port', '0', '--json', '--no-open'], { cwd })
  const [line] = await once(createInterface(child.stdout), 'line')
  const { url } = JSON.parse(line) as { url: string }
  const shows = (broken: boolean): Promise<void> =>
    vi.waitFor(async () => {
      const { body } = await ask(`${url}changes`)
      expect(body.includes('1 place does not compile with the lock')).toBe(broken)
    }, SOON)
  await openEvents(url)
  await shows(true)
  const main = join(cwd, 'src/main.ts')
  await writeFile(main, (await readFile(main, 'utf8')).replace('prompts.b', 'prompts.a'))
  vi.advanceTimersToNextTimer()
  await shows(false)
  child.kill('SIGINT')
  await child.code
})
