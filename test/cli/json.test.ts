import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import type { JsonOutputs } from '../../src/cli/commands/json.ts'
import { registry } from '../../src/cli/commands/registry.ts'
import { prompts, start } from '../helpers/cli.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { assertJsonOutput } from '../helpers/json-output.ts'
import { pinnedApp, type PinnedApp } from '../helpers/pinned-project.ts'

const REPLY = { slug: 'reply', version: 'v3', system: 'Dear {{ name }}' }
const GONE = { slug: 'gone', version: 'v1', system: 'Bye {{ name }}' }
const TRIAGE = { slug: 'triage', version: 'v22', system: 'Sort {{ ticket }} {{#if urgent}}' }
const STAGING = { version: 'v24', system: 'Rank {{ ticket }}' }

/** At least one call for each output. A command sees what the one before it wrote. */
const CALLS = [
  'init --dry-run --bundler vite',
  'ls --usage --updates',
  'show triage --usage',
  'check --impact',
  'diff --if-published --impact',
  'hold reply triage --reason Waiting',
  'check',
  'release triage',
  'edit reply --system-file package.json --yes',
  'pull --fix --rename triage:ticket=message --rename gone=bye --yes',
  'pull --dry-run',
  'diff --base HEAD',
  'generate --out-dir src/generated',
  'log',
  'restore gone --from HEAD --yes',
  'check --all',
  'show unknown',
  'pull --help',
  'help',
  'pull -v',
]

/** A committed app whose prompts changed in the service: one is renamed, one needs a new variable. */
async function movedOn(): Promise<PinnedApp> {
  const code = `prompts.gone.render({ name: '' })
prompts.reply.render({ name: '' })
prompts.triage.render({ ticket: '' })
export const all = Object.values(prompts)`
  const prompted = [GONE, REPLY, { ...TRIAGE, staging: STAGING }]
  const app = await pinnedApp(prompted, code, { 'package.json': '{}' }, 'both')
  commitAll(app.cwd)
  app.service.serve(
    { ...GONE, slug: 'bye' },
    { ...REPLY, version: 'v4', system: 'Dear {{ name }} of {{ company }}' },
    { ...TRIAGE, version: 'v23', system: 'Sort {{ message }} {{#if urgent}}' },
  )
  return app
}

describe('the schema of --json', () => {
  test('describes what every command prints', async () => {
    const { cwd, service } = await movedOn()
    const printed: string[] = ['serve', 'ui']
    for (const line of CALLS) {
      const args = [...line.split(' '), '--json']
      const { stdout } = await prompts(args, { cwd, env: service.both })
      const output = assertJsonOutput(args, stdout)
      expect({ line, stdout, isError: output === 'error' }).toMatchObject({
        isError: line === 'show unknown',
      })
      printed.push(output)
    }
    const others: (keyof JsonOutputs)[] = ['error', 'help', 'overview', 'version']
    const outputs = [...registry.map(({ name }) => name), ...others].toSorted()
    expect([...new Set(printed)].toSorted()).toEqual(outputs)
  })

  test.each([['serve', '--example'], ['ui']])('describes the line of %s', async (...command) => {
    const { cwd } = await movedOn()
    const args = [...command, '--port', '0', '--json']
    const [line] = await once(createInterface(start(args, { cwd }).stdout), 'line')
    expect(assertJsonOutput(args, line)).toBe(command[0])
  })
})
