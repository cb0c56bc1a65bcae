import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import type { JsonOutputs } from '../../src/cli/commands/json.ts'
import { registry } from '../../src/cli/commands/registry.ts'
import { APP_TSCONFIG, installTypes } from '../helpers/app-folder.ts'
import { prompts, start } from '../helpers/cli.ts'
import { commitAll, git } from '../helpers/git-repository.ts'
import { assertJsonOutput, SCHEMA } from '../helpers/json-output.ts'
import { type PromptGiven, testService } from '../helpers/local-service.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'
import { printJsonSchema } from '../helpers/print-json-schema.ts'

const TYPES = resolve(import.meta.dirname, '../../src/cli/commands/json.ts')

const ABOUT = {
  title: 'Output of `prompts --json`',
  description:
    'Each command has an entry in `$defs`, and one schema fits them all. What a failed command prints is `#/$defs/error`.',
}

const REPLY: PromptGiven = { slug: 'reply', version: 'v3', system: 'Dear {{ name }}' }
const GONE: PromptGiven = { slug: 'gone', version: 'v1', system: 'Bye {{ name }}' }
const TRIAGE: PromptGiven = {
  slug: 'triage',
  version: 'v22',
  system: 'Sort {{ ticket }} {{#if urgent}}',
  staging: { version: 'v24', system: 'Rank {{ ticket }}' },
}

const FILES = {
  '.gitignore': 'node_modules\n',
  'package.json': '{}',
  'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
  'src/main.ts': `import { prompts } from 'virtual:prompts'
prompts.gone.render({ name: '' })
prompts.reply.render({ name: '' })
prompts.triage.render({ ticket: '' })
export const all = Object.values(prompts)
`,
}

const RENAMES = ['--rename', 'triage:ticket=message', '--rename', 'gone=bye']

/** Calls of each output, one after the other in one app. */
const CALLS: Readonly<Record<Exclude<keyof JsonOutputs, 'serve' | 'ui'>, readonly string[][]>> = {
  init: [
    ['init', '--dry-run', '--bundler', 'vite'],
    ['init', '--yes', '--no-install', '--bundler', 'vite'],
  ],
  pull: [
    ['pull'],
    ['pull', '--dry-run'],
    ['pull', '--skip-breaking', '--dry-run'],
    ['pull', '--fix', ...RENAMES, '--yes'],
    ['pull', '--yes'],
    ['pull', '--changed'],
  ],
  diff: [
    ['diff'],
    ['diff', 'triage', '--impact'],
    ['diff', '--if-published'],
    ['diff', '--base', 'HEAD~1'],
  ],
  check: [['check'], ['check', '--offline'], ['check', '--impact']],
  list: [['list'], ['ls', '--usage', '--updates']],
  show: [
    ['show', 'triage'],
    ['show', 'triage', '--usage'],
  ],
  log: [['log'], ['log', 'triage', '--limit', '1']],
  hold: [
    ['hold', 'reply', 'triage', '--reason', 'Waiting for legal'],
    ['list', '--updates'],
    ['check'],
    ['diff', 'reply'],
    ['pull', '--yes'],
  ],
  release: [
    ['hold', 'reply', 'triage'],
    ['release', 'reply'],
  ],
  restore: [
    ['pull', '--yes'],
    ['restore', 'triage', '--from', 'HEAD'],
    ['restore', 'gone', '--from', 'HEAD', '--yes'],
  ],
  edit: [['edit', 'reply', '--system-file', 'package.json', '--yes']],
  generate: [['generate'], ['generate', '--out-dir', 'src/generated']],
  doctor: [['doctor'], ['doctor', '--offline']],
  explain: [['explain'], ['explain', 'LOCK_UNFIT']],
  error: [['show', 'unknown'], ['pull', '--frobnicate'], ['frobnicate']],
  help: [...registry.map(({ name }) => [name, '--help']), ['help', 'pull']],
  overview: [['--help'], ['help']],
  version: [['--version'], ['pull', '-v']],
}

/** A committed app whose prompts changed in the service: two are renamed, one needs a new variable. */
async function movedOn(): Promise<{ cwd: string; env: (args: readonly string[]) => typeof live }> {
  const service = await testService([GONE, REPLY, TRIAGE])
  const { live } = service
  const cwd = await pinnedProject(service, FILES)
  await installTypes(cwd)
  git(cwd, 'init', '--quiet')
  git(cwd, 'commit', '--quiet', '--allow-empty', '--message', 'empty')
  commitAll(cwd)
  service.serve(
    { ...GONE, slug: 'bye' },
    { ...REPLY, version: 'v4', system: 'Dear {{ name }} of {{ company }}' },
    { ...TRIAGE, version: 'v23', system: 'Sort {{ message }} {{#if urgent}}' },
  )
  return { cwd, env: (args) => (args.includes('--if-published') ? service.both : live) }
}

describe('the schema of --json', () => {
  test('is generated from the types of the commands', async () => {
    const schema = printJsonSchema(TYPES, 'JsonOutputs', ABOUT)
    await expect(schema, 'Run `npm run update-docs`, and read the difference.').toMatchFileSnapshot(
      SCHEMA,
    )
  })

  test('has every command', () => {
    const described = Object.keys({ ...CALLS, serve: true, ui: true })
    expect(described).toEqual(expect.arrayContaining(registry.map(({ name }) => name)))
  })

  test.each(Object.entries(CALLS))('describes %s', async (name, calls) => {
    const { cwd, env } = await movedOn()
    const printed: string[] = []
    for (const args of calls) {
      // A command sees what the one before it wrote.
      const { stdout } = await prompts([...args, '--json'], { cwd, env: env(args) })
      printed.push(assertJsonOutput(args, stdout))
    }
    expect(printed).toContain(name)
    expect(printed.includes('error')).toBe(name === 'error')
  })

  test.each([['serve', '--example'], ['ui']])('describes the line of %s', async (...command) => {
    const { cwd } = await movedOn()
    const args = [...command, '--port', '0', '--json']
    const [line] = await once(createInterface(start(args, { cwd }).stdout), 'line')
    expect(assertJsonOutput(args, line)).toBe(command[0])
  })

  test('has no room for fields that it does not describe', () => {
    const ui = { url: 'http://127.0.0.1:4401/' }
    expect(assertJsonOutput(['ui'], JSON.stringify(ui))).toBe('ui')
    expect(() => assertJsonOutput(['ui'], JSON.stringify({ ...ui, port: 1 }))).toThrow(
      'ui must NOT',
    )
    expect(() => assertJsonOutput(['ui'], '{}')).toThrow("required property 'url'")
  })
})
