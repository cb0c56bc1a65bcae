import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { folderWith, prompts, promptsOnScreen, screenLines } from '../helpers/cli.ts'
import { startLocalServer } from '../helpers/local-server.ts'
import { testService } from '../helpers/local-service.ts'
import { servedProject } from '../helpers/pinned-project.ts'

const PROMPTS = Array.from({ length: 30 }, (_, index) => ({
  slug: `prompt-${index}`,
  version: 'v1',
}))
const ERASE = '\r\u001b[2K'

describe('output on a screen', () => {
  test('has no colours with NO_COLOR or on a dumb terminal', async () => {
    const { live } = await testService(PROMPTS)
    for (const variables of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
      const call = { cwd: await folderWith(), env: { ...live, ...variables } }
      const { output } = await promptsOnScreen(['pull'], call)
      // oxlint-disable-next-line no-control-regex -- that is what must not be there
      expect(output.replaceAll(ERASE, '')).not.toMatch(/\u001b\[\d+m/)
    }
  })

  test('draws no bar with CI, --silent or --json', async () => {
    const { live } = await testService(PROMPTS)
    const cwd = await folderWith()
    const ci = await promptsOnScreen(['pull'], { cwd, env: { ...live, CI: 'true' } })
    const json = await promptsOnScreen(['pull', '--json'], { cwd, env: live })
    const silent = await promptsOnScreen(['pull', '--silent'], { cwd, env: live })
    for (const { output } of [ci, json, silent]) expect(output).not.toContain(ERASE)
    expect(silent.output).toBe('')
  })

  test('each drawing of the bar fits on a line of a narrow terminal', async () => {
    const { live: env } = await testService(PROMPTS, { latency: 100 })
    const cwd = await folderWith()
    const { output } = await promptsOnScreen(['pull'], { cwd, env, columns: 20 })
    const drawings = output.split(ERASE).slice(0, -1).map(stripVTControlCharacters)
    expect(drawings.at(-1)).toContain('30/30')
    for (const drawing of drawings) expect(drawing.length).toBeLessThan(20)
  })

  test('a warning replaces the bar', async () => {
    const url = await startLocalServer((_, response) => {
      const headers = { 'content-type': 'application/json', 'x-service-plan-status': 'spent' }
      response.writeHead(200, headers).end('{ "prompts": [], "planStatus": "active" }')
    })
    const env = { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: LOCAL_KEYS.live }
    const { output } = await promptsOnScreen(['pull'], { cwd: await folderWith(), env })
    const [first] = screenLines(output)
    expect(first).toMatch(/^▲ The service reports different plan statuses/)
  })

  test('long lines of a diff wrap after the gutter', async () => {
    const long = 'word '.repeat(60).trim()
    const { cwd, service } = await servedProject([{ slug: 'a', version: 'v1', system: long }])
    service.serve({ slug: 'a', version: 'v1', system: `${long} more` })
    const env = { ...service.live, NO_COLOR: '1' }
    const { output } = await promptsOnScreen(['diff'], { cwd, env })
    const lines = output.split('\n').filter((line) => line.includes('word'))
    expect(lines.length).toBeGreaterThan(6)
    for (const line of lines) expect(line).toMatch(/^ {5}[1 ] [-+] word/)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100)
  })

  test('a line is wrapped after its path is shortened, of which only the start may go', async () => {
    const cwd = await folderWith()
    // As /app/packages/app in /app.
    const root = join(cwd, 'packages', cwd)
    await mkdir(root, { recursive: true })
    await writeFile(join(root, 'prompts.lock.json'), '{}')
    const line = `✖ [LOCK_INVALID] packages${cwd}/prompts.lock.json is not a valid lock file:`
    for (const colour of ['0', '1']) {
      const call = { cwd, env: { FORCE_COLOR: colour }, columns: line.length }
      const { stderr } = await prompts(['list', '--root', root], call)
      expect(screenLines(stderr)).toContain(line)
    }
  })
})
