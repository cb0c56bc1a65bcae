import { readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesIn, prompts, promptsOnScreen, transcript } from '../helpers/cli.ts'
import { type AppWithPrompts, appWithPrompts } from '../helpers/pinned-project.ts'

const TRIAGE = { slug: 'support-triage', version: 'v22', system: 'Sort {{ ticket }}' }
const NEEDS_TONE = { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} in a {{ tone }} tone' }
const IDLE = { slug: 'idle', version: 'v1', system: 'Nobody reads this' }
const USE = "prompts.supportTriage.render({ ticket: 'T' })"
const PLACE = { file: 'src/main.ts', line: 2, column: 30, slug: 'support-triage', kind: 'compile' }
const DIFF = ['diff', '--impact', '--json']
const CHECK = ['check', '--impact', '--offline', '--json']

/** An app whose one call of `render` the service has moved on from. */
async function brokenApp(): Promise<AppWithPrompts> {
  const app = await appWithPrompts([TRIAGE, IDLE], USE)
  app.service.serve(NEEDS_TONE, IDLE)
  return app
}

function writeSource({ cwd }: AppWithPrompts, name: string, text: string): Promise<void> {
  return writeFile(join(cwd, 'src', name), text)
}

describe('prompts diff --impact', () => {
  test('shows what stops compiling, also as a comment, and writes nothing', async () => {
    const app = await brokenApp()
    const before = await filesIn(app.cwd)
    const run = await prompts(['diff', '--impact'], app)
    expect(run.code).toBe(0)
    expect(transcript(run, app.cwd)).toMatchSnapshot('text')
    const comment = await prompts(['diff', '--impact', '--format', 'markdown'], app)
    expect(comment.stdout).toMatchSnapshot('comment')
    expect(await filesIn(app.cwd)).toStrictEqual(before)
    app.service.serve({ ...TRIAGE, version: 'v23', system: 'Sort kindly {{ ticket }}' }, IDLE)
    const { stdout } = await prompts(['diff', '--impact'], app)
    expect(stdout).toContain('✔ no line stops compiling (1 file checked)\n')
  })

  test('shows it beside a patch, which is data for other programs', async () => {
    const app = await brokenApp()
    const gate = ['diff', '--fail-on', 'breaking', '--format', 'patch']
    for (const output of [[], ['--output', 'a.patch']]) {
      const run = await prompts([...gate, ...output], app)
      expect(run).toMatchObject({ code: 3, stderr: expect.stringContaining('src/main.ts:2:30') })
      expect(run.stdout).not.toContain('src/main.ts')
    }
  })

  test('reads the list, and the texts of the prompts that code uses only', async () => {
    const named = (version: string) => (slug: string) => ({ slug, version, system: 'Go' })
    const slugs = ['a', 'b', 'c', 'd', 'e', 'f']
    const uses = 'prompts.b.render()\nprompts.e.render()'
    const app = await appWithPrompts(slugs.map(named('v1')), uses)
    app.service.serve(...slugs.slice(0, 5).map(named('v2')), named('v1')('f-2'))
    expect((await prompts(DIFF, app)).json).toMatchObject({
      // Those that code uses are first.
      prompts: ['b', 'e', 'a', 'c', 'd', 'f', 'f-2'].map((slug) => ({ slug })),
      unread: ['a', 'c', 'd', 'f-2'].map((slug) => ({ slug, environment: 'live' })),
      impact: [],
      reads: 2,
    })
    expect(app.service.asked().filter((line) => line.includes('prompts/'))).toHaveLength(2)
  })

  test('reads every text for code that iterates all prompts or maps over their type', async () => {
    const app = await brokenApp()
    const type = "{ [Name in keyof Prompts]: ReturnType<Prompts[Name]['render']> }"
    for (const code of [
      "import { prompts } from 'virtual:prompts'\nexport const all = Object.values(prompts)\n",
      `import type { Prompts } from 'virtual:prompts'\nexport type All = ${type}\n`,
    ]) {
      await writeSource(app, 'all.ts', code)
      expect((await prompts(DIFF, app)).json).toMatchObject({ reads: 2, unread: [] })
    }
  })

  test('finds a break by a text that was rewritten under its label', async () => {
    const app = await brokenApp()
    app.service.serve({ ...NEEDS_TONE, version: TRIAGE.version }, IDLE)
    expect((await prompts(DIFF, app)).json).toMatchObject({ impact: [PLACE], reads: 1 })
  })

  test('lists a line that was not checked, which --fail-on breaking refuses and --skip-breaking leaves', async () => {
    const app = await brokenApp()
    await rm(join(app.cwd, 'src/main.ts'))
    const script = "<script setup>import { prompts } from 'virtual:prompts'</script>"
    const text = `${script}\n<template>{{ ${USE}.text }}</template>\n`
    await writeSource(app, 'app.vue', text)
    const diff = await prompts(['diff', '--fail-on', 'breaking'], app)
    expect(diff.code).toBe(3)
    expect(diff.stdout).toContain(
      '▲ no checked line stops compiling; 1 file was not checked:\n  src/app.vue:2:14   support-triage ',
    )
    const check = await prompts(['check', '--all', '--offline'], app)
    expect(check.stdout).toMatch(
      /App code +no checked line stops compiling; 1 file was not checked/,
    )
    expect(check.stdout).toContain('  src/app.vue:2:14   support-triage   not checked: ')
    expect((await prompts(CHECK, app)).json.ok).toBe(true)
    const pull = await prompts(['pull', '--skip-breaking', '--report', 'report.md'], app)
    expect(pull.stdout).toContain('src/app.vue:2:14')
    expect(await lockIn(app.cwd)).not.toContain('"v23"')
    const report = await readFile(join(app.cwd, 'report.md'), 'utf8')
    expect(diff.stdout + pull.stdout + pull.stderr + report).not.toContain('no line stops')
  })
})

