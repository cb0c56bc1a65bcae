import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith, prompts, transcript } from '../helpers/cli.ts'
import manifest from '../../package.json' with { type: 'json' }

const COMMANDS = ['init', 'pull', 'diff', 'check', 'list', 'generate', 'serve']

describe('the command line', () => {
  test('lists the commands without one, with --help and with help', async () => {
    const cwd = await folderWith()
    const runs = await Promise.all(
      [[], ['--help'], ['-h'], ['help']].map((args) => prompts(args, { cwd })),
    )
    for (const { code, stdout, stderr } of runs) {
      expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' })
      expect(stdout).toBe(runs[0]?.stdout)
      for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command}[ ,]`, 'm'))
    }
  })

  test.each(COMMANDS)(
    'explains %s with its options and examples, and runs nothing',
    async (command) => {
      const cwd = await folderWith()
      const [asked, helped] = await Promise.all([
        prompts([command, '--help'], { cwd }),
        prompts(['help', command], { cwd }),
      ])
      expect(asked).toMatchObject({ code: 0, stderr: '' })
      expect(asked.stdout).toMatch(new RegExp(`^prompts ${command} · `))
      for (const title of ['Usage', 'Examples']) expect(asked.stdout).toContain(`\n${title}\n`)
      expect(asked.stdout).toMatch(/^ {2}Common options: .*--json/ms)
      expect(asked.stdout).toMatch(new RegExp(`Examples\n  prompts ${command}`))
      expect(Math.max(...asked.stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(
        100,
      )
      expect(helped.stdout).toBe(asked.stdout)
    },
  )

  test('prints its version', async () => {
    const cwd = await folderWith()
    const plain = await prompts(['--version'], { cwd })
    expect(plain).toStrictEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
    const json = await prompts(['list', '-v', '--json'], { cwd })
    expect(JSON.parse(json.stdout)).toStrictEqual({ version: manifest.version })
  })

  test('accepts ls for list', async () => {
    const cwd = await folderWith()
    const [short, long] = [await prompts(['ls'], { cwd }), await prompts(['list'], { cwd })]
    expect(short).toStrictEqual(long)
    expect(short.stderr).toContain('LOCK_MISSING')
  })

  test.each([
    ['pnpm-lock.yaml', 'pnpm'],
    ['yarn.lock', 'yarn'],
    ['bun.lock', 'bunx'],
    ['package-lock.json', 'npx'],
  ])('suggests commands as the package manager of %s runs them', async (file, runner) => {
    const cwd = await folderWith({ [file]: '', 'packages/app/package.json': '{}' })
    const run = await prompts(['list'], { cwd: join(cwd, 'packages/app') })
    expect(run.stderr).toContain(`Fix: Run \`${runner} prompts pull\``)
  })

  test.each([
    { args: ['lst'] },
    { args: ['gen'] },
    { args: ['frobnicate'] },
    { args: ['--json=1'] },
    { args: ['pull', '--dryrun'] },
    { args: ['pull', '-x'] },
    { args: ['pull', '--root'] },
    { args: ['pull', '--root', '--silent'] },
    { args: ['pull', '--silent=no'] },
    { args: ['pull', '--environment', 'test'] },
    { args: ['list', '--environment', 'prod'] },
    { args: ['check', '--format', 'githb'] },
    { args: ['init', '--bundler', 'parcel'] },
    { args: ['ui', 'x'] },
    { args: ['serve', 'a', 'b'] },
    { args: ['pull', '--root', 'absent'] },
    { args: ['--root', '.'] },
  ])('exits with 2 for $args', async ({ args }) => {
    const cwd = await folderWith()
    const run = await prompts(args, { cwd })
    if (args.includes('--silent')) expect(run).toMatchObject({ code: 2, stdout: '' })
    expect(run.code).toBe(2)
    expect(transcript(run, cwd)).toMatchSnapshot()
  })

  test('accepts common options before the command and any text after --', async () => {
    const cwd = await folderWith({ 'app/x': '' })
    const run = await prompts(['--root', 'app', 'pull', '--', '--odd-slug'], { cwd })
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('KEY_MISSING') })
  })

  test('prints usage errors as JSON with --json', async () => {
    const run = await prompts(['--json', 'pul'], { cwd: await folderWith() })
    expect(run).toMatchObject({ code: 2, stderr: '' })
    expect(JSON.parse(run.stdout)).toStrictEqual({
      error: {
        code: 'USAGE',
        why: expect.stringContaining('pull'),
        fix: expect.any(String),
        causes: [],
      },
    })
  })
})
