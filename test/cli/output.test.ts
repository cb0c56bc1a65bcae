import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Run, runBinary } from '../helpers/binary.ts'
import { folderWith, prompts, promptsOnScreen } from '../helpers/cli.ts'
import { answer, json, startFaultServer } from '../helpers/fault-server.ts'
import { COMMAND, HOSTILE } from '../helpers/hostile.ts'
import { UNPRINTABLE } from '../helpers/unprintable.ts'
import type { GivenPrompt } from '../helpers/local-service.ts'
import { servedProject } from '../helpers/pinned-project.ts'

/** Commands that write nothing. */
const NETWORKED = [
  { line: 'pull --dry-run', server: 'GITHUB_ACTIONS' },
  { line: 'diff', server: 'GITHUB_ACTIONS' },
  { line: 'diff --format patch', server: 'TF_BUILD' },
  { line: 'diff --format patch', server: 'TEAMCITY_VERSION' },
  { line: 'diff --format markdown', server: 'GITHUB_ACTIONS' },
  { line: 'check', server: 'GITHUB_ACTIONS' },
  { line: 'check --format github', server: 'GITHUB_ACTIONS' },
  { line: 'diff --json', server: 'GITHUB_ACTIONS' },
]

/** Prompts whose every remote field is hostile; `round` makes two states of a workspace. */
function hostilePrompts(round: number): GivenPrompt[] {
  return HOSTILE.filter((text) => !/^\.{0,2}$/.test(text)).map((text, index) => ({
    slug: `${index}${text}`,
    folder: text,
    model: text,
    version: `${text}${round}`,
    // Beyond 20, changes that only touch texts are counted.
    temperature: round,
    system: `a\n${text}\n${round}\n::warning::x\n##[error]y`,
    user: text,
  }))
}

function linesOf({ stdout, stderr }: Run): string[] {
  return `${stdout}\n${stderr}`.split('\n').filter((line) => line !== '')
}

test('remote text in output never controls a terminal or runs a command on a CI server', async () => {
  const { cwd, service } = await servedProject(hostilePrompts(1))
  service.serve(...hostilePrompts(2))
  for (const { line, server } of NETWORKED) {
    const args = line.split(' ')
    const run = await prompts(args, { cwd, env: { ...service.live, [server]: 'true' } })
    const lines = linesOf(run)
    expect(lines.length).toBeGreaterThan(args.includes('--json') ? 0 : HOSTILE.length)
    const isOurs = (text: string): boolean =>
      args.includes('github') && /^::(?:error|warning) file=/.test(text)
    const wrong = lines.filter(
      (text) =>
        UNPRINTABLE.test(text.replaceAll('\t', '')) || (COMMAND.test(text) && !isOurs(text)),
    )
    expect({ line, server, wrong }).toStrictEqual({ line, server, wrong: [] })
  }
})

test('temporary faults are retried, reported in a line that is updated in place, and counted', async () => {
  const list = { prompts: [], planStatus: 'active' }
  const faulty = async (): Promise<Record<string, string>> => {
    const { url } = await startFaultServer([answer(503, ''), answer(503, ''), json(list)])
    return { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: 'svc_live_x' }
  }
  const cwd = await folderWith()
  const run = await prompts(['pull'], { cwd, env: await faulty() })
  expect(run.code).toBe(0)
  expect(run.stderr.replaceAll(/\d\.\d s|\d+ ms|:\d+/g, '<n>')).toMatchSnapshot()
  const { code, output } = await promptsOnScreen(['pull'], { cwd, env: await faulty() })
  expect(code).toBe(0)
  expect(output).toMatch(/Attempt 2 of 3[^\n]*Attempt 3 of 3/)
  expect(output.split('\n').filter((line) => line.includes('Attempt'))).toHaveLength(1)
  expect(output).toContain('2 retries')
  const { json: value } = await prompts(['pull', '--json'], { cwd, env: await faulty() })
  expect(value).toMatchObject({ outcome: 'unchanged', retries: 2 })
})

test.each([
  { env: {}, want: false },
  { env: { FORCE_COLOR: '1' }, want: true },
  { env: { FORCE_COLOR: '0' }, want: false },
  { env: { NO_COLOR: '1' }, want: false },
])('colours off a terminal with the variables $env: $want', async ({ env, want }) => {
  const { stdout } = await prompts(['--help'], { cwd: await folderWith(), env })
  expect(stdout.includes('\u001b[')).toBe(want)
})

test('a configuration file that prints something leaves the data on stdout as it is', async () => {
  const config = "console.log('injected 2 variables')\nexport default {}\n"
  const { cwd } = await servedProject([{ slug: 'a', version: 'v1' }], {
    'prompts.config.mjs': config,
  })
  const { stdout, stderr } = await runBinary(['list', '--json'], { cwd })
  expect(JSON.parse(stdout)).toMatchObject({ prompts: [{ slug: 'a' }] })
  expect(stderr).toBe('injected 2 variables\n')
})

test('--silent prints nothing but errors', async () => {
  const { cwd } = await servedProject([{ slug: 'a', version: 'v1' }])
  for (const line of ['list', 'check --offline', 'generate', 'init --yes --no-install']) {
    const run = await prompts([...line.split(' '), '--silent'], { cwd })
    expect({ line, ...run }).toStrictEqual({ line, code: 0, stdout: '', stderr: '' })
  }
  const path = join(cwd, 'prompts.lock.json')
  await writeFile(path, (await readFile(path, 'utf8')).slice(0, -3))
  const stderr = expect.stringContaining('LOCK_SYNTAX')
  expect(await prompts(['list', '--silent'], { cwd })).toEqual({ code: 1, stdout: '', stderr })
})

test('paths in messages and errors are relative in a folder of the project, too', async () => {
  const { cwd } = await servedProject([{ slug: 'a', version: 'v1' }])
  const folder = join(cwd, 'src/routes')
  await mkdir(folder, { recursive: true })
  expect((await prompts(['list'], { cwd: folder })).stderr).toContain(' ../../prompts.lock.json')
  await writeFile(join(cwd, 'prompts.lock.json'), '{}')
  const { stderr } = await prompts(['list'], { cwd: folder })
  expect(stderr).toContain(' ../../prompts.lock.json')
  expect(stderr).not.toContain(cwd)
})
