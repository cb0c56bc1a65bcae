import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import displayWidth from 'fast-string-width'
import { expect, test } from 'vitest'
import { appWithUpdate } from '../../helpers/breaking-update.ts'
import { folderWith, prompts, screenLines } from '../../helpers/cli.ts'
import { registry } from '../../../src/cli/commands/registry.ts'

const LONG = { slug: 'customer-support-triage', version: 'v31' }
const NAMES = ['customer_name', 'company_name', 'previous_replies', 'language', 'product', 'plan']
const SYSTEM = `${NAMES.map((name) => `{{ ${name} }}`).join(' and ')} {{#if agent}} ${'word '.repeat(40)}`

const COMMANDS: readonly (readonly string[])[] = [
  ['pull', '--dry-run'],
  ['pull'],
  ['pull', '--skip-breaking', '--dry-run'],
  ['pull', 'nowhere'],
  ['diff'],
  ['diff', '--impact'],
  ['check'],
  ['list'],
  ['list', '--updates'],
  ['list', '--usage'],
  ['show', 'customer-support-triage', '--usage'],
  ['show', 'nowhere'],
  ['hold', 'triage', '--reason', 'Waiting for the legal department, which reads it on Monday'],
  ['release', 'triage'],
  ['generate'],
  ['generate', '--out-dir', 'src/prompts'],
  ['check', '--all'],
  ['frobnicate'],
  ['pull', '--interactive'],
]

/** The narrowest one; screens.test.ts has 80. */
const COLUMNS = 40

function wideLines(output: string): string[] {
  return screenLines(output).filter((line) => displayWidth(line) > COLUMNS)
}

test('no line of a command is wider than the terminal', async () => {
  const { cwd, env } = await appWithUpdate({ ...LONG, system: SYSTEM })
  for (const args of COMMANDS) {
    // One changes what the next one shows.
    const { stdout, stderr } = await prompts(args, { cwd, env, columns: COLUMNS })
    expect({ args, wide: wideLines(stdout + stderr) }).toEqual({ args, wide: [] })
  }
})

test('no line of a setup or a help page is wider than the terminal', async () => {
  const files = { 'package.json': '{ "devDependencies": { "vite": "8" } }\n' }
  const call = { cwd: await folderWith(files), columns: COLUMNS }
  const { stdout, stderr } = await prompts(['init', '--dry-run'], call)
  // Lines to copy and patches are exact.
  const isExact = (line: string): boolean => /^(?: {4}|[-+@ ])/.test(line)
  expect(wideLines(stdout + stderr).filter((line) => !isExact(line))).toEqual([])
  for (const { name } of [{ name: 'help' }, ...registry]) {
    const help = await prompts([name, '--help'], call)
    const wide = wideLines(help.stdout).filter((line) => line.includes(' '))
    expect({ name, wide }).toEqual({ name, wide: [] })
  }
})

test('a line is wrapped after its path is shortened, of which only the start may go', async () => {
  const cwd = await folderWith()
  // As /app/packages/app in /app.
  const root = join(cwd, 'packages', cwd)
  await mkdir(root, { recursive: true })
  await writeFile(join(root, 'prompts.lock.json'), '{ "lockVersion": 1 }')
  const line = `✖ [LOCK_INVALID] packages${cwd}/prompts.lock.json is not a valid lock file:`
  for (const colour of ['0', '1']) {
    const call = { cwd, env: { FORCE_COLOR: colour }, columns: line.length }
    const { stderr } = await prompts(['list', '--root', root], call)
    expect(screenLines(stderr)).toContain(line)
  }
})
