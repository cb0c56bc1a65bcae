import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { APP_TSCONFIG, installTypes } from '../helpers/app-folder.ts'
import { promptsOnTerminal } from '../helpers/binary.ts'
import { filesIn, folderWith, prompts } from '../helpers/cli.ts'
import { testService, type TestService } from '../helpers/local-service.ts'
import { parsedLock } from '../helpers/pinned.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'

const REPLY = { slug: 'reply', version: 'v3', system: 'Dear {{ name }}' }
const TRIAGE = { slug: 'triage', version: 'v22', system: 'Sort {{ ticket }}', user: 'Tone: calm' }

const FILES = {
  'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
  'src/main.ts': `import { prompts } from 'virtual:prompts'
prompts.triage.render({ ticket: '' })
`,
  'triage.md': 'Rank {{ ticket }}\n',
}

const EDIT = ['edit', 'triage', '--system-file', 'triage.md', '--yes']
const EDITED = { slug: 'triage', version: 'v22-edited', reason: '' }

async function editable(): Promise<{ cwd: string; service: TestService }> {
  const service = await testService([REPLY, TRIAGE])
  const cwd = await pinnedProject(service, FILES)
  await installTypes(cwd)
  service.forget()
  return { cwd, service }
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

describe('prompts edit', () => {
  test('pins the text of a file as a held, edited prompt, without a key or a request', async () => {
    const { cwd, service } = await editable()
    const run = await prompts([...EDIT, '--reason', 'Too slow'], { cwd })
    expect(run.code).toBe(0)
    expect(run.stdout).toMatchInlineSnapshot(`
      "~ text  triage  v22 → v22-edited  system text

        system
           1 - Sort {{ ticket }}
           1 + Rank {{ ticket }}

      1 prompt held, and unchanged by pulls:
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

  test('leaves the prompt alone when pulling, until it is released', async () => {
    const { cwd, service } = await editable()
    await prompts(EDIT, { cwd })
    const held = await prompts(['pull', '--json'], { cwd, env: service.live })
    expect(JSON.parse(held.stdout)).toMatchObject({
      outcome: 'unchanged',
      held: [{ ...EDITED, update: { version: { before: 'v22-edited', after: 'v22' } } }],
    })
    await prompts(['release', 'triage'], { cwd })
    await prompts(['pull', '--changed'], { cwd, env: service.live })
    expect(await triageIn(cwd)).toMatchObject({ version: 'v22', system: 'Sort {{ ticket }}' })
  })

  test('is named by check, list, diff and the report of a pull', async () => {
    const { cwd, service } = await editable()
    await prompts(EDIT, { cwd })
    const named = /triage +v22-edited.* +edited here/
    expect((await prompts(['list'], { cwd })).stdout).toMatch(named)
    expect((await prompts(['check', '--offline'], { cwd })).stdout).toMatch(named)
    expect((await prompts(['diff'], { cwd, env: service.live })).stderr).toMatch(named)
    await prompts(['pull', '--report', 'report.md'], { cwd, env: service.live })
    expect(await readFile(join(cwd, 'report.md'), 'utf8')).toMatch(/triage.*v22.*edited here/)
  })

  test('is named by check and list, and refused by check, after its release until a pull', async () => {
    const { cwd, service } = await editable()
    await prompts(EDIT, { cwd })
    await prompts(['release', 'triage'], { cwd })
    const gate = ['check', '--offline', '--fail-on', 'edited']
    const named = /1 prompt edited here, until the next pull:\n +triage +v22-edited/
    expect((await prompts(['list'], { cwd })).stdout).toMatch(named)
    expect((await prompts(['check', '--offline'], { cwd })).stdout).toMatch(named)
    expect((await prompts(gate, { cwd })).code).toBe(3)
    await prompts(['pull'], { cwd, env: service.live })
    expect((await prompts(['list'], { cwd })).stdout).not.toMatch(named)
    expect((await prompts(gate, { cwd })).code).toBe(0)
  })

  test('is refused by check --fail-on edited, at the line of its label', async () => {
    const { cwd } = await editable()
    const gate = ['check', '--offline', '--fail-on', 'edited']
    expect((await prompts(gate, { cwd })).code).toBe(0)
    await prompts(EDIT, { cwd })
    expect((await prompts(['check', '--offline'], { cwd })).code).toBe(0)
    const run = await prompts([...gate, '--json'], { cwd })
    expect(run.code).toBe(3)
    const lines = (await readFile(join(cwd, 'prompts.lock.json'), 'utf8')).split('\n')
    const line = lines.findIndex((text) => text.includes('v22-edited')) + 1
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: false,
      findings: [{ kind: 'prompt-edited', slug: 'triage', line }],
      steps: [{ name: 'lock', state: 'warning' }, {}, {}, {}],
    })
  })

  test('shows what it breaks and writes nothing without a terminal', async () => {
    const { cwd } = await editable()
    await writeFile(join(cwd, 'triage.md'), 'Sort {{ ticket }} by {{ tone }}')
    const before = await filesIn(cwd)
    const run = await prompts([...EDIT.slice(0, -1), '--json'], { cwd })
    expect(run.code).toBe(3)
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'declined',
      changes: [
        { slug: 'triage', class: 'breaking', effects: [{ name: 'tone' }, { kind: 'text' }] },
      ],
      impact: [{ file: 'src/main.ts', line: 2 }],
      held: [],
    })
    expect(await filesIn(cwd)).toEqual(before)
  })

  test('keeps one label however often a prompt is edited, and its reason', async () => {
    const { cwd } = await editable()
    await prompts([...EDIT, '--reason', 'Too slow'], { cwd })
    const again = await prompts([...EDIT, '--json'], { cwd })
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'unchanged', changes: [] })
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
    expect(one.stderr).toContain('prompts.lock.json is unchanged')
  })

  describe('keeps what was written in the editor', () => {
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

    test.each([
      ['nobody could be asked', []],
      ['it was a dry run', ['--dry-run']],
    ])('when %s, and names the command that pins it', async (_, args) => {
      const { cwd } = await editable()
      const words = await keptCommand(cwd, [...args, '--reason', 'Late'])
      expect(words).toEqual([
        'edit',
        'triage',
        '--reason',
        'Late',
        '--system-file',
        expect.stringMatching(/system\.md$/),
        '--user-file',
        expect.stringMatching(/user\.md$/),
      ])
      expect((await prompts([...words, '--yes'], { cwd })).code).toBe(0)
      expect(await triageIn(cwd)).toMatchObject({
        system: 'Rank {{ ticket }}',
        user: 'Tone: kind',
        held: { reason: 'Late' },
      })
    })

    test.each([
      ['the editor failed', `${REPLACE}\nprocess.exit(3)`],
      ['it has a key', REPLACE.replace('Rank', 'svc_live_Abc123Def456Ghi789')],
      ['it is not UTF-8', `writeFileSync('system.md', 'Rank', 'utf16le')`],
      ['it has bytes that are not UTF-8', `writeFileSync('system.md', 'caf\u00e9', 'latin1')`],
    ])('when %s', async (_, code) => {
      const { cwd } = await editable()
      const words = await keptCommand(cwd, ['--yes'], code)
      const system = words.find((word) => word.endsWith('system.md'))
      expect(await readFile(system ?? '')).not.toEqual(Buffer.from(`${TRIAGE.system}\n`))
    })

    test('when the lock was pulled meanwhile, and refuses to write over it', async () => {
      const { cwd, service } = await editable()
      const path = join(cwd, 'prompts.lock.json')
      service.serve(REPLY, { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} with care' })
      const pulled = await pinnedProject(service)
      const env = await editor(
        cwd,
        `${REPLACE}\ncopyFileSync(${JSON.stringify(join(pulled, 'prompts.lock.json'))}, ${JSON.stringify(path)})`,
      )
      const run = await prompts(['edit', 'triage', '--yes'], { cwd, env })
      expect(run.code).toBe(1)
      expect(run.stderr).toContain('LOCK_CHANGED')
      expect(await triageIn(cwd)).toMatchObject({ version: 'v23', user: 'Tone: calm' })
      const [, file = ''] = /--system-file (\S+)/.exec(run.stderr) ?? []
      onTestFinished(() => rm(dirname(file), { recursive: true }))
      expect(await readFile(file, 'utf8')).toBe('Rank {{ ticket }}\n')
    })

    test('when the question on a terminal is declined', async () => {
      const { cwd } = await editable()
      const env = await editor(cwd, REPLACE)
      const steps = [{ await: 'Write the lock?', send: 'n' }]
      const run = await promptsOnTerminal(['edit', 'triage'], { cwd, env, steps })
      const path = /--system-file (?<path>\S+system\.md)/.exec(run.output)?.groups?.['path'] ?? ''
      expect(await readFile(path, 'utf8')).toBe('Rank {{ ticket }}\n')
      await rm(dirname(path), { recursive: true })
    })

    test('only until the lock has it, and not if nothing was changed', async () => {
      const { cwd } = await editable()
      const code = `writeFileSync(${JSON.stringify(join(cwd, 'folder'))}, process.cwd())`
      for (const change of ['', REPLACE]) {
        const env = await editor(cwd, `${code}\n${change}`)
        const run = await prompts(['edit', 'triage', '--yes'], { cwd, env })
        expect(run.code).toBe(0)
        expect(run.stderr).not.toMatch(KEPT)
        expect(existsSync(await readFile(join(cwd, 'folder'), 'utf8'))).toBe(false)
      }
    })
  })

  test('pins nothing for an untouched text, whatever its last characters are', async () => {
    const service = await testService([{ ...REPLY, system: '\ufeffDear {{ name }}\r' }])
    const cwd = await pinnedProject(service)
    const before = await filesIn(cwd)
    const env = await editor(cwd, '')
    const run = await prompts(['edit', 'reply', '--yes', '--json'], { cwd, env })
    expect(JSON.parse(run.stdout)).toMatchObject({ outcome: 'unchanged', changes: [], held: [] })
    expect(await filesIn(cwd)).toMatchObject(before)
  })

  test('removes only the line end that the editor got with the text', async () => {
    const { cwd } = await editable()
    const env = await editor(cwd, `writeFileSync('system.md', 'Rank {{ ticket }}\\r\\n\\n')`)
    expect((await prompts(['edit', 'triage', '--yes'], { cwd, env })).code).toBe(0)
    expect(await triageIn(cwd)).toMatchObject({ system: 'Rank {{ ticket }}\r\n' })
  })

  test('asks on a terminal after the editor was closed', async () => {
    const { cwd } = await editable()
    const env = await editor(cwd, REPLACE)
    const steps = [{ await: 'Write the lock?', send: '\r' }]
    expect((await promptsOnTerminal(['edit', 'triage'], { cwd, env, steps })).code).toBe(0)
    expect(await triageIn(cwd)).toMatchObject({ version: 'v22-edited' })
  })

  test.each([
    ['an editor that fails', ['triage'], 'process.exit(3)', 'EDITOR_FAILED'],
    ['no editor', ['triage'], undefined, 'EDITOR_FAILED'],
    ['a prompt that the lock does not have', ['triaeg'], REPLACE, 'SLUG_UNKNOWN'],
    ['a file that does not exist', ['triage', '--user-file', 'no.md'], REPLACE, 'USAGE'],
    ['a text with a key', ['triage', '--user-file', 'key.md'], REPLACE, 'TEXT_HOLDS_KEY'],
    ['a file that is not UTF-8', ['triage', '--user-file', 'latin1.md'], '', 'FILE_UNREADABLE'],
    ['an editor that empties both texts', ['triage'], EMPTY, 'USAGE'],
    ['an editor that deletes a text', ['triage'], `unlinkSync('user.md')`, 'USAGE'],
    ['an editor that leaves a folder', ['triage'], FOLDER, 'FILE_UNREADABLE'],
  ])('leaves the lock for %s', async (_, args, code, error) => {
    const { cwd } = await editable()
    await writeFile(join(cwd, 'key.md'), 'svc_live_Abc123Def456Ghi789')
    await writeFile(join(cwd, 'latin1.md'), 'caf\u00e9', 'latin1')
    const env = code === undefined ? {} : await editor(cwd, code)
    const before = await filesIn(cwd)
    const run = await prompts(['edit', ...args, '--yes', '--json'], { cwd, env })
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: error } })
    expect(await filesIn(cwd)).toEqual(before)
  })

  test('is a usage error without a slug', async () => {
    expect((await prompts(['edit'], { cwd: await folderWith() })).code).toBe(2)
  })
})
