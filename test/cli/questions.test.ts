import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { APP_TSCONFIG, installTypes } from '../helpers/app-folder.ts'
import { GONE, movedOn, pinnedIn, REPLY, TRIAGE } from '../helpers/breaking-update.ts'
import type { Keystroke } from '../helpers/binary.ts'
import { filesIn, folderWith, promptsOnScreen } from '../helpers/cli.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { testService } from '../helpers/local-service.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'

const [UP, DOWN, ENTER, SPACE, CTRL_C] = ['\u001b[A', '\u001b[B', '\r', ' ', '\u0003']
const ERASE = '\r\u001b[2K'
const PINNED = ['gone@v1 Bye', 'reply@v3 Dear {{ name }}', 'triage@v22 Sort {{ ticket }}']
const SAFE = ['gone@v1 Bye', 'reply@v4 Hello {{ name }}', 'triage@v22 Sort {{ ticket }}']
const ALL = ['reply@v4 Hello {{ name }}', 'triage@v23 Sort {{ ticket }} by {{ tone }}']

/** Keys for the question about breaks, whose preset answer is the last one: to cancel. */
function answer(...keys: string[]): Keystroke {
  return { await: 'What now?', send: keys.join('') }
}

/** The screen without the progress bars. */
function screen(output: string): string {
  const lines = output.split('\n').map((line) => line.split(ERASE).at(-1))
  return lines.join('\n')
}

/** Counts the type checks of a test. */
function countTypeChecks(): () => number {
  vi.stubEnv('DEBUG', 'unplugin-prompts:analysis')
  const log = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => {
    log.mockRestore()
    vi.unstubAllEnvs()
  })
  return () => log.mock.calls.filter((line) => String(line).includes('type check of')).length
}

describe('a pull that breaks the app, on a terminal', () => {
  test('shows changes and breaks, and writes nothing on Enter', async () => {
    const { cwd, service } = await movedOn()
    const before = await filesIn(cwd)
    const steps = [answer(ENTER)]
    const run = await promptsOnScreen(['pull'], { cwd, env: service.live, steps })
    const shown = ['breaking', '2 places stop working', 'What now?', 'Nothing was written']
    const places = shown.map((text) => screen(run.output).indexOf(text))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
    expect(run.code).toBe(3)
    expect(await filesIn(cwd)).toEqual(before)
  })

  test('shows the diff before it writes anyway', async () => {
    const { cwd, service } = await movedOn()
    const steps = [answer(UP.repeat(5), ENTER), { await: '+ Sort', send: '' }, answer(UP, ENTER)]
    const env = { ...service.live, NO_COLOR: '1' }
    const run = await promptsOnScreen(['pull'], { cwd, env, steps })
    expect(run.output).toContain('- Sort {{ ticket }}')
    expect(run.code).toBe(0)
    expect(await pinnedIn(cwd)).toEqual(ALL)
  })

  test("takes what doesn't break, with two type checks of the app", async () => {
    const { cwd, service } = await movedOn()
    const steps = [answer(UP.repeat(3), ENTER)]
    const typeChecks = countTypeChecks()
    const run = await promptsOnScreen(['pull'], { cwd, env: service.live, steps })
    expect(run.code).toBe(0)
    expect(typeChecks()).toBe(2)
    expect(screen(run.output)).toContain('`gone` was removed and is in use')
    expect(await pinnedIn(cwd)).toEqual(SAFE)
  })

  test('takes the chosen prompts; those that break are not preselected', async () => {
    const { cwd, service } = await movedOn()
    const steps = [answer(UP.repeat(4), ENTER), { await: 'Which prompts', send: ENTER }]
    const run = await promptsOnScreen(['pull'], { cwd, env: service.live, steps })
    expect(run.code).toBe(0)
    expect(screen(run.output)).toContain('not chosen')
    expect(await pinnedIn(cwd)).toEqual(SAFE)
  })

  test('Ctrl-C interrupts it and writes nothing', async () => {
    const { cwd, service } = await movedOn()
    const steps = [answer(CTRL_C)]
    const run = await promptsOnScreen(['pull'], { cwd, env: service.live, steps })
    expect(run.code).toBe(130)
    expect(screen(run.output)).toContain('Interrupted.')
    expect(await pinnedIn(cwd)).toEqual(PINNED)
  })
})

