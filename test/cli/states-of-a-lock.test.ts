import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openProject } from '../../src/features/project/project.ts'
import { startProject } from '../../src/features/start/start.ts'
import { startSources } from '../../src/register/start.ts'
import { appWithUpdate } from '../helpers/breaking-update.ts'
import { filesIn, prompts, promptsOnScreen } from '../helpers/cli.ts'
import { commitAll, git } from '../helpers/git-repository.ts'
import { type AppWithPrompts, pinnedIn, servedProject } from '../helpers/pinned-project.ts'
import { outcome } from '../helpers/service-client.ts'

const REPLY = { slug: 'reply', version: 'v3', system: 'Dear {{ name }}' }
const TRIAGE = { slug: 'triage', version: 'v22', system: 'Sort {{ ticket }}' }
const NEWER = { ...TRIAGE, version: 'v23', system: 'Order {{ ticket }}' }

/** An app in a state, and a service with an update. */
interface State extends AppWithPrompts {
  readonly lock: string
}

type Make = (app: State) => Promise<void>

async function rewrite(lock: string, change: (text: string) => string): Promise<void> {
  await writeFile(lock, change(await readFile(lock, 'utf8')))
}

/** The states of a lock, in the order of the columns below. */
const STATES: readonly (readonly [name: string, make: Make])[] = [
  ['no lock', async ({ lock }) => rm(lock)],
  ['a whole lock', async () => undefined],
  [
    'a merge whose sides can be read',
    async ({ cwd, env, service }) => {
      for (const version of ['v4', 'v5']) {
        git(cwd, 'switch', '--quiet', '--create', version, 'main')
        service.serve({ ...REPLY, version }, TRIAGE)
        await prompts(['pull', '--yes'], { cwd, env })
        git(cwd, 'commit', '--quiet', '-am', version)
      }
      expect(() => git(cwd, 'merge', 'v4')).toThrow('merge')
    },
  ],
  ['an edited lock', async ({ lock }) => rewrite(lock, (text) => text.replace('Sort', 'Rank'))],
  ['a truncated lock', async ({ lock }) => rewrite(lock, (text) => text.slice(0, -200))],
]

async function stateOf(make: Make): Promise<State> {
  const app = await servedProject([REPLY, TRIAGE], { 'system.txt': 'Sort it.' })
  commitAll(app.cwd)
  const state = { ...app, lock: join(app.cwd, 'prompts.lock.json') }
  await make(state)
  app.service.serve({ ...REPLY, version: 'v9' }, NEWER)
  return state
}

type Act = (state: State) => Promise<string | undefined>

/** What a command says if it fails: the code of an error, or that nobody could be asked. */
function command(...args: readonly string[]): Act {
  return async ({ cwd, env }) => {
    const { code, stdout, stderr } = await prompts(args, { cwd, env })
    if (code === 0) return undefined
    return code === 3 ? 'asks' : /\[([A-Z]+_[A-Z]+)\]/.exec(stdout + stderr)?.[1]
  }
}

function starting(pull: 'missing' | 'always'): Act {
  return async ({ cwd, env }) => {
    const warn = (): void => undefined
    const settings = { root: cwd, mode: 'development', options: { pull }, processEnv: env, warn }
    const start = { production: false, notify: warn }
    return codeOf(startProject(await openProject(settings), start))
  }
}

const register: Act = ({ cwd, env }) =>
  codeOf(startSources({ folder: cwd, env, print: () => undefined }))

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  const { code } = Object(await outcome(work))
  return code as string | undefined
}

const MISSING = 'LOCK_MISSING'
const OWN = ['LOCK_CONFLICTED', 'LOCK_EDITED', 'LOCK_SYNTAX'] as const
const DAMAGED = ['LOCK_EDITED', 'LOCK_SYNTAX'] as const

/** What each command does in each state: it writes the lock, leaves it, asks, or fails with a code. */
const ROWS: readonly (readonly [name: string, act: Act, ...ends: string[]])[] = [
  ['pull', command('pull'), 'writes', 'writes', 'writes', 'asks', 'asks'],
  ['pull --yes', command('pull', '--yes'), 'writes', 'writes', 'writes', 'writes', 'writes'],
  [
    'pull --dry-run',
    command('pull', '--dry-run'),
    'leaves',
    'leaves',
    'leaves',
    'leaves',
    'leaves',
  ],
  ['pull <slug>', command('pull', 'triage', '--yes'), MISSING, 'writes', ...OWN],
  [
    'pull --changed',
    command('pull', '--changed', '--yes'),
    MISSING,
    'writes',
    'writes',
    ...DAMAGED,
  ],
  [
    'pull --skip-breaking',
    command('pull', '--skip-breaking', '--yes'),
    MISSING,
    'writes',
    'writes',
    ...DAMAGED,
  ],
  [
    'pull --report',
    command('pull', '--report', 'r.md', '--yes'),
    MISSING,
    'writes',
    'writes',
    ...DAMAGED,
  ],
  ['pull --fix', command('pull', '--fix', '--yes'), 'writes', 'writes', 'writes', ...DAMAGED],
  ['a start with pull: missing', starting('missing'), 'writes', 'leaves', ...OWN],
  ['a start with pull: always', starting('always'), 'writes', 'writes', 'writes', ...DAMAGED],
  ['register', register, 'writes', 'leaves', ...OWN],
  ['check', command('check', '--offline'), MISSING, 'leaves', ...OWN],
  ['diff', command('diff'), MISSING, 'leaves', ...OWN],
  ['list', command('list'), MISSING, 'leaves', ...OWN],
  ['generate', command('generate'), MISSING, 'leaves', ...OWN],
  ['hold', command('hold', 'triage'), MISSING, 'writes', ...OWN],
  [
    'edit',
    command('edit', 'triage', '--system-file', 'system.txt', '--yes'),
    MISSING,
    'writes',
    ...OWN,
  ],
  ['restore', command('restore', 'triage', '--from', 'HEAD', '--yes'), MISSING, 'leaves', ...OWN],
]

