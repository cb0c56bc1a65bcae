import { describe, expect, test } from 'vitest'
import { promptsOnTerminal } from '../helpers/binary.ts'
import { appWithUpdate } from '../helpers/breaking-update.ts'
import { filesIn, folderWith } from '../helpers/cli.ts'
import { testService } from '../helpers/local-service.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'

const PROMPTS = Array.from({ length: 30 }, (_, index) => ({
  slug: `prompt-${index}`,
  version: 'v1',
}))
const ERASE = '\r\u001b[2K'

describe('on a terminal', () => {
  test('a pull draws a bar, clears it, and prints in colours', async () => {
    const { live: env } = await testService(PROMPTS, { latency: 100 })
    const { code, output } = await promptsOnTerminal(['pull'], { cwd: await folderWith(), env })
    expect(code).toBe(0)
    const drawings = output.split(ERASE)
    expect(drawings[1]).toContain('Pulling from http://127.0.0.1:')
    expect(drawings.filter((drawing) => drawing.includes('━')).length).toBeGreaterThan(1)
    expect(drawings.at(-2)).toContain('30/30')
    expect(drawings.at(-1)).toContain('\u001b[32m+ added\u001b[39m')
    expect(drawings.at(-1)).not.toContain('━')
  })

  test('Ctrl-C clears the bar, exits with 130 and writes nothing', async () => {
    const { live: env } = await testService(PROMPTS, { latency: 300 })
    const cwd = await folderWith()
    const steps = [{ await: '1/30', send: '\u0003' }]
    const { code, output } = await promptsOnTerminal(['pull'], { cwd, env, steps })
    expect(code).toBe(130)
    expect(output.split(ERASE).at(-1)).toContain('Interrupted.')
    expect(await filesIn(cwd)).toStrictEqual({})
  })

  test('Ctrl-C ends a check of the app at once, and keys typed before a question do not answer it', async () => {
    const app = await appWithUpdate()
    const before = await filesIn(app.cwd)
    const checking = 'Checking what the update breaks'
    const stop = [{ await: checking, send: '\u0003' }]
    const stopped = await promptsOnTerminal(['pull'], { ...app, steps: stop })
    expect(stopped.code).toBe(130)
    // The check did not run to its end.
    expect(stopped.output).not.toContain('breaks src/main.ts')
    // Up and Enter would write anyway.
    const early = { await: checking, send: '\u001b[A\r' }
    const steps = [early, { await: 'What now?', send: '\u0003' }]
    expect((await promptsOnTerminal(['pull'], { ...app, steps })).code).toBe(130)
    expect(await filesIn(app.cwd)).toStrictEqual(before)
  })

  test('a terminal without a size counts as 80 columns wide', async () => {
    const cwd = await pinnedProject(await testService(PROMPTS))
    const { output } = await promptsOnTerminal(['list'], { cwd, columns: 0 })
    expect(output).toContain('prompt-29   v1')
  })
})
