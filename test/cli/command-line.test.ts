import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { registry } from '../../src/cli/commands/registry.ts'
import { filesIn, folderWith, prompts, transcript } from '../helpers/cli.ts'
import manifest from '../../package.json' with { type: 'json' }

describe('the command line', () => {
  test('lists the commands without one, with --help and with help', async () => {
    const cwd = await folderWith()
    const [first, ...others] = await Promise.all(
      [[], ['--help'], ['-h'], ['help']].map((args) => prompts(args, { cwd })),
    )
    expect(first).toMatchObject({ code: 0, stderr: '' })
    for (const other of others) expect(other).toStrictEqual(first)
  })

  test('explains a command with --help and with help, and runs nothing', async () => {
    const cwd = await folderWith()
    for (const { name } of registry) {
      const asked = await prompts([name, '--help'], { cwd })
      expect(asked).toMatchObject({ code: 0, stderr: '' })
      expect(await prompts(['help', name], { cwd })).toStrictEqual(asked)
    }
    expect(await filesIn(cwd)).toEqual({})
  })

  test('prints its version', async () => {
    const cwd = await folderWith()
    const plain = await prompts(['--version'], { cwd })
    expect(plain).toStrictEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
    const { json } = await prompts(['list', '-v', '--json'], { cwd })
    expect(json).toStrictEqual({ version: manifest.version })
  })

  test.each([
    ['pnpm-lock.yaml', 'pnpm'],
    ['yarn.lock', 'yarn'],
    ['bun.lock', 'bunx'],
    ['package-lock.json', 'npx'],
  ])('suggests commands as the package manager of %s runs them', async (file, runner) => {
    const cwd = await folderWith({ [file]: '', 'packages/app/package.json': '{}' })
    const run = await prompts(['list'], { cwd: join(cwd, 'packages/app') })
    expect(run).toMatchObject({ code: 1, stdout: '' })
    expect(run.stderr).toMatch(new RegExp(`LOCK_MISSING.*Fix: Run \`${runner} prompts pull\``, 's'))
  })

  test.each([
    'lst',
    'gen',
    'frobnicate',
    '--json=1',
    '--json pul',
    'pull --dryrun',
    'pull -x',
    'pull --root',
    'pull --root --silent',
    'generate --out-dir=',
    'pull --silent=no',
    'pull --environment test',
    'pull --root absent',
    'pull --interactive',
    'pull --allow-dirty',
    'pull --rename a=b',
    'diff --format patch --json',
    'diff --output a.txt',
    'diff --output a.json --json',
    'check --format githb',
    'check --format github --json',
    'list --environment prod',
    'show',
    'hold',
    'unhold',
    'restore',
    'restore reply',
    'restore --from v1',
    'restore a b --from v1',
    'edit',
    'init --bundler parcel',
    'init --example --api-key svc_live_x',
    'ui x',
    'serve',
    'serve a b',
    'serve a.yaml --lock b.json',
    'serve --port 65536',
    'serve --latency -1',
    '--root .',
  ])('refuses `prompts %s` with exit code 2', async (line) => {
    const args = line.split(' ')
    const cwd = await folderWith()
    const run = await prompts(args, { cwd })
    expect(run.code).toBe(2)
    const failed = { stderr: '', json: { error: { code: 'USAGE' } } }
    if (args.includes('--json')) expect(run).toMatchObject(failed)
    else expect(transcript(run, cwd)).toMatchSnapshot()
    expect(await filesIn(cwd)).toEqual({})
  })

  test('accepts common options before the command and any text after --', async () => {
    const cwd = await folderWith({ 'app/x': '' })
    const run = await prompts(['--root', 'app', 'pull', '--', '--odd-slug'], { cwd })
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('KEY_MISSING') })
  })
})
