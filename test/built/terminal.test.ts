import { describe, expect, test } from 'vitest'
import { promptsOnTerminal } from '../helpers/binary.ts'
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

  test('a terminal without a size counts as 80 columns wide', async () => {
    const cwd = await pinnedProject(await testService(PROMPTS))
    const { output } = await promptsOnTerminal(['list'], { cwd, columns: 0 })
    expect(output).toContain('prompt-29   v1')
  })
})

describe('init on a terminal', () => {
  const FILES = {
    'package.json': '{ "dependencies": { "vite": "8", "rollup": "4", "unplugin-prompts": "*" } }',
    'vite.config.ts': 'export default {}\n',
    'rollup.config.js': 'export default {}\n',
  }

  test('asks which bundler if there are two, and writes after a yes', async () => {
    const cwd = await folderWith(FILES)
    const steps = [
      { await: 'What builds this app?', send: '\u001b[B\r' },
      { await: 'Where do the prompts come from?', send: '\u001b[B\u001b[B\r' },
      { await: 'Make these changes?', send: 'y' },
    ]
    const { code, output } = await promptsOnTerminal(['init'], { cwd, steps })
    expect(code).toBe(0)
    expect(output).toContain('rollup.config.js')
    const files = await filesIn(cwd)
    expect(files['rollup.config.js']).toContain('unplugin-prompts/rollup')
    expect(files['vite.config.ts']).toBe('export default {}\n')
  })

  test('asks again for a key that has a space or that the service refuses', async () => {
    const service = await testService([{ slug: 'greeting', version: 'v1' }])
    const { 'rollup.config.js': _, ...files } = FILES
    const cwd = await folderWith(files)
    const { PROMPTS_BASE_URL = '', PROMPTS_API_KEY = '' } = service.live
    const steps = [
      { await: 'Where do the prompts come from?', send: '\r' },
      { await: 'Address of the service', send: `${PROMPTS_BASE_URL}\r` },
      { await: 'Key (', send: 'svc_live_abc def\r' },
      { await: 'it contains a space', send: '\u007f'.repeat(7) + 'wrong\r' },
      { await: 'The service refuses this key. Key:', send: `${PROMPTS_API_KEY}\r` },
      { await: 'Make these changes?', send: 'y' },
    ]
    const { code } = await promptsOnTerminal(['init'], { cwd, steps })
    expect(code).toBe(0)
    expect((await filesIn(cwd))['.env.local']).toContain(`PROMPTS_API_KEY=${PROMPTS_API_KEY}\n`)
  })

  test('offers to replace a stored key that the service refuses', async () => {
    const service = await testService([{ slug: 'greeting', version: 'v1' }])
    const { PROMPTS_BASE_URL = '', PROMPTS_API_KEY = '' } = service.live
    const { 'rollup.config.js': _, ...files } = FILES
    const stored = `PROMPTS_BASE_URL=${PROMPTS_BASE_URL}\nPROMPTS_API_KEY=svc_live_revoked\n`
    const cwd = await folderWith({ ...files, '.env.local': stored })
    const steps = [
      { await: 'The service refuses this key. Key:', send: `${PROMPTS_API_KEY}\r` },
      { await: 'Make these changes?', send: 'y' },
    ]
    const { code } = await promptsOnTerminal(['init'], { cwd, steps })
    expect(code).toBe(0)
    expect((await filesIn(cwd))['.env.local']).toBe(
      `PROMPTS_BASE_URL=${PROMPTS_BASE_URL}\nPROMPTS_API_KEY=${PROMPTS_API_KEY}\n`,
    )
  })

  test('asks for address and key, shows the key nowhere, and pulls', async () => {
    const service = await testService([{ slug: 'greeting', version: 'v1' }])
    const { 'rollup.config.js': _, ...files } = FILES
    const cwd = await folderWith(files)
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

  test.each([
    { title: 'no', send: 'n', code: 0 },
    { title: 'Ctrl-C', send: '\u0003', code: 130 },
  ])('writes nothing after $title', async ({ send, code }) => {
    const { 'rollup.config.js': _, ...files } = FILES
    const cwd = await folderWith(files)
    const steps = [
      { await: 'Where do the prompts come from?', send: '\u001b[B\r' },
      { await: 'Make these changes?', send },
    ]
    const run = await promptsOnTerminal(['init'], { cwd, steps })
    expect(run.code).toBe(code)
    expect(await filesIn(cwd)).toStrictEqual(files)
  })
})
