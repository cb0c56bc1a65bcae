import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { APP_TSCONFIG, installTypes } from '../helpers/app-folder.ts'
import { filesIn, prompts, transcript } from '../helpers/cli.ts'
import { testService, type TestService } from '../helpers/local-service.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'

const TRIAGE = { slug: 'support-triage', version: 'v22', system: 'Sort {{ ticket }}' }
const NEEDS_TONE = { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} in a {{ tone }} tone' }
const IDLE = { slug: 'idle', version: 'v1', system: 'Nobody reads this' }

const FILES = {
  'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
  'src/main.ts': `import { prompts } from 'virtual:prompts'
prompts.supportTriage.render({ ticket: 'T' })
`,
}

const PLACE = 'src/main.ts:2:30   support-triage '

describe('prompts diff --impact', () => {
  test('shows what would stop working, and writes nothing', async () => {
    const { cwd, service } = await brokenApp()
    const before = await filesIn(cwd)
    const run = await prompts(['diff', '--impact'], { cwd, env: service.live })
    expect(transcript(run, cwd)).toMatchSnapshot()
    expect(run.code).toBe(0)
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('is part of a comment for a pull request', async () => {
    const { cwd, service } = await brokenApp()
    const args = ['diff', '--impact', '--format', 'markdown']
    const { stdout } = await prompts(args, { cwd, env: service.live })
    expect(stdout).toMatchSnapshot()
  })

  test('reads the list, and the texts of the prompts that code uses only', async () => {
    const named = (version: string) => (slug: string) => ({ slug, version, system: 'Go' })
    const slugs = ['a', 'b', 'c', 'd', 'e', 'f']
    const service = await testService(slugs.map(named('v1')))
    const uses =
      "import { prompts } from 'virtual:prompts'\nprompts.b.render()\nprompts.e.render()\n"
    const cwd = await pinnedProject(service, { ...FILES, 'src/main.ts': uses })
    await installTypes(cwd)
    service.serve(...slugs.slice(0, 5).map(named('v2')), named('v1')('f-2'))
    service.forget()
    const run = await prompts(['diff', '--impact', '--json'], { cwd, env: service.live })
    expect(service.asked().filter((line) => line.includes('prompts/'))).toHaveLength(2)
    expect(JSON.parse(run.stdout)).toMatchObject({
      // Those that code uses are first.
      prompts: ['b', 'e', 'a', 'c', 'd', 'f', 'f-2'].map((slug) => ({ slug })),
      unread: ['a', 'c', 'd', 'f-2'].map((slug) => ({ slug, environment: 'live' })),
      impact: [],
      reads: 2,
    })
  })

  test.each([
    ['iterates all prompts', 'export const all = Object.values(prompts)'],
    [
      'maps over the type of all',
      "import type { Prompts } from 'virtual:prompts'\nexport type All = { [Name in keyof Prompts]: ReturnType<Prompts[Name]['render']> }",
    ],
  ])('reads every text for code that %s', async (_, code) => {
    const { cwd, service } = await brokenApp()
    const file = `import { prompts } from 'virtual:prompts'\n${code}\nexport { prompts }\n`
    await writeFile(join(cwd, 'src/all.ts'), file)
    const run = await prompts(['diff', '--impact', '--json'], { cwd, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({ reads: 2, unread: [] })
  })

  test('finds a break by a text that was rewritten under its label', async () => {
    const { cwd, service } = await brokenApp()
    service.serve({ ...NEEDS_TONE, version: TRIAGE.version }, IDLE)
    const run = await prompts(['diff', '--impact', '--json'], { cwd, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({ impact: [{ slug: 'support-triage' }], reads: 1 })
  })

  test('lists an unproven use, which --fail-on breaking refuses and --skip-breaking leaves', async () => {
    const { cwd, service } = await brokenApp()
    await rm(join(cwd, 'src/main.ts'))
    const use = "{{ prompts.supportTriage.render({ ticket: 'T' }).text }}"
    const script = "<script setup>import { prompts } from 'virtual:prompts'</script>"
    await writeFile(join(cwd, 'src/app.vue'), `${script}\n<template>${use}</template>\n`)
    const call = { cwd, env: service.live }
    const diff = await prompts(['diff', '--fail-on', 'breaking'], call)
    expect(diff.code).toBe(3)
    expect(diff.stdout).toContain('▲ 1 unproven use:\n  src/app.vue:2:14   support-triage ')
    const pull = await prompts(['pull', '--skip-breaking', '--report', 'report.md'], call)
    expect(pull.stdout).toContain('src/app.vue:2:14')
    expect(await lockIn(cwd)).not.toContain('"v23"')
    const report = await readFile(join(cwd, 'report.md'), 'utf8')
    expect(diff.stdout + pull.stdout + pull.stderr + report).not.toMatch(/Nothing breaks|No place/)
  })

  test('says so if nothing breaks', async () => {
    const { cwd, service } = await brokenApp()
    service.serve({ ...TRIAGE, version: 'v23', system: 'Sort kindly {{ ticket }}' }, IDLE)
    const { stdout } = await prompts(['diff', '--impact'], { cwd, env: service.live })
    expect(stdout).toMatchSnapshot()
  })
})

describe('code that does not compile with the lock', () => {
  test('is named by check --impact and doctor after a pull was written anyway', async () => {
    const { cwd, service } = await brokenApp()
    const check = ['check', '--impact', '--offline']
    expect(await prompts(check, { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The pinned prompts break nothing in 1 file.') as string,
    })
    await prompts(['pull', '--yes'], { cwd, env: service.live })
    service.forget()
    const run = await prompts(check, { cwd })
    expect(run).toMatchObject({ code: 3, stdout: expect.stringContaining(PLACE) as string })
    const json = await prompts([...check, '--json'], { cwd })
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      findings: [],
      impact: [{ file: 'src/main.ts', line: 2, slug: 'support-triage', kind: 'compile' }],
    })
    const doctor = await prompts(['doctor', '--offline'], { cwd })
    expect(doctor).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('src/main.ts:2') as string,
    })
    expect(service.asked()).toEqual([])
    await writeFile(join(cwd, 'src/main.ts'), FILES['src/main.ts'].replace("'T'", "'T', tone: ''"))
    expect((await prompts(check, { cwd })).code).toBe(0)
    expect((await prompts(['doctor', '--offline'], { cwd })).stdout).toContain(
      'compiles with the lock, 1 file',
    )
  })

  test.each([
    ['a prompt that the lock does not have', 'prompts.gone.render()', 1],
    ['an export that there is not', 'export { gone } from "virtual:prompts/all"', 1],
    [
      'a table without one of the prompts',
      'export const t: Record<keyof Prompts, 1> = { idle: 1 }',
      1,
    ],
    ['a variable of another type', 'prompts.supportTriage.render({ ticket: null })', 1],
    [
      'errors of other causes',
      'const n: number = "1"\nprompts.supportTriage.render({ ticket: nothing })',
      0,
    ],
    ['any code that compiles', 'Object.values(prompts).map((prompt) => prompt.slug)', 0],
  ])('is looked for in %s', async (_, code, count) => {
    const { cwd } = await brokenApp()
    const text = `import { prompts, type Prompts } from 'virtual:prompts'\n${code}\nexport type T = Prompts\n`
    await writeFile(join(cwd, 'src/main.ts'), text)
    const run = await prompts(['check', '--impact', '--offline', '--json'], { cwd })
    expect(JSON.parse(run.stdout).impact.map(({ line }: { line: number }) => line)).toEqual(
      count === 0 ? [] : [2],
    )
  })

  test('is looked for with a generated folder too', async () => {
    const { cwd } = await brokenApp()
    await prompts(['generate', '--out-dir', 'src/generated'], { cwd })
    const text = `import { prompts } from './generated/index.js'\nprompts.gone.render()\nprompts.idle.render()\n`
    await writeFile(join(cwd, 'src/main.ts'), text)
    const run = await prompts(['check', '--impact', '--offline', '--json'], { cwd })
    expect(JSON.parse(run.stdout)).toMatchObject({ impact: [{ line: 2 }] })
  })
})

test('prompts pull lists changes of prompts that code uses before the others', async () => {
  const named = (slug: string, system: string) => ({ slug, version: 'v1', system })
  const slugs = ['a', 'b', 'c']
  const service = await testService(slugs.map((slug) => named(slug, 'Go')))
  const uses = "import { prompts } from 'virtual:prompts'\nexport const { model } = prompts.c\n"
  const cwd = await pinnedProject(service, { ...FILES, 'src/main.ts': uses })
  await installTypes(cwd)
  service.serve(...slugs.map((slug) => named(slug, 'Go {{ there }}')))
  const run = await prompts(['pull', '--json'], { cwd, env: service.live })
  expect(JSON.parse(run.stdout)).toMatchObject({
    outcome: 'written',
    changes: [{ slug: 'c', class: 'contract' }, { slug: 'a' }, { slug: 'b' }],
  })
})

describe('prompts pull, if the app would break', () => {
  test('writes nothing without a terminal, and explains how to', async () => {
    const { cwd, service } = await brokenApp()
    const before = await filesIn(cwd)
    const run = await prompts(['pull', 'support-triage'], { cwd, env: service.live })
    expect(transcript(run, cwd)).toMatchSnapshot()
    expect(run.code).toBe(3)
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('prints the same as JSON', async () => {
    const { cwd, service } = await brokenApp()
    const before = await filesIn(cwd)
    const run = await prompts(['pull', '--json'], { cwd, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'declined',
      changes: [{ slug: 'support-triage' }],
      impact: [
        { file: 'src/main.ts', line: 2, column: 30, slug: 'support-triage', kind: 'compile' },
      ],
      next: ['prompts', 'pull', '--json', '--yes'],
    })
    expect(run).toMatchObject({ code: 3, stderr: '' })
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('writes it with --yes, and says what breaks', async () => {
    const { cwd, service } = await brokenApp()
    const run = await prompts(['pull', '--yes', '--json'], { cwd, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'written',
      impact: [{ slug: 'support-triage' }],
      next: null,
    })
    expect(run.code).toBe(0)
    expect(await lockIn(cwd)).toContain('"v23"')
  })

  test('continues if the tsconfig is broken, and says so', async () => {
    const { cwd, service } = await brokenApp()
    await writeFile(join(cwd, 'tsconfig.json'), '{ "extends": "./no.json" }')
    const run = await prompts(['pull'], { cwd, env: service.live })
    expect(run.code).toBe(0)
    expect(transcript(run, cwd)).toMatchSnapshot()
    const again = await brokenApp()
    await writeFile(join(again.cwd, 'tsconfig.json'), '{ "extends": "./no.json" }')
    const call = { cwd: again.cwd, env: again.service.live }
    expect(JSON.parse((await prompts(['pull', '--json'], call)).stdout)).toMatchObject({
      outcome: 'written',
      impact: null,
    })
  })

  test('continues if no code uses prompts, and says so', async () => {
    const { cwd, service } = await brokenApp()
    await rm(join(cwd, 'src/main.ts'))
    const run = await prompts(['pull'], { cwd, env: service.live })
    expect(transcript(run, cwd)).toMatchSnapshot()
    expect(run.code).toBe(0)
  })
})

function lockIn(cwd: string): Promise<string> {
  return readFile(join(cwd, 'prompts.lock.json'), 'utf8')
}

describe('prompts list --usage', () => {
  test('shows the uses of each prompt and unused prompts, without a key', async () => {
    const { cwd } = await brokenApp()
    const run = await prompts(['list', '--usage'], { cwd })
    expect(run.stdout).toMatchInlineSnapshot(`
      "support-triage
        src/main.ts:2:9   render

      ▲ 1 unused prompt. The option \`exclude\` saves 1 of 2 reads per pull:
        idle
      "
    `)
    expect(run).toMatchObject({ code: 0, stderr: '\n1 of 2 prompts is used\n' })
  })
})

/** An app whose one call of `render` the service has moved on from. */
async function brokenApp(): Promise<{ cwd: string; service: TestService }> {
  const service = await testService([TRIAGE, IDLE])
  const cwd = await pinnedProject(service, FILES)
  await installTypes(cwd)
  service.forget()
  service.serve(NEEDS_TONE, IDLE)
  return { cwd, service }
}

test('prompts show --usage shows where the app uses one prompt', async () => {
  const { cwd } = await brokenApp()
  const used = await prompts(['show', 'support-triage', '--usage'], { cwd })
  expect(used.stdout).toContain('\n1 use:\n  src/main.ts:2:9   render')
  const idle = await prompts(['show', 'idle', '--usage', '--json'], { cwd })
  expect(JSON.parse(idle.stdout)).toMatchObject({ slug: 'idle', usage: [] })
})
