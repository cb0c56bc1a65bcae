import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openProject } from '../../src/features/project/project.ts'
import { servePage } from '../../src/page/server/page.ts'
import { CANARY, canaryApp, FAILURES, filesWithTraces, tracesIn } from '../helpers/canary.ts'
import { prompts } from '../helpers/cli.ts'
import { ask, formsIn, submit } from '../helpers/page/ask.ts'
import { pull } from '../helpers/pull.ts'
import { outcome } from '../helpers/service-client.ts'

/** Runs a command, which must not print the key. */
async function command(root: string, args: readonly string[]): ReturnType<typeof prompts> {
  const result = await prompts(args, { cwd: root })
  expect(tracesIn(result.stdout + result.stderr), args.join(' ')).toEqual([])
  return result
}

const SETTINGS = { mode: 'development', options: {}, processEnv: {}, warn: () => undefined }

const COMMANDS = [
  ['pull'],
  ['pull', '--changed', '--json'],
  ['check'],
  ['diff', '--json'],
  ['check', '--format', 'github'],
  ['diff', '--impact'],
  ['diff', '--format', 'patch'],
  ['list', '--usage', '--json'],
  ['generate', '--out-dir', 'out'],
  ['init', '-y'],
  ['pull', CANARY],
]

test('no command writes or prints the key that the service echoes', async () => {
  const { root, service } = await canaryApp()
  service.mood = 'flaky'
  for (const args of COMMANDS) await command(root, args)
  expect(service.asked).toBeGreaterThan(3)
  expect(await filesWithTraces(root)).toEqual([])
})

test('no page shows the key', async () => {
  const { root, service } = await canaryApp()
  const project = await openProject({ ...SETTINGS, root })
  // The page keeps a list for a minute, so each mood comes an hour later.
  let hour = 0
  const page = await servePage({ project, now: () => hour * 3_600_000 }, 0)
  onTestFinished(() => page.close())
  for (const mood of [...FAILURES, 'fine'] as const) {
    service.mood = mood
    hour++
    const changes = `${page.url}changes`
    await submit(changes, { act: 'list' })
    const read = formsIn((await ask(changes)).body).find(({ act }) => act?.[0] === 'read')
    const answers = [await submit(changes, read ?? {})]
    for (const path of ['changes', 'prompts', 'prompts/a', '.env.local'])
      answers.push(await ask(page.url + path))
    for (const { body } of answers) expect(tracesIn(body)).toEqual([])
  }
  expect(service.asked).toBeGreaterThan(FAILURES.length)
  expect(await filesWithTraces(root)).toEqual([])
})

describe('no error shows the key, down to its last cause:', () => {
  test('what options say, whether they parse, throw, are wrong or name an address', async () => {
    const { root } = await canaryApp()
    for (const config of [
      `export default { apiKey: '${CANARY}', }}`,
      `throw new Error('x')\nexport default { apiKey: '${CANARY}' }`,
      `export default { apiKey: '${CANARY}', timeout: '${CANARY}' }`,
      `export default { apiKey: '${CANARY} x' }`,
      `export default { baseUrl: 'https://${encodeURIComponent(CANARY)}@prompts.example' }`,
      `export default { baseUrl: 'http://127.0.0.1:9/${CANARY}' }`,
    ]) {
      await writeFile(join(root, 'prompts.config.ts'), config)
      for (const args of [['pull'], ['pull', '--json'], ['list']]) {
        const { code } = await command(root, args)
        if (args[0] === 'pull') expect(code).toBe(1)
      }
      const opened = openProject({ ...SETTINGS, root })
      const error = await outcome(opened.then((project) => pull(project)))
      expect(tracesIn(inspect(error, { depth: 20, showHidden: true }))).toEqual([])
    }
  })

  test('what is typed for a command, an option, a value, a folder, a slug, a file or a name', async () => {
    const { root } = await canaryApp()
    for (const args of [
      [CANARY],
      ['pull', `--${CANARY}`],
      [`--${CANARY}`, 'pull'],
      ['pull', `--api-key=${CANARY}`],
      ['check', '--format', CANARY],
      ['serve', '--port', CANARY],
      ['pull', '--root', CANARY],
      ['pull', CANARY],
      ['list', CANARY],
      ['serve', CANARY],
      ['list', '--name', CANARY],
      [CANARY.replace('/', '/\u200b')],
    ])
      for (const argv of [args, [...args, '--json']])
        expect((await command(root, argv)).code).toBeGreaterThan(0)
  })
})
