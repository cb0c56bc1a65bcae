import { chmod, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { variables } from '../helpers/binary.ts'
import { filesIn, folderWith, prompts } from '../helpers/cli.ts'

const VITE = {
  'package.json': '{ "devDependencies": { "vite": "8" } }\n',
  'vite.config.ts': 'export default { plugins: [] }\n',
}

/** Variables with a package manager that runs these lines of a shell. */
async function packageManager(name: string, script: string): Promise<Record<string, string>> {
  const bin = await folderWith({ [name]: `#!/bin/sh\n${script}\n` })
  await chmod(join(bin, name), 0o755)
  return { PATH: `${bin}${delimiter}${variables()['PATH']}` }
}

describe.skipIf(process.platform === 'win32')('prompts init without the package', () => {
  test.each([
    { name: 'npm', lockfile: 'package-lock.json', command: 'install -D unplugin-prompts' },
    { name: 'pnpm', lockfile: 'pnpm-lock.yaml', command: 'add -D unplugin-prompts' },
    { name: 'yarn', lockfile: 'yarn.lock', command: 'add -D unplugin-prompts' },
    { name: 'bun', lockfile: 'bun.lock', command: 'add -d unplugin-prompts' },
  ])('installs it with $name, after the other changes', async ({ name, lockfile, command }) => {
    const cwd = await folderWith({ ...VITE, [lockfile]: '' })
    const env = await packageManager(name, 'echo "$@" > installed; cp vite.config.ts seen')
    const { json } = await prompts(['init', '--yes', '--json'], { cwd, env })
    expect(json).toMatchObject({ installed: true })
    expect(await readFile(join(cwd, 'installed'), 'utf8')).toBe(`${command}\n`)
    expect(await readFile(join(cwd, 'seen'), 'utf8')).toContain('prompts()')
  })

  test('continues if that fails, and prints why and the command to run', async () => {
    const cwd = await folderWith(VITE)
    const env = await packageManager('npm', 'echo "E404 not found" >&2; exit 1')
    const run = await prompts(['init', '--yes', '--example'], { cwd, env })
    expect(run.code).toBe(0)
    expect(run.stderr).toContain('E404 not found')
    expect(run.stdout).toContain('    npm install -D unplugin-prompts\n')
    expect(Object.keys(await filesIn(cwd))).toContain('prompts.lock.json')
  })

  test('prints nothing with --silent, also if that fails', async () => {
    const cwd = await folderWith(VITE)
    const env = await packageManager('npm', 'echo "added 1 package"; echo "E404" >&2; exit 1')
    const run = await prompts(['init', '--yes', '--silent'], { cwd, env })
    expect(run).toStrictEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('installs nothing with --no-install and --dry-run, nor if nobody could be asked', async () => {
    const cwd = await folderWith(VITE)
    const env = await packageManager('npm', 'touch installed')
    // After the second call, there is nothing else to ask about.
    for (const line of ['init --dry-run', 'init --yes --no-install', 'init']) {
      const { json } = await prompts([...line.split(' '), '--json'], { cwd, env })
      expect(json).toMatchObject({ installed: false })
    }
    expect(Object.keys(await filesIn(cwd))).not.toContain('installed')
  })
})
