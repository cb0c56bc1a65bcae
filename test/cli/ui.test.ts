import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { prompts, start } from '../helpers/cli.ts'
import { ask } from '../helpers/page/ask.ts'
import { servedProject } from '../helpers/pinned-project.ts'

test('prompts ui serves the page from the lock, on this machine, until it is interrupted', async () => {
  const { cwd } = await servedProject([{ slug: 'a', version: 'v1' }])
  const child = start(['ui', '--port', '0', '--json'], { cwd })
  const [line] = await once(createInterface(child.stdout), 'line')
  const { url } = JSON.parse(line) as { url: string }
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
  expect((await ask(`${url}prompts`)).body).toContain('1 prompt pinned')
  const second = await prompts(['ui', '--port', new URL(url).port], { cwd })
  const stderr = expect.stringContaining('PORT_UNAVAILABLE')
  expect(second).toMatchObject({ code: 1, stderr })
  child.kill('SIGINT')
  expect(await child.code).toBe(130)
  await expect(fetch(url)).rejects.toBeInstanceOf(TypeError)
})
