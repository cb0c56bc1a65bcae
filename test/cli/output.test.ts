import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { printLock } from '../../src/core/lock/print-lock.ts'
import { sha256 } from '../../src/fs/files.ts'
import { type Run, runBinary } from '../helpers/binary.ts'
import { folderWith, prompts, promptsOnScreen } from '../helpers/cli.ts'
import { answer, json, startFaultServer } from '../helpers/fault-server.ts'
import { COMMAND, HOSTILE } from '../helpers/hostile.ts'
import { UNPRINTABLE } from '../helpers/unprintable.ts'
import { type PromptGiven, testService } from '../helpers/local-service.ts'
import { liveLock } from '../helpers/pinned.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'

const NETWORKED = [
  { args: ['pull', '--dry-run'], server: 'GITHUB_ACTIONS' },
  { args: ['diff'], server: 'GITHUB_ACTIONS' },
  { args: ['diff', '--format', 'patch'], server: 'GITHUB_ACTIONS' },
  { args: ['diff', '--format', 'patch'], server: 'TF_BUILD' },
  { args: ['diff', '--format', 'patch'], server: 'TEAMCITY_VERSION' },
  { args: ['diff', '--format', 'markdown'], server: 'GITHUB_ACTIONS' },
  { args: ['check'], server: 'GITHUB_ACTIONS' },
  { args: ['check', '--impact'], server: 'GITHUB_ACTIONS' },
  { args: ['check', '--format', 'github'], server: 'GITHUB_ACTIONS' },
  { args: ['list', '--updates'], server: 'GITHUB_ACTIONS' },
]

/** Prompts whose every remote field is hostile; `round` makes two states of a workspace. */
function hostilePrompts(round: number): PromptGiven[] {
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

describe('remote text in output', () => {
  test.each(NETWORKED)(
    'never controls a terminal or runs a command on $server: $args',
    async ({ args, server }) => {
      const service = await testService(hostilePrompts(1))
      const cwd = await pinnedProject(service)
      service.serve(...hostilePrompts(2))
      const env = { ...service.live, [server]: 'true' }
      const run = await prompts(args, { cwd, env })
      const lines = linesOf(run)
      expect(lines.length).toBeGreaterThan(HOSTILE.length)
      expect(lines.filter((line) => UNPRINTABLE.test(line.replaceAll('\t', '')))).toStrictEqual([])
      const ours = (line: string): boolean =>
        args.includes('github') && line.startsWith('::error file=')
      expect(lines.filter((line) => COMMAND.test(line) && !ours(line))).toStrictEqual([])
    },
  )

  test.each([['pull', '--dry-run'], ['diff'], ['check'], ['list', '--updates']])(
    'is in JSON with every invisible character escaped: %s %s',
    async (...args) => {
      const service = await testService(hostilePrompts(1))
      const cwd = await pinnedProject(service)
      service.serve(...hostilePrompts(2))
      const run = await prompts([...args.filter((arg) => arg !== undefined), '--json'], {
        cwd,
        env: service.live,
      })
      expect(() => JSON.parse(run.stdout)).not.toThrow()
      const wrong = linesOf(run).filter((line) => UNPRINTABLE.test(line) || COMMAND.test(line))
      expect(wrong).toStrictEqual([])
      expect(run.stderr).toBe('')
    },
  )

  test('in an error is one line, however long and whatever its characters', async () => {
    const { url } = await startFaultServer([
      answer(403, '{"error":"\\u001b[31mno\\n::error::x\\u202e"}'),
    ])
    const env = { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: 'svc_live_x', GITHUB_ACTIONS: 'true' }
    const run = await prompts(['pull'], { cwd: await folderWith(), env })
    expect(run.stderr).toContain('(403, “no ::error::x”)')
    expect(
      linesOf(run).filter((line) => UNPRINTABLE.test(line) || line.startsWith('::')),
    ).toStrictEqual([])
  })
})

describe('the key', () => {
  const KEY = 'svc_live_c4n4ry-0123456789'

  test.each([['pull'], ['pull', '--json'], ['diff'], ['check'], ['list', '--updates']])(
    'is in no output if the service echoes it everywhere: %s %s',
    async (...args) => {
      const cwd = await pinnedProject(await testService([{ slug: 'a', version: 'v1' }]))
      const prompt = { slug: 'a', folder: KEY, model: KEY, version: KEY }
      const list = {
        prompts: [{ ...prompt, liveVersion: KEY, stagingVersion: null }],
        planStatus: KEY,
      }
      const texts = { source: KEY, systemSource: KEY, userSource: '' }
      const served = { ...prompt, temperature: 1, ...texts, environment: 'live' }
      const { url } = await startFaultServer([
        (socket, request) => json(request.target.endsWith('/a') ? served : list)(socket, request),
      ])
      const env = { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: KEY }
      const run = await prompts(
        args.filter((arg) => arg !== undefined),
        { cwd, env },
      )
      expect(run.stdout + run.stderr).not.toContain(KEY)
      expect(run.stdout + run.stderr).not.toBe('')
    },
  )

  test('is in no output if it comes from a file', async () => {
    const cwd = await folderWith({
      '.env.local': `PROMPTS_API_KEY=${KEY}\nPROMPTS_BASE_URL=http://127.0.0.1:1\n`,
      'prompts.lock.json': printLock(liveLock({ slug: 'a' }), sha256),
    })
    const run = await prompts(['pull', KEY], { cwd })
    expect(run.stderr).toContain('SERVICE_UNREACHABLE')
    expect(run.stdout + run.stderr).not.toContain(KEY)
  })
})

describe('temporary faults', () => {
  test('are reported, retried and counted', async () => {
    const list = { prompts: [], planStatus: 'active' }
    const { url } = await startFaultServer([answer(503, ''), json(list)])
    const env = { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: 'svc_live_x' }
    const cwd = await folderWith()
    const run = await prompts(['pull'], { cwd, env })
    expect(run.code).toBe(0)
    expect(run.stderr.replaceAll(/\d\.\d s|\d+ ms|:\d+/g, '<n>')).toMatchSnapshot()
  })

  test('are counted in JSON', async () => {
    const list = { prompts: [], planStatus: 'active' }
    const { url } = await startFaultServer([answer(503, ''), answer(502, ''), json(list)])
    const env = { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: 'svc_live_x' }
    const { code, stdout } = await prompts(['pull', '--json'], { cwd: await folderWith(), env })
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { outcome: 'written', retries: 2 }])
  })

  test('are reported in one line that is updated in place, on a terminal', async () => {
    const list = { prompts: [], planStatus: 'active' }
    const { url } = await startFaultServer([answer(503, ''), answer(503, ''), json(list)])
    const env = { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: 'svc_live_x' }
    const run = await promptsOnScreen(['pull'], { cwd: await folderWith(), env })
    expect(run.code).toBe(0)
    expect(run.output).toMatch(/Attempt 2 of 3[^\n]*Attempt 3 of 3/)
    expect(run.output.split('\n').filter((line) => line.includes('Attempt'))).toHaveLength(1)
    expect(run.output).toContain('2 retries')
  })
})

