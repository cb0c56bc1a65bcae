import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { REPLY } from '../helpers/breaking-update.ts'
import { promptsOnTerminal } from '../helpers/binary.ts'
import { filesIn, prompts, promptsOnScreen } from '../helpers/cli.ts'
import { parsedLock } from '../helpers/pinned.ts'
import {
  type AppWithPrompts,
  appWithPrompts,
  pinnedProject,
  servedProject,
} from '../helpers/pinned-project.ts'

const TRIAGE = { slug: 'triage', version: 'v22', system: 'Sort {{ ticket }}', user: 'Tone: calm' }

const EDIT = ['edit', 'triage', '--system-file', 'triage.md', '--yes']
const EDITED = { slug: 'triage', version: 'v22-edited', reason: '' }

/** The app: what edits need is a prompt of its lock and a file with another text. */
async function editable(): Promise<AppWithPrompts> {
  const use = "prompts.triage.render({ ticket: '' })"
  return appWithPrompts([REPLY, TRIAGE], use, { 'triage.md': 'Rank {{ ticket }}\n' })
}

async function triageIn(cwd: string): Promise<object | undefined> {
  const lock = parsedLock(await readFile(join(cwd, 'prompts.lock.json'), 'utf8'))
  return lock.parts.find(({ slug }) => slug === 'triage')
}

/** A program that an app's EDITOR names: it replaces a word in the files that it gets. */
async function editor(cwd: string, code: string): Promise<Record<string, string>> {
  const path = join(cwd, 'editor.mjs')
  await writeFile(
    path,
    `import { copyFileSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'\n${code}\n`,
  )
  return { EDITOR: `"${process.execPath}" "${path}"` }
}

const EMPTY = `for (const file of process.argv.slice(2)) writeFileSync(file, '')`
const FOLDER = `unlinkSync('user.md')\nmkdirSync('user.md')`
const REPLACE = `for (const file of process.argv.slice(2))
  writeFileSync(file, readFileSync(file, 'utf8').replace('Sort', 'Rank').replace('calm', 'kind'))`

const KEPT = /Your text is kept: `npx (?<command>prompts edit .+)`/

/** Runs an edit that writes nothing, and returns the command that it names. */
async function keptCommand(
  cwd: string,
  args: readonly string[],
  code: string = REPLACE,
): Promise<string[]> {
  const env = await editor(cwd, code)
  const before = await readFile(join(cwd, 'prompts.lock.json'))
  const { stderr } = await prompts(['edit', 'triage', ...args], { cwd, env })
  expect(await readFile(join(cwd, 'prompts.lock.json'))).toEqual(before)
  const [, ...words] = KEPT.exec(stderr)?.groups?.['command']?.split(' ') ?? []
  const folder = dirname(words.at(-1) ?? '')
  onTestFinished(() => rm(folder, { recursive: true }))
  return words
}

