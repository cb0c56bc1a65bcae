import { writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { GONE, appWithUpdate, REPLY, TRIAGE } from '../helpers/breaking-update.ts'
import type { Keystroke } from '../helpers/binary.ts'
import { filesIn, folderWith, promptsOnScreen } from '../helpers/cli.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { testService } from '../helpers/local-service.ts'
import { type AppWithPrompts, appWithPrompts, pinnedIn } from '../helpers/pinned-project.ts'

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

/** What a person is shown, in this order. */
function expectInOrder(output: string, shown: readonly string[]): void {
  const places = shown.map((text) => screen(output).indexOf(text))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
}

describe('a pull that breaks the app, on a terminal', () => {
  test('shows changes and breaks, and writes nothing on Enter or Ctrl-C', async () => {
    const app = await appWithUpdate()
    const before = await filesIn(app.cwd)
    const run = await promptsOnScreen(['pull'], { ...app, steps: [answer(ENTER)] })
    const shown = ['breaking', '2 lines stop compiling', 'What now?', 'Nothing was written']
    expectInOrder(run.output, shown)
    expect(run.code).toBe(3)
    const interrupted = await promptsOnScreen(['pull'], { ...app, steps: [answer(CTRL_C)] })
    expect(interrupted.code).toBe(130)
    expect(screen(interrupted.output)).toContain('Interrupted.')
    expect(await filesIn(app.cwd)).toEqual(before)
  })

  test('shows the diff before it writes anyway', async () => {
    const app = await appWithUpdate()
    const steps = [answer(UP.repeat(4), ENTER), { await: '+ Sort', send: '' }, answer(UP, ENTER)]
    const run = await promptsOnScreen(['pull'], { ...plain(app), steps })
    expect(run.output).toContain('- Sort {{ ticket }}')
    expect(run.code).toBe(0)
    expect(await pinnedIn(app.cwd)).toEqual(ALL)
  })

  test("takes what doesn't break, with two type checks of the app", async () => {
    const app = await appWithUpdate()
    const typeChecks = countTypeChecks()
    const steps = [answer(UP.repeat(2), ENTER)]
    const run = await promptsOnScreen(['pull'], { ...app, steps })
    expect(run.code).toBe(0)
    expect(typeChecks()).toBe(2)
    expect(screen(run.output)).toContain('`gone` was removed')
    expect(await pinnedIn(app.cwd)).toEqual(SAFE)
  })

  test('takes the chosen prompts; those that break are not preselected', async () => {
    const app = await appWithUpdate()
    const script = "declare const require: (id: string) => any\nrequire('virtual:prompts')"
    await writeFile(join(app.cwd, 'src/old.ts'), script)
    const steps = [answer(UP.repeat(3), ENTER), { await: 'Which prompts', send: ENTER }]
    const run = await promptsOnScreen(['pull'], { ...plain(app), steps })
    expect(run.code).toBe(0)
    // What is proven and what was not checked are not one number.
    expect(run.output).toContain('◻ triage ✖ 1 line stops compiling; 1 file was not checked')
    expect(screen(run.output)).toContain('not chosen')
    expect(await pinnedIn(app.cwd)).toEqual(SAFE)
  })
})

type Call = Pick<AppWithPrompts, 'cwd' | 'env'>

/** The call of a command on a screen without colours. */
function plain({ cwd, env }: Call): Call {
  return { cwd, env: { ...env, NO_COLOR: '1' } }
}

describe('prompts pull --interactive', () => {
  test('shows the diffs, and asks again, after two type checks, if a chosen prompt breaks', async () => {
    const app = await appWithUpdate()
    const renamed = { ...TRIAGE, version: 'v23', system: 'Sort {{ message }}' }
    app.service.serve({ ...REPLY, version: 'v4', system: 'Hello {{ name }}' }, renamed)
    const typeChecks = countTypeChecks()
    const steps = [
      // Rows that break are first: gone, triage, reply.
      { await: 'Which prompts', send: DOWN + SPACE + DOWN + SPACE + ENTER },
      answer(UP, ENTER),
    ]
    const run = await promptsOnScreen(['pull', '-i'], { ...plain(app), steps })
    expect(run.code).toBe(0)
    expect(typeChecks()).toBe(2)
    expectInOrder(run.output, ['Dear {{', 'Which prompts', '1 line stops compiling'])
    // What is left has no fix, and what was chosen is not chosen again.
    expect(run.output).not.toMatch(/call sites|Choose prompts/)
    expect(await pinnedIn(app.cwd)).toEqual([PINNED[0], PINNED[1], 'triage@v23 Sort {{ message }}'])
  })

  test('asks about updates that break no line, too, and may take none', async () => {
    const app = await appWithUpdate()
    app.service.serve(GONE, { ...REPLY, version: 'v4', system: 'Hello {{ name }}' }, TRIAGE)
    const before = await filesIn(app.cwd)
    const steps = [{ await: 'Which prompts', send: SPACE + ENTER }]
    const run = await promptsOnScreen(['pull', '-i'], { ...app, steps })
    expect(run.code).toBe(0)
    expect(screen(run.output)).toContain('prompts.lock.json is unchanged.')
    expect(await filesIn(app.cwd)).toEqual(before)
  })

  test('chooses what a first pull pins', async () => {
    const service = await testService([GONE, REPLY, TRIAGE])
    const cwd = await folderWith()
    const steps = [{ await: 'Which prompts', send: SPACE + ENTER }]
    const run = await promptsOnScreen(['pull', '-i'], { cwd, env: service.live, steps })
    expect(run.code).toBe(0)
    expect(await pinnedIn(cwd)).toEqual(PINNED.slice(1))
  })

  test('chooses a new prompt without its staging version', async () => {
    const staging = { version: 'v23', system: 'Rank {{ ticket }}' }
    const service = await testService([GONE, { ...TRIAGE, staging }])
    const cwd = await folderWith()
    const steps = [{ await: 'Which prompts', send: DOWN + DOWN + SPACE + ENTER }]
    const run = await promptsOnScreen(['pull', '-i'], { cwd, env: service.both, steps })
    expect(run.code).toBe(0)
    expect(await pinnedIn(cwd)).toEqual([PINNED[0], PINNED[2]])
  })
})

describe('prompts pull --fix, on a terminal', () => {
  const FIXED =
    "import { prompts } from 'virtual:prompts'\nprompts.triage.render({ message: '' })\n"
  /** The answers are no, yes, and yes to all. */
  const CONFIRM: Keystroke = {
    await: 'Is ticket of triage called message now?',
    send: DOWN + ENTER,
  }
  const WRITE: Keystroke = {
    await: 'Write prompts.lock.json, prompts.d.ts, and src/main.ts?',
    send: ENTER,
  }

  /** A committed app of one prompt, whose variable is renamed. */
  async function renamed(): Promise<Call> {
    const app = await appWithPrompts([TRIAGE], "prompts.triage.render({ ticket: '' })")
    commitAll(app.cwd)
    app.service.serve({ ...TRIAGE, version: 'v23', system: 'Sort {{ message }}' })
    return plain(app)
  }

  test.each([
    [
      ['pull', '--fix'],
      [CONFIRM, WRITE],
    ],
    [['pull'], [answer(UP.repeat(2), ENTER), CONFIRM, WRITE]],
  ])(
    'asks about each rename, shows the edits and asks before it writes: %j',
    async (args, steps) => {
      const app = await renamed()
      const run = await promptsOnScreen(args, { ...app, steps })
      expect(run.code).toBe(0)
      const [question = '', edits = ''] = screen(run.output).split('Edits src/main.ts')
      for (const part of [question, edits])
        expect(part).toContain("+prompts.triage.render({ message: '' })")
      expect(await readFile(join(app.cwd, 'src/main.ts'), 'utf8')).toBe(FIXED)
      expect(await pinnedIn(app.cwd)).toEqual(['triage@v23 Sort {{ message }}'])
    },
  )

  test('writes nothing if the edits are declined or a rename is not confirmed', async () => {
    const app = await renamed()
    const before = await filesIn(app.cwd)
    const declined = [CONFIRM, { ...WRITE, send: 'n' }]
    const run = await promptsOnScreen(['pull', '--fix'], { ...app, steps: declined })
    expect(run.code).toBe(3)
    const denied = [{ ...CONFIRM, send: ENTER }]
    const second = await promptsOnScreen(['pull', '--fix'], { ...app, steps: denied })
    expect(second.code).toBe(0)
    expect(screen(second.output)).not.toMatch(/--rename|error TS/)
    expect(await filesIn(app.cwd)).toEqual(before)
  })
})

describe('init on a terminal', () => {
  const FILES = {
    'package.json': '{ "dependencies": { "vite": "8", "unplugin-prompts": "*" } }',
    'vite.config.ts': 'export default {}\n',
  }
  const LATER: Keystroke = {
    await: 'Where do the prompts come from?',
    send: DOWN.repeat(4) + ENTER,
  }
  const YES: Keystroke = { await: 'Make these changes?', send: 'y' }
  const LANGFUSE: readonly Keystroke[] = [
    { await: 'Where do the prompts come from?', send: DOWN + ENTER },
    { await: 'Public key', send: 'pk-lf-1\r' },
    { await: 'Its secret key', send: 'sk-lf-1234567890\r' },
    { await: 'URL of Langfuse', send: ENTER },
    YES,
  ]

  test('asks which bundler if there are two, and writes after a yes', async () => {
    const two = FILES['package.json'].replace('"vite": "8"', '"vite": "8", "rollup": "4"')
    const rollup = { 'package.json': two, 'rollup.config.js': 'export default {}\n' }
    const cwd = await folderWith({ ...FILES, ...rollup })
    const steps = [{ await: 'What builds this app?', send: DOWN + ENTER }, LATER, YES]
    const { code, output } = await promptsOnScreen(['init'], { cwd, steps })
    expect(code).toBe(0)
    expect(output).toContain('rollup.config.js')
    const files = await filesIn(cwd)
    expect(files['rollup.config.js']).toContain('unplugin-prompts/rollup')
    expect(files['vite.config.ts']).toBe('export default {}\n')
  })

  test('asks once what a build does about prompts in an app with a page', async () => {
    const cwd = await folderWith({ ...FILES, 'index.html': '' })
    const question = { await: 'If browser code imports a prompt', send: DOWN + DOWN + ENTER }
    await promptsOnScreen(['init'], { cwd, steps: [LATER, question, YES] })
    expect((await filesIn(cwd))['prompts.config.json']).toBe('{ "client": "allow" }\n')
    const again = await promptsOnScreen(['init'], { cwd, steps: [] })
    expect(again.output).not.toContain('browser code')
  })

  test('goes back from an address that nobody has, and takes the example', async () => {
    const cwd = await folderWith(FILES)
    const steps = [
      { await: 'Where do the prompts come from?', send: ENTER },
      { await: 'URL of the service', send: ENTER },
      { await: 'Where do the prompts come from?', send: DOWN.repeat(3) + ENTER },
      YES,
    ]
    expect((await promptsOnScreen(['init'], { cwd, steps })).code).toBe(0)
    expect(Object.keys(await filesIn(cwd))).toContain('prompts.lock.json')
  })

  test('writes the configuration and the variables of Langfuse', async () => {
    const files = { ...FILES, 'package.json': '{ "dependencies": { "vite": "8" } }' }
    const cwd = await folderWith({ ...files, 'vite.config.ts': 'export default {};\n' })
    const run = { cwd, steps: LANGFUSE }
    const { code, output } = await promptsOnScreen(['init', '--no-install'], run)
    expect(code).toBe(0)
    expect(output).not.toContain('sk-lf-1234567890')
    expect(await filesIn(cwd)).toMatchObject({
      'prompts.config.ts': `import { defineConfig } from 'unplugin-prompts';
import { langfuse } from 'unplugin-prompts/langfuse';

export default defineConfig({
  service: langfuse(),
});
`,
      '.env.local':
        'LANGFUSE_PUBLIC_KEY=pk-lf-1\nLANGFUSE_SECRET_KEY=sk-lf-1234567890\nLANGFUSE_BASE_URL=https://cloud.langfuse.com\n',
      '.env.example': expect.stringContaining('\nLANGFUSE_SECRET_KEY=\n'),
    })
  })

  test('writes a configuration that tsc leaves alone for an app without a bundler', async () => {
    const cwd = await folderWith({ 'package.json': '{}', 'tsconfig.json': '{}' })
    const steps = [{ await: 'What builds this app?', send: UP + ENTER }, ...LANGFUSE]
    await promptsOnScreen(['init', '--no-install'], { cwd, steps })
    const files = await filesIn(cwd)
    expect(files['prompts.config.mjs']).toContain("service: langfuse(),\n  outDir: 'prompts',")
    expect(Object.keys(files)).not.toContain('prompts.config.json')
  })

  test('writes a configuration with a path that has a quote', async () => {
    const cwd = await folderWith({ ...FILES, 'tsconfig.json': `{ "include": ["it's"] }` })
    await promptsOnScreen(['init', '--no-install'], { cwd, steps: LANGFUSE })
    const { 'prompts.config.ts': config = '' } = await filesIn(cwd)
    const [, written = ''] = /dts: ('.*'),/.exec(config) ?? []
    expect(written).toBe(String.raw`'it\u0027s/prompts.d.ts'`)
  })

  test('leaves the variables of Langfuse as they are stored if nothing else is typed', async () => {
    const env =
      'LANGFUSE_PUBLIC_KEY=pk-lf-1\nLANGFUSE_SECRET_KEY=sk-lf-1\nLANGFUSE_BASE_URL=http://127.0.0.1:9\n'
    const cwd = await folderWith({ ...FILES, '.env.local': env })
    const steps = LANGFUSE.map((step) =>
      step.send.includes('lf') ? { ...step, send: ENTER } : step,
    )
    await promptsOnScreen(['init', '--no-install'], { cwd, steps })
    const files = await filesIn(cwd)
    expect(Object.keys(files)).toContain('prompts.config.ts')
    expect(files['.env.local']).toBe(env)
  })

  test('writes nothing if a file was changed or created while it asks', async () => {
    const cwd = await folderWith(FILES)
    const edit = { ...YES, before: () => writeFileSync(join(cwd, '.env.example'), 'OTHER=1') }
    const run = await promptsOnScreen(['init', '--no-install'], { cwd, steps: [LATER, edit] })
    expect(run.code).toBe(1)
    expect(run.output).toContain('FILE_CHANGED')
    expect(await filesIn(cwd)).toEqual({ ...FILES, '.env.example': 'OTHER=1' })
  })

  test('names the page that shows how another service is read', async () => {
    const cwd = await folderWith(FILES)
    const other = { ...LATER, send: DOWN.repeat(2) + ENTER }
    const { output } = await promptsOnScreen(['init'], { cwd, steps: [other, YES] })
    expect(output).toContain('dist/docs/service.md')
    expect(output).not.toContain('PROMPTS_BASE_URL')
    expect(Object.keys(await filesIn(cwd))).not.toContain('.env.example')
  })

  test('asks again for a key that has a space, no kind, or that the service refuses, and goes back without one', async () => {
    const { live } = await testService([{ slug: 'greeting', version: 'v1' }])
    const { PROMPTS_BASE_URL = '', PROMPTS_API_KEY = '' } = live
    const cwd = await folderWith(FILES)
    const steps = [
      { await: 'Where do the prompts come from?', send: ENTER },
      { await: 'URL of the service', send: `${PROMPTS_BASE_URL}\r` },
      { await: 'Key,', send: ENTER },
      { await: 'URL of the service', send: ENTER },
      { await: 'Key,', send: 'svc_live_abc def\r' },
      { await: 'contains white space', send: '\u007f'.repeat(16) + 'wrong\r' },
      { await: '`_live_`', send: '\u007f'.repeat(5) + 'svc_live_wrong\r' },
      { await: 'Key,', send: `${PROMPTS_API_KEY}\r` },
      YES,
    ]
    expect((await promptsOnScreen(['init'], { cwd, steps })).code).toBe(0)
    expect((await filesIn(cwd))['.env.local']).toBe(
      `PROMPTS_BASE_URL=${PROMPTS_BASE_URL}\nPROMPTS_API_KEY=${PROMPTS_API_KEY}\n`,
    )
  })

  test.each([
    { title: 'no', send: 'n', code: 0, last: 'Nothing was written.' },
    { title: 'Ctrl-C', send: CTRL_C, code: 130, last: 'Interrupted.' },
  ])('writes nothing after $title, and ends with $last', async ({ send, code, last }) => {
    const cwd = await folderWith(FILES)
    const example = { ...LATER, send: DOWN.repeat(3) + ENTER }
    const run = await promptsOnScreen(['init'], { cwd, steps: [example, { ...YES, send }] })
    expect(run).toMatchObject({ code, output: expect.stringContaining(last) })
    expect(await filesIn(cwd)).toStrictEqual(FILES)
  })
})
