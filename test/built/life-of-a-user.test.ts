import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPLY, TRIAGE } from '../helpers/breaking-update.ts'
import { APP_TSCONFIG } from '../helpers/app-folder.ts'
import { type Keystroke, onTerminal, variables } from '../helpers/binary.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { installedApp } from '../helpers/installed-app.ts'
import { type GivenPrompt, testService } from '../helpers/local-service.ts'
import { parsedLock } from '../helpers/pinned.ts'
import { installCommands } from './installed-commands.ts'
import { AUTHOR } from './shell.ts'

const NEW_REPLY = { ...REPLY, version: 'v4', system: 'Hello {{ name }}' }
const NEWEST_REPLY = { ...REPLY, version: 'v5', system: 'Hi {{ name }}' }
const NEW_TRIAGE = { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} by {{ tone }}' }

const FILES = {
  'package.json':
    '{ "type": "module", "devDependencies": { "vite": "8", "unplugin-prompts": "*" } }',
  'vite.config.ts': 'export default { plugins: [] }\n',
  'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
  '.gitignore': 'node_modules\n',
  'src/main.ts': `import { prompts } from 'virtual:prompts'
prompts.reply.render({ name: '' })
prompts.triage.render({ ticket: '' })
`,
}

/** Ten commands, each in a process of its own. */
const MINUTES = 180_000

/** A line typed into the shell. Its exit code is printed as `[name:0]`. */
function line(name: string, command: string): string {
  return `${command}; echo "[${name}:$?]"\r`
}

test(
  'a user goes from init over an update, a conflict and a fix to a clean check',
  async () => {
    const service = await testService([REPLY, TRIAGE])
    const root = await installedApp({ files: FILES, packages: ['vite'] })
    const bin = await installCommands(root)
    commitAll(root)
    const { PROMPTS_BASE_URL = '', PROMPTS_API_KEY = '' } = service.live
    const serve =
      (...prompts: readonly GivenPrompt[]): (() => void) =>
      () =>
        service.serve(...prompts)
    const steps: Keystroke[] = [
      { await: '$ ', send: line('init', 'prompts init') },
      { await: 'Where do the prompts come from?', send: '\r' },
      { await: 'URL of the service', send: `${PROMPTS_BASE_URL}\r` },
      { await: 'Key, for', send: `${PROMPTS_API_KEY}\r` },
      { await: 'Make these changes?', send: 'y' },
      { await: '[init:0]', send: line('commit', 'git add -A && git commit -qm init') },
      // Somebody edits both prompts in the service; one edit breaks the app.
      {
        await: '[commit:0]',
        before: serve(NEW_REPLY, NEW_TRIAGE),
        send: line('diff', 'prompts diff --fail-on any'),
      },
      { await: '[diff:3]', send: line('pull', 'prompts pull') },
      { await: 'What now?', send: `${'\u001b[A'.repeat(2)}\r` },
      { await: '[pull:0]', send: line('update', 'git commit -qam update') },
      // Another branch, from before, gets a later edit of the same prompt.
      {
        await: '[update:0]',
        before: serve(NEWEST_REPLY, TRIAGE),
        send: line('other', 'git checkout -qb other HEAD~1 && prompts pull'),
      },
      { await: '[other:0]', send: line('merge', 'git commit -qam other; git merge main') },
      { await: '[merge:1]', send: line('solve', 'prompts pull') },
      { await: '[solve:0]', send: line('merged', 'git add -A && git commit -qm merged') },
      // The user fixes the call, so that the breaking edit can be taken too.
      {
        await: '[merged:0]',
        before: serve(NEWEST_REPLY, NEW_TRIAGE),
        send: line('drift', 'prompts check'),
      },
      {
        await: '[drift:3]',
        send: line(
          'fix',
          `sed -i "s/ticket: ''/ticket: '', tone: ''/" src/main.ts && prompts pull`,
        ),
      },
      { await: '[fix:0]', send: line('all', 'prompts check --all') },
      { await: '[all:0]', send: 'exit\r' },
    ]
    const env = {
      ...AUTHOR,
      GIT_CONFIG_GLOBAL: '/dev/null',
      PATH: `${bin}:${variables()['PATH']}`,
      PS1: '$ ',
    }
    const shell = ['/bin/bash', '--norc', '--noprofile', '-i']
    const { output } = await onTerminal(shell, { cwd: root, env, steps, columns: 80 })
    expect(output).toContain('[all:0]')
    expect(output).not.toContain(PROMPTS_API_KEY)
    const lock = await readFile(join(root, 'prompts.lock.json'), 'utf8')
    expect(parsedLock(lock).parts.map(({ slug, version }) => `${slug}@${version}`)).toEqual([
      'reply@v5',
      'triage@v23',
    ])
  },
  MINUTES,
)
