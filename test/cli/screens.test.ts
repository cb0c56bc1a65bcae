import displayWidth from 'fast-string-width'
import { expect, test } from 'vitest'
import { registry } from '../../src/cli/commands/registry.ts'
import { appWithUpdate } from '../helpers/breaking-update.ts'
import { folderWith, prompts, screenLines, transcript } from '../helpers/cli.ts'
import manifest from '../../package.json' with { type: 'json' }

const COLUMNS = 80
const REMEDY = 'Run `npm run update-docs`, and read the difference.'

/** What stands on a screen in the end, data first. */
async function screenOf(
  args: readonly string[],
  call: Omit<Parameters<typeof prompts>[1], 'columns'>,
): Promise<string> {
  const { stdout, stderr } = await prompts(args, { ...call, columns: COLUMNS })
  const lines = screenLines(stdout + stderr)
  expect(lines.filter((line) => displayWidth(line) > COLUMNS)).toEqual([])
  const [data, messages] = [stdout, stderr].map((text) => screenLines(text).join('\n'))
  const run = { stdout: data ?? '', stderr: messages ?? '' }
  return transcript(run, call.cwd).replaceAll(manifest.version, '<version>')
}

test.each(['', ...registry.map(({ name }) => name)])('help: prompts %s', async (name) => {
  const args = [name, '--help'].filter((word) => word !== '')
  expect(await screenOf(args, { cwd: await folderWith() }), REMEDY).toMatchSnapshot()
})

test.each([
  { args: ['pull'] },
  { args: ['pull', '--skip-breaking', '--dry-run'] },
  { args: ['diff'] },
  { args: ['diff', '--format', 'patch'] },
  { args: ['check'] },
  { args: ['check', '--impact'] },
  { args: ['list'] },
  { args: ['list', '--usage'] },
  { args: ['show', 'triage', '--usage'] },
  { args: ['hold', 'triage', '--reason', 'Waiting for legal'] },
  { args: ['generate'] },
])('output: $args', async ({ args }) => {
  const { cwd, service } = await appWithUpdate()
  expect(await screenOf(args, { cwd, env: service.live }), REMEDY).toMatchSnapshot()
})
