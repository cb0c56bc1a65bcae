import { describe, expect, test } from 'vitest'
import { promptsOnTerminal } from '../helpers/binary.ts'
import { movedOn } from '../helpers/breaking-update.ts'
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

  test('Ctrl-C ends a check of the app at once', async () => {
    const { cwd, service } = await movedOn()
    const before = await filesIn(cwd)
    const steps = [{ await: 'Checking what the update breaks', send: '\u0003' }]
    const { code, output } = await promptsOnTerminal(['pull'], { cwd, env: service.live, steps })
    expect(code).toBe(130)
    // The check did not run to its end.
    expect(output).not.toContain('breaks src/main.ts')
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('keys typed before a question do not answer it', async () => {
    const { cwd, service } = await movedOn()
    const before = await filesIn(cwd)
    // Up and Enter would write anyway.
    const steps = [
      { await: 'Checking what the update breaks', send: '\u001b[A\r' },
      { await: 'What now?', send: '\u0003' },
    ]
    const { code } = await promptsOnTerminal(['pull'], { cwd, env: service.live, steps })
    expect(code).toBe(130)
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('a terminal without a size counts as 80 columns wide', async () => {
    const cwd = await pinnedProject(await testService(PROMPTS))
    const { output } = await promptsOnTerminal(['list'], { cwd, columns: 0 })
    expect(output).toContain('prompt-29   v1')
  })
})

describe('init on a terminal', () => {
  const FILES = {
    'package.json': '{ "dependencies": { "vite": "8", "unplugin-prompts": "*" } }',
    'vite.config.ts': 'export default {}\n',
  }

  test('asks for address and key, shows the key nowhere, and pulls', async () => {
    const service = await testService([{ slug: 'greeting', version: 'v1' }])
    const cwd = await folderWith(FILES)
    const { PROMPTS_BASE_URL = '', PROMPTS_API_KEY = '' } = service.live
    const steps = [
      { await: 'Where do the prompts come from?', send: '\r' },
      { await: 'Address of the service', send: `${PROMPTS_BASE_URL}\r` },
      { await: 'Key (', send: `${PROMPTS_API_KEY}\r` },
      { await: 'Make these changes?', send: 'y' },
    ]
    const { code, output } = await promptsOnTerminal(['init'], { cwd, steps })
    expect(code).toBe(0)
    expect(output).not.toContain(PROMPTS_API_KEY)
    expect(await filesIn(cwd)).toMatchObject({
      '.env.local': `PROMPTS_BASE_URL=${PROMPTS_BASE_URL}\nPROMPTS_API_KEY=${PROMPTS_API_KEY}\n`,
      'prompts.lock.json': expect.stringContaining('"greeting"'),
    })
  })

  test('writes nothing after Ctrl-C at a question', async () => {
    const cwd = await folderWith(FILES)
    const steps = [{ await: 'Where do the prompts come from?', send: '\u0003' }]
    const run = await promptsOnTerminal(['init'], { cwd, steps })
    expect(run.code).toBe(130)
    expect(await filesIn(cwd)).toStrictEqual(FILES)
  })
})