describe('colours', () => {
  test.each([
    { env: {}, want: false },
    { env: { FORCE_COLOR: '1' }, want: true },
    { env: { FORCE_COLOR: '0' }, want: false },
    { env: { NO_COLOR: '1' }, want: false },
  ])('off a terminal with $env: $want', async ({ env, want }) => {
    const cwd = await folderWith()
    const { stdout } = await prompts(['--help'], { cwd, env })
    expect(stdout.includes('\u001b[')).toBe(want)
  })
})

describe('a configuration file', () => {
  const THROWING = { 'prompts.config.mjs': "throw new Error('Who am I?')\n" }

  test('that throws is named with its cause', async () => {
    const run = await prompts(['list'], { cwd: await folderWith(THROWING) })
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('CONFIG_UNREADABLE') })
    expect(run.stderr).toContain('Who am I?')
  })

  test('that prints something leaves the data on stdout as it is', async () => {
    const cwd = await pinnedProject(await testService([{ slug: 'a', version: 'v1' }]))
    await writeFile(
      join(cwd, 'prompts.config.mjs'),
      "console.log('injected 2 variables')\nexport default {}\n",
    )
    const { stdout, stderr } = await runBinary(['list', '--json'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ prompts: [{ slug: 'a' }] })
    expect(stderr).toBe('injected 2 variables\n')
  })
})

describe('--silent', () => {
  test.each([['list'], ['check', '--offline'], ['generate'], ['init', '--yes', '--no-install']])(
    'prints nothing but errors: %s %s',
    async (...args) => {
      const cwd = await pinnedProject(await testService([{ slug: 'a', version: 'v1' }]))
      const given = [...args.filter((arg) => arg !== undefined), '--silent']
      expect(await prompts(given, { cwd })).toStrictEqual({ code: 0, stdout: '', stderr: '' })
      const path = join(cwd, 'prompts.lock.json')
      await writeFile(path, (await readFile(path, 'utf8')).slice(0, -3))
      const broken = await prompts(['list', '--silent'], { cwd })
      expect(broken).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('LOCK_SYNTAX'),
      })
    },
  )
})
