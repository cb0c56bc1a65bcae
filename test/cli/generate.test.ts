import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { filesIn, finished, folderWith, prompts, start } from '../helpers/cli.ts'
import { testService } from '../helpers/local-service.ts'
import { importNatively } from '../helpers/native-import.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'

const TRIAGE = { slug: 'support-triage', version: 'v22', user: 'Ticket: {{ ticket }}' }

interface Generated {
  readonly prompts: Readonly<Record<string, { render(values: object): unknown }>>
}

describe('prompts generate', () => {
  test('brings the declarations up to date, also where only their text was changed', async () => {
    const cwd = await pinnedProject(await testService([TRIAGE]))
    const path = join(cwd, 'prompts.d.ts')
    const whole = await readFile(path, 'utf8')
    await writeFile(path, whole.replace('"ticket"', 'string'))
    const run = await prompts(['generate'], { cwd })
    expect(run).toStrictEqual({ code: 0, stdout: '', stderr: '✔ wrote prompts.d.ts\n' })
    expect(await readFile(path, 'utf8')).toBe(whole)
    const again = await prompts(['generate'], { cwd })
    expect(again.stderr).toBe('○ current prompts.d.ts\n')
  })

  test('writes a module that runs by itself and exports what virtual:prompts does', async () => {
    const cwd = await pinnedProject(
      await testService([TRIAGE, { slug: '__proto__', version: 'v1' }]),
    )
    const run = await prompts(['generate', '--out-dir', 'src/generated'], { cwd })
    expect(run.stderr).toBe(
      '✔ wrote src/generated/index.js\n✔ wrote src/generated/index.d.ts\n✔ wrote src/generated/package.json\n',
    )
    const path = join(cwd, 'src/generated/index.js')
    const module = (await importNatively(pathToFileURL(path).href)) as Generated
    expect(Object.keys(module)).toStrictEqual([
      'PromptVariableError',
      'prompts',
      'toAISDK',
      'toAnthropic',
      'toOpenAI',
      'toOpenAIResponses',
    ])
    expect(Object.keys(module.prompts)).toStrictEqual([
      '__proto__',
      'proto',
      'support-triage',
      'supportTriage',
    ])
    expect(module.prompts['supportTriage']?.render({ ticket: 'Help' })).toMatchObject({
      text: 'Be kind.\n\nTicket: Help',
    })
    expect(await readFile(path, 'utf8')).toMatch(
      /^\/\/ Made by unplugin-prompts from the lock of pinned prompts\. Do not edit: `npx prompts generate` writes it\.\n/,
    )
    expect(await readFile(path, 'utf8')).not.toMatch(/^import /m)
  })

  test('declares the module with a type for each prompt', async () => {
    const cwd = await pinnedProject(await testService([TRIAGE]))
    await prompts(['generate', '--out-dir', 'out'], { cwd })
    const declarations = await readFile(join(cwd, 'out/index.d.ts'), 'utf8')
    expect(declarations).toContain('Do not edit')
    expect(declarations).toContain(
      'readonly "supportTriage": Prompt<"support-triage", "v22", "ticket">;',
    )
    expect(declarations).toContain('export declare const prompts: Prompts;')
    expect(declarations).not.toContain('virtual:')
  })

  test('exits with --check and 3 when a file is stale or missing, and writes nothing', async () => {
    const service = await testService([TRIAGE])
    const cwd = await pinnedProject(service)
    const args = ['generate', '--out-dir', 'out', '--check']
    const missing = await prompts(args, { cwd })
    expect(missing).toMatchObject({
      code: 3,
      stdout: 'missing  out/index.js\nmissing  out/index.d.ts\nmissing  out/package.json\n',
    })
    await prompts(['generate', '--out-dir', 'out'], { cwd })
    expect(await prompts(args, { cwd })).toStrictEqual({
      code: 0,
      stdout: 'current  out/index.js\ncurrent  out/index.d.ts\ncurrent  out/package.json\n',
      stderr: '',
    })
    await writeFile(join(cwd, 'out/index.js'), 'export {}')
    await rm(join(cwd, 'out/package.json'))
    const before = await filesIn(cwd)
    const stale = await prompts([...args, '--json'], { cwd })
    expect(stale.code).toBe(3)
    expect(JSON.parse(stale.stdout)).toStrictEqual({
      files: [
        { path: join(cwd, 'out/index.js'), state: 'stale' },
        { path: join(cwd, 'out/index.d.ts'), state: 'current' },
        { path: join(cwd, 'out/package.json'), state: 'missing' },
      ],
    })
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('never overwrites a file that it did not make', async () => {
    const cwd = await pinnedProject(await testService([TRIAGE]), { 'src/index.js': 'mine()\n' })
    const run = await prompts(['generate', '--out-dir', 'src'], { cwd })
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('FILE_UNWRITABLE') })
    const files = await filesIn(cwd)
    expect(files['src/index.js']).toBe('mine()\n')
    expect(files).not.toHaveProperty('src/index.d.ts')
  })

  test('leaves a package.json alone that it did not make, and asks for none then', async () => {
    const manifest = '{ "name": "@acme/prompts", "type": "module" }\n'
    const cwd = await pinnedProject(await testService([TRIAGE]), { 'out/package.json': manifest })
    const run = await prompts(['generate', '--out-dir', 'out'], { cwd })
    expect(run.stderr).toBe('✔ wrote out/index.js\n✔ wrote out/index.d.ts\n')
    expect((await filesIn(cwd))['out/package.json']).toBe(manifest)
    const check = await prompts(['generate', '--out-dir', 'out', '--check'], { cwd })
    expect(check).toMatchObject({
      code: 0,
      stdout: 'current  out/index.js\ncurrent  out/index.d.ts\n',
    })
  })

  test('writes again with --watch when the lock changes, goes on after a fault, and ends with 130', async () => {
    const service = await testService([TRIAGE])
    const cwd = await pinnedProject(service)
    const other = await testService([{ ...TRIAGE, version: 'v23' }])
    const next = await readFile(join(await pinnedProject(other), 'prompts.lock.json'), 'utf8')
    const child = start(['generate', '--out-dir', 'out', '--watch'], { cwd })
    const run = finished(child)
    const code = async (): Promise<string | undefined> => (await filesIn(cwd))['out/index.js']
    await vi.waitFor(async () => expect(await code()).toContain('"v22"'), { timeout: 10_000 })
    await writeFile(join(cwd, 'prompts.lock.json'), '{')
    await new Promise((resolve) => setTimeout(resolve, 500))
    await writeFile(join(cwd, 'prompts.lock.json'), next)
    await vi.waitFor(async () => expect(await code()).toContain('"v23"'), { timeout: 10_000 })
    child.kill('SIGINT')
    const { code: exit, stderr } = await run
    expect(exit).toBe(130)
    expect(stderr).toContain('LOCK_SYNTAX')
  })

  test.each([
    { args: ['--watch', '--check'], problem: '--watch and --check exclude each other.' },
    { args: ['--watch', '--json'], problem: '--watch and --json exclude each other.' },
  ])('refuses $args', async ({ args, problem }) => {
    const run = await prompts(['generate', ...args], { cwd: await folderWith() })
    expect(run.code).toBe(2)
    expect(run.stdout + run.stderr).toContain(problem)
  })
})