describe('prompts edit', () => {
  test('pins the text of a file as a held, edited prompt, without a key or a request', async () => {
    const { cwd, service } = await editable()
    const run = await prompts([...EDIT, '--reason', 'Too slow'], { cwd })
    expect(run.code).toBe(0)
    expect(run.stdout).toMatchInlineSnapshot(`
      "~ text  triage  v22 → v22-edited  system text changed

        system
           1 - Sort {{ ticket }}
           1 + Rank {{ ticket }}

      1 version held: pulls skip it until \`prompts unhold\`:
        triage   v22-edited   edited here: Too slow
      "
    `)
    expect(await triageIn(cwd)).toMatchObject({
      version: 'v22-edited',
      system: 'Rank {{ ticket }}',
      user: 'Tone: calm',
      source: 'Rank {{ ticket }}\n\nTone: calm',
      held: { reason: 'Too slow' },
    })
    expect(service.asked()).toEqual([])
  })

  test('leaves the prompt alone when pulling, and is named everywhere, until it is held no longer', async () => {
    const app = await editable()
    const { cwd } = app
    const gate = ['check', '--offline', '--fail-on', 'edited', '--json']
    expect((await prompts(gate, { cwd })).code).toBe(0)
    await prompts(EDIT, app)
    const lines = (await readFile(join(cwd, 'prompts.lock.json'), 'utf8')).split('\n')
    const line = lines.findIndex((text) => text.includes('v22-edited')) + 1
    const refused = await prompts(gate, { cwd })
    expect(refused.code).toBe(3)
    expect(refused.json).toMatchObject({
      findings: [{ kind: 'prompt-edited', slug: 'triage', line }],
      steps: expect.arrayContaining([expect.objectContaining({ name: 'lock', state: 'warning' })]),
    })
    const named = /triage +v22-edited.* +edited here/
    expect((await prompts(['list'], { cwd })).stdout).toMatch(named)
    expect((await prompts(['check', '--offline'], { cwd })).stdout).toMatch(named)
    expect((await prompts(['diff'], app)).stderr).toMatch(named)
    const held = await prompts(['pull', '--report', 'report.md', '--json'], app)
    expect(held.json).toMatchObject({
      outcome: 'unchanged',
      held: [{ ...EDITED, update: { version: { before: 'v22-edited', after: 'v22' } } }],
    })
    expect(await readFile(join(cwd, 'report.md'), 'utf8')).toMatch(/triage.*v22.*edited here/)

    await prompts(['unhold', 'triage'], { cwd })
    const unheld = /1 prompt edited here, until the next pull:\n +triage +v22-edited/
    expect((await prompts(['list'], { cwd })).stdout).toMatch(unheld)
    const check = await prompts(['check', '--offline', '--fail-on', 'edited'], { cwd })
    expect(check).toMatchObject({ code: 3, stdout: expect.stringMatching(unheld) })
    await prompts(['pull', '--changed'], app)
    expect(await triageIn(cwd)).toMatchObject({ version: 'v22', system: 'Sort {{ ticket }}' })
    expect((await prompts(['list'], { cwd })).stdout).not.toMatch(unheld)
  })

  test('is held no longer after the command that a check names, also in staging', async () => {
    const app = await editable()
    const { cwd } = app
    await prompts([...EDIT, '--environment', 'test'], app)
    expect(await readFile(join(cwd, 'prompts.lock.json'), 'utf8')).toContain('"held"')
    const { json } = await prompts(['check', '--offline', '--fail-on', 'edited', '--json'], { cwd })
    const said = JSON.stringify(json)
    expect(said).toContain('or if it was created here, run')
    const [, command = ''] = /`npx prompts (unhold [^`]+)`/.exec(said) ?? []
    expect((await prompts(command.split(' '), { cwd })).code).toBe(0)
    expect(await readFile(join(cwd, 'prompts.lock.json'), 'utf8')).not.toContain('"held"')
  })

  test('keeps one label however often a prompt is edited, and its reason', async () => {
    const { cwd } = await editable()
    await prompts([...EDIT, '--reason', 'Too slow'], { cwd })
    const { json } = await prompts([...EDIT, '--json'], { cwd })
    expect(json).toMatchObject({ outcome: 'unchanged', changes: [] })
    await writeFile(join(cwd, 'user.md'), '')
    await prompts(['edit', 'triage', '--user-file', 'user.md', '--yes'], { cwd })
    expect(await triageIn(cwd)).toMatchObject({
      version: 'v22-edited',
      user: '',
      source: 'Rank {{ ticket }}',
      held: { reason: 'Too slow' },
    })
  })

  test('opens the texts in the editor, without the line end that editors add', async () => {
    const { cwd } = await editable()
    const env = await editor(cwd, REPLACE)
    expect((await prompts(['edit', 'triage', '--yes', '--json'], { cwd, env })).code).toBe(0)
    expect(await triageIn(cwd)).toMatchObject({ system: 'Rank {{ ticket }}', user: 'Tone: kind' })
    const one = await prompts(['edit', 'reply', '--dry-run'], { cwd, env })
    expect(one.stderr).toContain('Editing system.md:')
    expect(one.stderr).toContain('Dry run: nothing was written.')
  })

  test('keeps a U+FEFF at the beginning of a text, which is no byte order mark', async () => {
    const reply = { ...REPLY, system: '\ufeffSort {{ name }}' }
    const { cwd } = await appWithPrompts([reply], '')
    const env = await editor(cwd, REPLACE)
    const { json } = await prompts(['edit', 'reply', '--yes', '--json'], { cwd, env })
    expect(json).toMatchObject({ outcome: 'written' })
    const { parts } = parsedLock(await readFile(join(cwd, 'prompts.lock.json'), 'utf8'))
    expect(parts[0]?.system).toBe('\ufeffRank {{ name }}')
  })

  test('names the folder for temporary files if it can not be written', async () => {
    const { cwd } = await editable()
    const env = await editor(cwd, REPLACE)
    vi.stubEnv('TMPDIR', join(cwd, 'none'))
    onTestFinished(() => void vi.unstubAllEnvs())
    const { json } = await prompts(['edit', 'triage', '--yes', '--json'], { cwd, env })
    expect(json).toMatchObject({ error: { code: 'FILE_UNWRITABLE' } })
  })

  test('keeps texts if nobody could be asked or it was a dry run, and names the command that pins them', async () => {
    const { cwd } = await editable()
    const pattern =
      /^edit triage --reason Late --system-file \S+system\.md --user-file \S+user\.md$/
    const dry = await keptCommand(cwd, ['--dry-run', '--reason', 'Late'])
    expect(dry.join(' ')).toMatch(pattern)
    const words = await keptCommand(cwd, ['--reason', 'Late'])
    expect(words.join(' ')).toMatch(pattern)
    expect((await prompts([...words, '--yes'], { cwd })).code).toBe(0)
    expect(await triageIn(cwd)).toMatchObject({
      system: 'Rank {{ ticket }}',
      user: 'Tone: kind',
      held: { reason: 'Late' },
    })
  })

  test('keeps texts if the editor failed, and if a text has a key or is not UTF-8', async () => {
    const { cwd } = await editable()
    for (const code of [
      `${REPLACE}\nprocess.exit(3)`,
      REPLACE.replace('Rank', 'svc_live_Abc123Def456Ghi789'),
      `writeFileSync('system.md', 'Rank', 'utf16le')`,
      `writeFileSync('system.md', 'caf\u00e9', 'latin1')`,
    ]) {
      const words = await keptCommand(cwd, ['--yes'], code)
      const system = words.find((word) => word.endsWith('system.md'))
      expect(await readFile(system ?? '')).not.toEqual(Buffer.from(`${TRIAGE.system}\n`))
    }
  })

  test('keeps texts if the lock was pulled meanwhile, and refuses to write over it', async () => {
    const { cwd, service } = await editable()
    const path = join(cwd, 'prompts.lock.json')
    service.serve(REPLY, { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} with care' })
    const pulled = join(await pinnedProject(service), 'prompts.lock.json')
    const copy = `copyFileSync(${JSON.stringify(pulled)}, ${JSON.stringify(path)})`
    const env = await editor(cwd, `writeFileSync('user.md', 'Tone: kind\\n')\n${copy}`)
    const run = await prompts(['edit', 'triage', '--yes'], { cwd, env })
    expect(run.code).toBe(1)
    expect(run.stderr).toContain('FILE_CHANGED')
    expect(await triageIn(cwd)).toMatchObject({ version: 'v23', user: 'Tone: calm' })
    const [, command = ''] = KEPT.exec(run.stderr) ?? []
    const words = command.split(' ').slice(1)
    onTestFinished(() => rm(dirname(words.at(-1) ?? ''), { recursive: true }))
    // The text that nobody touched stays as it was pulled.
    expect((await prompts(words, { cwd })).code).toBe(0)
    expect(await triageIn(cwd)).toMatchObject({
      version: 'v23-edited',
      system: 'Sort {{ ticket }} with care',
      user: 'Tone: kind',
    })
  })

  test('keeps texts if the question on a terminal is declined or interrupted; a yes writes them', async () => {
    const { cwd } = await editable()
    const call = { cwd, env: await editor(cwd, REPLACE) }
    for (const [send, end] of [
      ['n', 'prompts.lock.json is unchanged.'],
      ['\u0003', 'Interrupted. The lock is unchanged.'],
    ] as const) {
      const steps = [{ await: 'Write prompts.lock.json', send }]
      const { output } = await promptsOnScreen(['edit', 'triage'], { ...call, steps })
      expect(output).toContain(end)
      const [, path = ''] = /--system-file (\S+system\.md)/.exec(output) ?? []
      expect(await readFile(path, 'utf8')).toBe('Rank {{ ticket }}\n')
      await rm(dirname(path), { recursive: true })
    }
    const yes = [{ await: 'Write prompts.lock.json', send: '\r' }]
    expect((await promptsOnTerminal(['edit', 'triage'], { ...call, steps: yes })).code).toBe(0)
    expect(await triageIn(cwd)).toMatchObject({ version: 'v22-edited' })
  })

  test('keeps texts only until the lock has them, and not if nothing was changed or nothing is left', async () => {
    const { cwd } = await editable()
    const code = `writeFileSync(${JSON.stringify(join(cwd, 'folder'))}, process.cwd())`
    const changes = { '': 0, [`unlinkSync('user.md')`]: 2, [FOLDER]: 1, [REPLACE]: 0 }
    for (const [change, exitCode] of Object.entries(changes)) {
      const env = await editor(cwd, `${code}\n${change}`)
      const run = await prompts(['edit', 'triage', '--yes'], { cwd, env })
      expect({ change, ...run }).toMatchObject({ change, code: exitCode })
      expect(run.stderr).not.toMatch(KEPT)
      // A program that returns at once may still have the files open.
      expect(run.stderr.includes('EDITOR needs its option to wait')).toBe(change === '')
      expect(existsSync(await readFile(join(cwd, 'folder'), 'utf8'))).toBe(false)
    }
  })

  test('pins nothing for an untouched text, whatever its last characters are', async () => {
    const { cwd } = await servedProject([{ ...REPLY, system: '\ufeffDear {{ name }}\r' }])
    const before = await filesIn(cwd)
    const env = await editor(cwd, '')
    const { json } = await prompts(['edit', 'reply', '--yes', '--json'], { cwd, env })
    expect(json).toMatchObject({ outcome: 'unchanged', changes: [], held: [] })
    expect(await filesIn(cwd)).toMatchObject(before)
  })

  test.each([
    ['Rank {{ ticket }}\r\n\n', 'Rank {{ ticket }}\r\n'],
    ['Rank\r\n{{ ticket }}\r\n', 'Rank\r\n{{ ticket }}'],
  ])('removes only the last line end of a file, on Windows too: %j', async (text, system) => {
    const { cwd } = await editable()
    await writeFile(join(cwd, 'triage.md'), text)
    await prompts(EDIT, { cwd })
    expect(await triageIn(cwd)).toMatchObject({ system })
  })

  test('leaves the lock for texts, files and editors that it cannot use', async () => {
    const { cwd } = await editable()
    await writeFile(join(cwd, 'key.md'), 'svc_live_Abc123Def456Ghi789')
    await writeFile(join(cwd, 'latin1.md'), 'caf\u00e9', 'latin1')
    const refused = async (line: string, error: string, code?: string): Promise<void> => {
      const env = code === undefined ? {} : await editor(cwd, code)
      const before = await filesIn(cwd)
      const run = await prompts(['edit', ...line.split(' '), '--yes', '--json'], { cwd, env })
      expect({ line, code, json: run.json }).toMatchObject({ json: { error: { code: error } } })
      expect(await filesIn(cwd)).toEqual(before)
    }
    await refused('triage', 'EDITOR_FAILED')
    await refused('triage', 'EDITOR_FAILED', 'process.exit(3)')
    await refused('triaeg', 'SLUG_UNKNOWN')
    await refused('triage --user-file no.md', 'USAGE')
    await refused('triage --user-file key.md', 'TEXT_HOLDS_KEY')
    await refused('triage --user-file latin1.md', 'FILE_UNREADABLE')
    await refused('triage', 'USAGE', EMPTY)
    await refused('triage', 'USAGE', `unlinkSync('user.md')`)
    await refused('triage', 'FILE_UNREADABLE', FOLDER)
  })
})