describe('code that does not compile with the lock', () => {
  test('fails check after a pull was written anyway', async () => {
    const app = await brokenApp()
    const { cwd } = app
    const sound: unknown = expect.stringContaining('no line stops compiling (1 file checked)')
    const check = CHECK.slice(0, -1)
    expect(await prompts(check, { cwd })).toMatchObject({ code: 0, stdout: sound })
    await prompts(['pull', '--yes'], app)
    app.service.forget()
    const env = { GITHUB_WORKSPACE: join(cwd, '..') }
    const github = await prompts([...check, '--format', 'github'], { cwd, env })
    expect(github.stderr).toContain('src/main.ts:2')
    const place = `file=${basename(cwd)}/src/main.ts,line=${PLACE.line},col=${PLACE.column}`
    expect(github.stdout).toMatch(new RegExp(`^::error ${place},title=.*::${PLACE.slug}: .+\n$`))
    const found = { ok: false, findings: [], impact: [PLACE] }
    expect(await prompts(CHECK, { cwd })).toMatchObject({ code: 3, json: found })
    const all = await prompts(['check', '--all', '--offline'], { cwd })
    expect(all.code).toBe(3)
    expect(all.stdout).toContain('src/main.ts:2')
    expect(app.service.asked()).toEqual([])
    const text = await readFile(join(cwd, 'src/main.ts'), 'utf8')
    await writeSource(app, 'main.ts', text.replace("'T'", "'T', tone: ''"))
    expect((await prompts(check, { cwd })).code).toBe(0)
    const repaired = await prompts(['check', '--all', '--offline'], { cwd })
    expect(repaired.stdout).toContain('no line stops compiling (1 file checked)')
  })

  test('lacks something of the lock: errors of other causes are not reported', async () => {
    const app = await brokenApp()
    await prompts(['generate', '--out-dir', 'src/generated'], app)
    const cases: Readonly<Record<string, string>> = {
      'a-prompt': 'prompts.gone.render()',
      'an-export': 'export { gone } from "virtual:prompts/all"',
      'a-table': 'export const t: Record<keyof Prompts, 1> = { idle: 1 }',
      'a-type': 'prompts.supportTriage.render({ ticket: null })',
      other: 'const n: number = "1"\nprompts.supportTriage.render({ ticket: nothing })',
      sound: 'Object.values(prompts).map((prompt) => prompt.slug)',
    }
    const head = `import { prompts, type Prompts } from 'virtual:prompts'`
    for (const [name, code] of Object.entries(cases)) {
      await writeSource(app, `${name}.ts`, `${head}\n${code}\nexport type T = Prompts\n`)
    }
    const text = `import { prompts } from './generated/index.js'\nprompts.gone.render()\nprompts.idle.render()\n`
    await writeSource(app, 'main.ts', text)
    const { impact } = (await prompts(CHECK, app)).json
    expect(impact.map(({ file, line }: typeof PLACE) => `${file}:${line}`)).toEqual([
      'src/a-prompt.ts:2',
      'src/a-table.ts:2',
      'src/a-type.ts:2',
      'src/an-export.ts:2',
      'src/main.ts:2',
    ])
  })
})

