import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compareLocks } from '../../src/core/compare.ts'
import { planFix } from '../../src/plan/fix/plan-fix.ts'
import { findImpact } from '../../src/judge/impact.ts'
import { APP_TSCONFIG, locatedApp } from '../helpers/app-folder.ts'
import { fixtureApp, refusedLines } from '../helpers/compile-fixture.ts'
import { EACH_COMPILER, linesMarkedWrong, OLDER_COMPILERS } from '../helpers/compile-strictly.js'
import { LANGUAGE_SERVERS } from '../helpers/language-server.ts'
import { liveLock } from '../helpers/pinned.ts'
import { rejection } from '../helpers/service-client.ts'

const GENERATED = `import { prompts } from './generated/index.js'
prompts.supportAgent.render({ tone: 'calm' })
prompts.supportAgent.render({ tone: 'angry' }) // error
`

describe.each([...EACH_COMPILER, ...OLDER_COMPILERS])('under $path, $resolution', (compiler) => {
  test('a variable has the type that the app declares for its name', async () => {
    const fixtures = ['variable-types.ts']
    const app = await fixtureApp({ fixtures, files: { 'generated.ts': GENERATED } })
    const wrong = await linesMarkedWrong(app, ['generated.ts', ...fixtures])
    expect(await refusedLines(app, compiler)).toEqual(wrong)
  })
})

const OWN = `declare module 'unplugin-prompts/runtime' {
  interface VariableTypes {
    /** How it sounds. */
    tone: 'calm' | 'formal'
  }
}
`
const CODE = `import { prompts } from 'virtual:prompts'
prompts.reply.render({ tone: 'calm', name: 'A' })
`
const LOCK = liveLock({ slug: 'reply', system: '{{ tone }} {{ name }}' })

describe.each(Object.entries(LANGUAGE_SERVERS))('an editor with %s', (compiler, start) => {
  test('shows the type with its comment, and knows both declarations', async () => {
    const root = await fixtureApp({
      lock: LOCK,
      files: { 'main.ts': CODE, 'own.d.ts': `export {}\n${OWN}` },
    })
    await writeFile(join(root, 'tsconfig.json'), APP_TSCONFIG.replace('["src"]', '["."]'))
    const server = await start()
    onTestFinished(() => server.close())
    const file = join(root, 'main.ts')
    server.open(file, CODE)
    const tone = { file, line: 2, column: 24 }
    const shown = await server.hover(tone)
    expect(shown).toContain(String.raw`tone: \"calm\" | \"formal\"`)
    // TypeScript 7.0 shows no comment of a property in a mapped type.
    if (compiler !== 'TypeScript 7') expect(shown).toContain('How it sounds.')
    const files = (await server.definition(tone)).map((place) => place.file)
    expect(new Set(files)).toEqual(new Set([join(root, 'prompts.d.ts'), join(root, 'own.d.ts')]))
  })
})

const APP = { 'tsconfig.json': APP_TSCONFIG, 'src/main.ts': CODE }

test('lines that do not fit the types of the app are found by a check', async () => {
  const angry = { 'src/angry.ts': CODE.replace('calm', 'angry') }
  const location = await locatedApp({ ...APP, ...angry, 'src/own.d.ts': `export {}\n${OWN}` })
  const { findings } = await findImpact({ ...location, before: undefined, after: LOCK })
  expect(findings.map(({ file, line }) => `${file}:${line}`)).toEqual(['src/angry.ts:2'])
})

test('a fix renames variables beside one whose type the app owns', async () => {
  const location = await locatedApp({ ...APP, 'src/own.d.ts': `export {}\n${OWN}` })
  const after = liveLock({ slug: 'reply', version: 'v23', system: '{{ tone }} {{ person }}' })
  const renames = [{ slug: 'reply', from: 'name', to: 'person' }] as const
  const changes = compareLocks(LOCK, after)
  const plan = await planFix(LOCK, changes, location, { renames, allowDirty: true })
  expect(plan.left).toEqual([])
  expect(plan.edits.map((edit) => edit.after)).toEqual([CODE.replace('name:', 'person:')])
})

test.each([
  ['without an export', OWN],
  ['with a prompt of its own', OWN.replace('interface', 'interface Prompt<C> { c: C }\ninterface')],
])('a file %s, which replaces the types of the package, is named', async (_, text) => {
  const location = await locatedApp({ ...APP, 'src/own.d.ts': text })
  const error = await rejection(findImpact({ ...location, before: undefined, after: LOCK }))
  const { root: folder } = location
  const path = join(folder, 'src/own.d.ts')
  const details = { path, folder, replaces: 'unplugin-prompts/runtime' }
  expect(error).toMatchObject({ code: 'TYPES_NOT_FOUND', details })
})

test('a prompt takes 11 instantiations where the app owns no types, and at most 8 more where it does', async () => {
  const perPrompt = async (own: string) => {
    const [few = 0, many = 0] = await Promise.all(
      [20, 40].map((count) => instantiations(count, own)),
    )
    return (many - few) / 20
  }
  expect(await perPrompt('')).toBe(11)
  expect(await perPrompt(`export {}\n${OWN}`)).toBeLessThanOrEqual(19)
})

/** Of a program that renders this many prompts. */
async function instantiations(count: number, own: string): Promise<number> {
  const slugs = Array.from({ length: count }, (_, index) => `p${index}`)
  const calls = slugs.map((slug) => `prompts.${slug}.render({ tone: 'calm', ${slug}: 'A' })\n`)
  const root = await fixtureApp({
    lock: liveLock(...slugs.map((slug) => ({ slug, system: `{{ tone }} {{ ${slug} }}` }))),
    files: {
      'main.ts': `import { prompts } from 'virtual:prompts'\n${calls.join('')}`,
      'own.d.ts': own,
    },
  })
  const files = ['main.ts', 'own.d.ts', 'prompts.d.ts'].map((file) => join(root, file))
  const { Bundler } = ts.ModuleResolutionKind
  const options = { strict: true, noEmit: true, module: ts.ModuleKind.ESNext, types: [] }
  const program = ts.createProgram(files, { ...options, moduleResolution: Bundler })
  expect(ts.getPreEmitDiagnostics(program)).toEqual([])
  return (program as unknown as { getInstantiationCount(): number }).getInstantiationCount()
}