describe('prompts pull --interactive', () => {
  test.each([
    [
      'choose prompts that break',
      ['pull'],
      [
        answer(UP.repeat(4), ENTER),
        { await: 'Which prompts', send: SPACE + ENTER },
        answer(UP, ENTER),
      ],
    ],
    [
      'choose with -i',
      ['pull', '-i'],
      [{ await: 'Which prompts', send: SPACE + ENTER }, answer(UP, ENTER)],
    ],
  ])('type-checks the app twice at most, to %s', async (_, args, steps) => {
    const { cwd, service } = await movedOn()
    const typeChecks = countTypeChecks()
    const env = { ...service.live, NO_COLOR: '1' }
    const run = await promptsOnScreen(args, { cwd, env, steps })
    expect(run.code).toBe(0)
    expect(typeChecks()).toBe(2)
    expect(run.output.split('What now?').at(-1)).not.toContain('Choose prompts')
  })

  test('shows the diffs, and asks again if a chosen prompt breaks the app', async () => {
    const { cwd, service } = await movedOn()
    const steps = [
      // Rows that break are first: gone, triage, reply.
      { await: 'Which prompts', send: DOWN + SPACE + DOWN + SPACE + ENTER },
      answer(UP, ENTER),
    ]
    const env = { ...service.live, NO_COLOR: '1' }
    const run = await promptsOnScreen(['pull', '-i'], { cwd, env, steps })
    expect(run.code).toBe(0)
    const shown = ['Dear {{', 'Which prompts', '1 place stops working']
    const places = shown.map((text) => screen(run.output).indexOf(text))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
    expect(await pinnedIn(cwd)).toEqual([PINNED[0], PINNED[1], ALL[1]])
  })

  test('asks about updates that break nothing too, and may take none', async () => {
    const { cwd, service } = await movedOn()
    service.serve(GONE, { ...REPLY, version: 'v4', system: 'Hello {{ name }}' }, TRIAGE)
    const before = await filesIn(cwd)
    const steps = [{ await: 'Which prompts', send: SPACE + ENTER }]
    const run = await promptsOnScreen(['pull', '-i'], { cwd, env: service.live, steps })
    expect(run.code).toBe(0)
    expect(screen(run.output)).toContain('prompts.lock.json is unchanged.')
    expect(await filesIn(cwd)).toEqual(before)
  })

  test('chooses what a first pull pins', async () => {
    const service = await testService([GONE, REPLY, TRIAGE])
    const cwd = await folderWith()
    const steps = [{ await: 'Which prompts', send: SPACE + ENTER }]
    const run = await promptsOnScreen(['pull', '-i'], { cwd, env: service.live, steps })
    expect(run.code).toBe(0)
    expect(await pinnedIn(cwd)).toEqual(PINNED.slice(1))
  })
})