describe('prompts pull', () => {
  test('writes what breaks the app only with --yes off a terminal, and explains how to', async () => {
    const app = await brokenApp()
    const before = await filesIn(app.cwd)
    const run = await prompts(['pull', 'support-triage'], app)
    expect(run.code).toBe(3)
    expect(transcript(run, app.cwd)).toMatchSnapshot()
    const declined = await prompts(['pull', '--json'], app)
    expect(declined).toMatchObject({ code: 3, stderr: '' })
    expect(declined.json).toMatchObject({
      outcome: 'declined',
      changes: [{ slug: 'support-triage' }],
      impact: [PLACE],
      next: ['prompts', 'pull', '--json', '--yes'],
    })
    expect(await filesIn(app.cwd)).toStrictEqual(before)
    const written = { outcome: 'written', impact: [PLACE], next: null }
    expect(await prompts(['pull', '--yes', '--json'], app)).toMatchObject({
      code: 0,
      json: written,
    })
    expect(await lockIn(app.cwd)).toContain('"v23"')
  })

  test('writes a changed contract as one that breaks the app if the app cannot be checked', async () => {
    const app = await brokenApp()
    await writeFile(join(app.cwd, 'tsconfig.json'), '{ "extends": "./no.json" }')
    const before = await filesIn(app.cwd)
    const broken = await prompts(['pull'], app)
    expect(broken.code).toBe(3)
    expect(transcript(broken, app.cwd)).toMatchSnapshot('broken')
    const steps = [{ await: 'Write prompts.lock.json and prompts.d.ts anyway?', send: '\r' }]
    const screen = { ...app, env: { ...app.env, NO_COLOR: '1' }, steps }
    expect((await promptsOnScreen(['pull'], screen)).output).toContain('Nothing was written')
    expect(await filesIn(app.cwd)).toStrictEqual(before)
    const report = await prompts(['pull', '--yes', '--json', '--report', 'report.md'], app)
    expect(report.json).toMatchObject({ outcome: 'written', impact: null })
    expect(await readFile(join(app.cwd, 'report.md'), 'utf8')).toMatch(
      /^The app was not checked for breaking changes: <code>.*tsconfig/m,
    )
    expect(await lockIn(app.cwd)).toContain('"v23"')
  })

  test('writes what changes no contract, also if the app cannot be checked', async () => {
    const app = await brokenApp()
    await writeFile(join(app.cwd, 'tsconfig.json'), '{ "extends": "./no.json" }')
    app.service.serve(NEEDS_TONE, { ...IDLE, version: 'v2' })
    const skipping = await prompts(['pull', '--skip-breaking', '--json'], app)
    const left = { changes: [{ slug: 'idle' }], skipped: [{ slug: 'support-triage' }] }
    expect(skipping).toMatchObject({ code: 0, json: { outcome: 'written', ...left } })
    app.service.serve({ ...TRIAGE, system: 'Rank {{ ticket }}' }, IDLE)
    const { json } = await prompts(['pull', '--json'], app)
    expect(json).toMatchObject({ outcome: 'written', impact: [] })
  })

  test('continues if no code uses prompts, and says so', async () => {
    const app = await brokenApp()
    await rm(join(app.cwd, 'src/main.ts'))
    await rm(join(app.cwd, 'tsconfig.json'))
    const unused = await prompts(['pull'], app)
    expect(unused.code).toBe(0)
    expect(unused.stderr).toContain('\n▲ No code uses prompts.\n')
  })
})

function lockIn(cwd: string): Promise<string> {
  return readFile(join(cwd, 'prompts.lock.json'), 'utf8')
}

test('unused prompts are shown by list and show --usage, without a key', async () => {
  const { cwd } = await brokenApp()
  const run = await prompts(['list', '--usage'], { cwd })
  expect(run.stdout).toMatchInlineSnapshot(`
    "support-triage
      src/main.ts:2:9
        2 │ prompts.supportTriage.render({ ticket: 'T' })
          │         ~~~~~~~~~~~~~~~~~~~~

    ▲ 1 unused prompt, which the option \`exclude\` leaves out of pulls:
      idle
    "
  `)
  expect(run).toMatchObject({ code: 0, stderr: '\n1 of 2 prompts is used\n' })
  const idle = await prompts(['show', 'idle', '--usage', '--json'], { cwd })
  expect(idle.json).toMatchObject({ slug: 'idle', usage: [] })
})
