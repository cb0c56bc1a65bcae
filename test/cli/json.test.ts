import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { type JsonOutputs, registry } from '../../src/cli/commands/registry.ts'
import { prompts, start } from '../helpers/cli.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { assertJsonOutput } from '../helpers/json-output.ts'
import { appWithPrompts, type AppWithPrompts } from '../helpers/pinned-project.ts'

const REPLY = { slug: 'support-reply', version: 'v3', system: 'Dear {{ name }}' }
const GONE = { slug: 'gone', version: 'v1', system: 'Bye {{ name }}' }
const TRIAGE = {
  slug: 'support-triage',
  version: 'v22',
  system: 'Sort {{ ticket }} {{#if urgent}}',
}
const FILES = {
  'package.json': '{ "devDependencies": { "unplugin-prompts": "1", "vite": "8" } }',
  'vite.config.ts': 'export default {}\n',
}
const STAGING = { version: 'v24', system: 'Rank {{ ticket }}' }

/** Commands that run until they are stopped. */
const SERVERS = ['serve --example --port 0', 'ui --port 0']

/** Calls of all others. A command sees what the one before it wrote. */
const CALLS = [
  'init --yes --example',
  'pull',
  'diff --if-published --impact',
  'list --usage',
  'show support-triage --usage',
  'log',
  'hold support-triage --reason Waiting',
  'unhold support-triage',
  'restore support-reply --from HEAD --yes',
  'edit support-reply --system-file package.json --yes',
  'check --impact',
  'generate --out-dir src/generated',
  'hold support-reply support-triage --reason Waiting',
  'check',
  'unhold support-triage',
  'pull --fix --rename support-triage:ticket=message --rename gone=bye --yes',
  'pull --dry-run',
  'diff --base HEAD',
  'restore gone --from HEAD --yes',
  'check --all',
  'show unknown',
  'pull --help',
  'help',
  'pull -v',
]

/** A committed app whose prompts changed in the service: one is renamed, one needs a new variable. */
async function appWithUpdate(): Promise<AppWithPrompts> {
  const code = `prompts.gone.render({ name: '' })
prompts.supportReply.render({ name: '' })
prompts.supportTriage.render({ ticket: '' })
export const all = Object.values(prompts)`
  const prompted = [GONE, REPLY, { ...TRIAGE, staging: STAGING }]
  const app = await appWithPrompts(prompted, code, FILES, 'both')
  commitAll(app.cwd)
  app.service.serve(
    { ...GONE, slug: 'bye' },
    { ...REPLY, version: 'v4', system: 'Dear {{ name }} of {{ company }}' },
    { ...TRIAGE, version: 'v23', system: 'Sort {{ message }} {{#if urgent}}' },
  )
  return app
}

function nameOf(call: string): string {
  return call.split(' ')[0] ?? ''
}

describe('the schema of --json', () => {
  test('describes what every command prints', async () => {
    const { cwd, service } = await appWithUpdate()
    const printed = SERVERS.map(nameOf)
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

  test.each(SERVERS)('describes the line of %s', async (call) => {
    const { cwd } = await appWithUpdate()
    const args = [...call.split(' '), '--json']
    const [line] = await once(createInterface(start(args, { cwd }).stdout), 'line')
    expect(assertJsonOutput(args, line)).toBe(nameOf(call))
  })
})