describe('prompts pull --fix, on a terminal', () => {
  const MAIN = "import { prompts } from 'virtual:prompts'\nprompts.triage.render({ ticket: '' })\n"
  const FIXED = MAIN.replace('ticket', 'message')
  /** The answers are no, yes, and yes to all. */
  const CONFIRM: Keystroke = {
    await: 'Is ticket of triage called message now?',
    send: `\u001b[B${ENTER}`,
  }
  const WRITE: Keystroke = { await: 'Write the lock?', send: ENTER }

  /** A committed app of one prompt, whose variable is renamed. */
  async function renamed(): Promise<{ cwd: string; env: Readonly<Record<string, string>> }> {
    const service = await testService([TRIAGE])
    const cwd = await pinnedProject(service, {
      '.gitignore': 'node_modules\n',
      'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
      'src/main.ts': MAIN,
    })
    await installTypes(cwd)
    commitAll(cwd)
    service.serve({ ...TRIAGE, version: 'v23', system: 'Sort {{ message }}' })
    return { cwd, env: { ...service.live, NO_COLOR: '1' } }
  }

  function main(cwd: string): Promise<string> {
    return readFile(join(cwd, 'src/main.ts'), 'utf8')
  }

  test('asks about each rename, shows the edits and asks before it writes', async () => {
    const { cwd, env } = await renamed()
    const run = await promptsOnScreen(['pull', '--fix'], { cwd, env, steps: [CONFIRM, WRITE] })
    expect(run.code).toBe(0)
    const [question = '', edits = ''] = screen(run.output).split('Edits src/main.ts')
    for (const part of [question, edits])
      expect(part).toContain("+prompts.triage.render({ message: '' })")
    expect(await main(cwd)).toBe(FIXED)
    expect(await pinnedIn(cwd)).toEqual(['triage@v23 Sort {{ message }}'])
  })

  test('is an answer of the question about breaks', async () => {
    const { cwd, env } = await renamed()
    const steps = [answer(UP.repeat(2), ENTER), CONFIRM, WRITE]
    const run = await promptsOnScreen(['pull'], { cwd, env, steps })
    expect(run.code).toBe(0)
    expect(await main(cwd)).toBe(FIXED)
    expect(await pinnedIn(cwd)).toEqual(['triage@v23 Sort {{ message }}'])
  })

  test('writes nothing if the edits are declined', async () => {
    const { cwd, env } = await renamed()
    const before = await filesIn(cwd)
    const steps = [CONFIRM, { ...WRITE, send: 'n' }]
    const run = await promptsOnScreen(['pull', '--fix'], { cwd, env, steps })
    expect(run.code).toBe(3)
    expect(await filesIn(cwd)).toEqual(before)
  })

  test('keeps the old prompt if a rename is not confirmed', async () => {
    const { cwd, env } = await renamed()
    const steps = [{ ...CONFIRM, send: ENTER }]
    const run = await promptsOnScreen(['pull', '--fix'], { cwd, env, steps })
    expect(run.code).toBe(0)
    expect(screen(run.output)).not.toContain('--rename')
    expect(screen(run.output)).not.toContain('error TS')
    expect(await main(cwd)).toBe(MAIN)
    expect(await pinnedIn(cwd)).toEqual(['triage@v22 Sort {{ ticket }}'])
  })
})