test.each(STATES.map(([name, make], column) => [name, make, column] as const))(
  'with %s, each command does what the table says',
  async (_, make, column) => {
    const state = await stateOf(make)
    const read = (): Promise<string | undefined> =>
      readFile(state.lock, 'utf8').catch(() => undefined)
    const before = await read()
    const ends: string[] = []
    for (const [name, act] of ROWS) {
      const failure = await act(state)
      const isSame = (await read()) === before
      const end = failure ?? (isSame ? 'leaves' : 'writes')
      ends.push(`${name}: ${end}${failure === undefined || isSame ? '' : ', and writes'}`)
      await (before === undefined ? rm(state.lock, { force: true }) : writeFile(state.lock, before))
    }
    expect(ends).toEqual(ROWS.map(([name, , ...expected]) => `${name}: ${expected[column]}`))
  },
)

describe('a damaged lock, in whose app an update breaks code', () => {
  /** Both prompts that change are lost: one was edited and held, the other can't be read. */
  async function damagedApp(): Promise<AppWithPrompts> {
    const app = await appWithUpdate()
    commitAll(app.cwd)
    await prompts(['hold', 'triage', '--reason', 'Legal'], app)
    const lock = join(app.cwd, 'prompts.lock.json')
    await rewrite(lock, (text) => text.replace('Sort', 'Rank').replace('"Dear', '"Dear"'))
    return app
  }

  test('is not replaced without an answer, and every line that does not compile counts', async () => {
    const { cwd, env } = await damagedApp()
    const before = await filesIn(cwd)
    const run = await prompts(['pull', '--json'], { cwd, env })
    expect(run).toMatchObject({ code: 3 })
    expect(run.json).toMatchObject({
      outcome: 'declined',
      lost: [
        { slug: 'reply', environment: 'live', line: 21, isEdited: false, held: null },
        { slug: 'triage', environment: 'live', line: 37, isEdited: true, held: 'Legal' },
      ],
      changes: [
        { kind: 'updated', slug: 'triage', version: { before: 'v22', after: 'v23' } },
        { kind: 'updated', slug: 'reply', version: { before: 'v3', after: 'v4' } },
        { kind: 'removed', slug: 'gone' },
      ],
      impact: [{ slug: null }, { slug: 'triage' }],
    })
    expect(await filesIn(cwd)).toEqual(before)
  })

  test('is replaced as a person answers, who may leave what git has', async () => {
    const app = await damagedApp()
    // The fix of a rename is not offered: which lines broke before is not known.
    const renamed = { ...TRIAGE, version: 'v23', system: 'Sort {{ message }}' }
    app.service.serve({ ...REPLY, version: 'v4', system: 'Hello {{ name }}' }, renamed)
    const up = '\u001b[A'
    const steps = [
      { await: 'What now?', send: `${up}${up}\r` },
      { await: 'Which prompts to update?', send: '\r' },
      { await: 'What now?', send: `${up}\r` },
    ]
    const { code, output } = await promptsOnScreen(['pull'], { ...app, steps })
    expect(code).toBe(0)
    expect(output).toContain("reply: line 21; it can't be read; git has v3")
    expect(output).toContain(
      'triage: line 37; its edit is discarded; its hold ends: Legal; git has v22',
    )
    expect(await pinnedIn(app.cwd)).toEqual([
      'reply@v4 Hello {{ name }}',
      'triage@v22 Sort {{ ticket }}',
    ])
  })

  test('of which nothing is left, in git either, counts every line that does not compile', async () => {
    const app = await appWithUpdate()
    await writeFile(join(app.cwd, 'prompts.lock.json'), '')
    const run = await prompts(['pull', '--json'], app)
    expect(run).toMatchObject({ code: 3, json: { lost: [], outcome: 'declined' } })
    expect(run.json).toMatchObject({ impact: [{ slug: null }, { slug: 'triage' }] })
  })
})