describe('init on a terminal', () => {
  const FILES = {
    'package.json': '{ "dependencies": { "vite": "8", "rollup": "4", "unplugin-prompts": "*" } }',
    'vite.config.ts': 'export default {}\n',
    'rollup.config.js': 'export default {}\n',
  }

  test('asks which bundler if there are two, and writes after a yes', async () => {
    const cwd = await folderWith(FILES)
    const steps = [
      { await: 'What builds this app?', send: '\u001b[B\r' },
      { await: 'Where do the prompts come from?', send: '\u001b[B\u001b[B\r' },
      { await: 'Make these changes?', send: 'y' },
    ]
    const { code, output } = await promptsOnScreen(['init'], { cwd, steps })
    expect(code).toBe(0)
    expect(output).toContain('rollup.config.js')
    const files = await filesIn(cwd)
    expect(files['rollup.config.js']).toContain('unplugin-prompts/rollup')
    expect(files['vite.config.ts']).toBe('export default {}\n')
  })

  test('asks once what a build does about prompts in an app without a server', async () => {
    const { 'rollup.config.js': _, ...files } = FILES
    const cwd = await folderWith({ ...files, 'index.html': '' })
    const later = { await: 'Where do the prompts come from?', send: '\u001b[B\u001b[B\r' }
    const yes = { await: 'Make these changes?', send: 'y' }
    const question = { await: 'This app has no server', send: '\u001b[B\u001b[B\r' }
    await promptsOnScreen(['init'], { cwd, steps: [question, later, yes] })
    expect((await filesIn(cwd))['prompts.config.ts']).toContain(`  client: 'allow',\n`)
    const again = await promptsOnScreen(['init'], { cwd, steps: [] })
    expect(again.output).not.toContain('This app has no server')

    const server = files['package.json'].replace('{ "vite"', '{ "express": "5", "vite"')
    const other = await folderWith({ ...files, 'index.html': '', 'package.json': server })
    await promptsOnScreen(['init'], { cwd: other, steps: [later, yes] })
    expect(Object.keys(await filesIn(other))).not.toContain('prompts.config.ts')
  })

  test('asks again for a key that has a space, no kind, or that the service refuses', async () => {
    const service = await testService([{ slug: 'greeting', version: 'v1' }])
    const { 'rollup.config.js': _, ...files } = FILES
    const cwd = await folderWith(files)
    const { PROMPTS_BASE_URL = '', PROMPTS_API_KEY = '' } = service.live
    const steps = [
      { await: 'Where do the prompts come from?', send: '\r' },
      { await: 'Address of the service', send: `${PROMPTS_BASE_URL}\r` },
      { await: 'Key (', send: 'svc_live_abc def\r' },
      { await: 'contains white space', send: '\u007f'.repeat(16) + 'wrong\r' },
      { await: '`_live_`', send: '\u007f'.repeat(5) + 'svc_live_wrong\r' },
      { await: 'The service refuses this key. Key:', send: `${PROMPTS_API_KEY}\r` },
      { await: 'Make these changes?', send: 'y' },
    ]
    const { code } = await promptsOnScreen(['init'], { cwd, steps })
    expect(code).toBe(0)
    expect((await filesIn(cwd))['.env.local']).toContain(`PROMPTS_API_KEY=${PROMPTS_API_KEY}\n`)
  })

  test('offers to replace a stored key that the service refuses', async () => {
    const service = await testService([{ slug: 'greeting', version: 'v1' }])
    const { PROMPTS_BASE_URL = '', PROMPTS_API_KEY = '' } = service.live
    const { 'rollup.config.js': _, ...files } = FILES
    const stored = `PROMPTS_BASE_URL=${PROMPTS_BASE_URL}\nPROMPTS_API_KEY=svc_live_revoked\n`
    const cwd = await folderWith({ ...files, '.env.local': stored })
    const steps = [
      { await: 'The service refuses this key. Key:', send: `${PROMPTS_API_KEY}\r` },
      { await: 'Make these changes?', send: 'y' },
    ]
    const { code } = await promptsOnScreen(['init'], { cwd, steps })
    expect(code).toBe(0)
    expect((await filesIn(cwd))['.env.local']).toBe(
      `PROMPTS_BASE_URL=${PROMPTS_BASE_URL}\nPROMPTS_API_KEY=${PROMPTS_API_KEY}\n`,
    )
  })

  test.each([
    { title: 'no', send: 'n', code: 0, last: 'Nothing was written.' },
    { title: 'Ctrl-C', send: '\u0003', code: 130, last: 'Interrupted.' },
  ])('writes nothing after $title, and ends with $last', async ({ send, code, last }) => {
    const { 'rollup.config.js': _, ...files } = FILES
    const cwd = await folderWith(files)
    const steps = [
      { await: 'Where do the prompts come from?', send: '\u001b[B\r' },
      { await: 'Make these changes?', send },
    ]
    const run = await promptsOnScreen(['init'], { cwd, steps })
    expect(run.code).toBe(code)
    expect(run.output).toContain(last)
    expect(await filesIn(cwd)).toStrictEqual(files)
  })
})
