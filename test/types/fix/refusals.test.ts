import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { comparePrompts } from '../../../src/core/compare.ts'
import type { FixPlan } from '../../../src/features/fix/plan-fix.ts'
import { planFix } from '../../../src/features/fix/plan-fix.ts'
import { readRenames } from '../../../src/features/fix/read-renames.ts'
import { APP_TSCONFIG, appFolder } from '../../helpers/app-folder.ts'
import { commitAll, git } from '../../helpers/git-repository.ts'
import { liveLock } from '../../helpers/pinned.ts'

const BEFORE = liveLock(
  { slug: 'gone', system: 'Bye {{ name }}' },
  { slug: 'greeting', system: 'Hello {{ name }} in a {{ tone }} tone' },
  { slug: 'reply', system: 'Answer {{ ticket }}' },
  { slug: 'triage', system: 'Sort {{ ticket }}' },
)

const AFTER = liveLock(
  { slug: 'bye', system: 'Bye {{ name }}' },
  { slug: 'greeting', system: 'Hello {{ name }}', version: 'v23' },
  { slug: 'reply', system: 'Answer {{ ticket }} in a {{ tone }} tone', version: 'v23' },
  { slug: 'triage', system: 'Sort {{ message }}', version: 'v23' },
)

const RENAMES = ['gone=bye', 'triage:ticket=message']

const HEAD = "import { prompts } from 'virtual:prompts'\n"

interface Given {
  readonly renames?: readonly string[]
  readonly path?: string
  readonly files?: Readonly<Record<string, string>>
  /** What happens in the repository before the fix. Default: all files are committed. */
  readonly prepare?: (root: string) => void
  readonly allowDirty?: boolean
}

/** Plans a fix of an app with this code. */
async function fix(code: string, given: Given = {}): Promise<FixPlan> {
  const { renames = RENAMES, path = 'src/main.ts', files, prepare = commitAll, allowDirty } = given
  const root = await appFolder({
    '.gitignore': 'node_modules\n',
    'tsconfig.json': APP_TSCONFIG,
    [path]: HEAD + code,
    ...files,
  })
  prepare(root)
  const draft = { before: BEFORE, changes: comparePrompts(BEFORE.prompts, AFTER.prompts) }
  const request = { renames: readRenames(renames, draft), allowDirty }
  return planFix(draft, { root, dts: `${root}/src/prompts.d.ts` }, request)
}

/** What was left, in short. */
function left({ skipped }: FixPlan): string[] {
  return skipped.map(
    ({ change: { slug }, reason, places: [at] }) =>
      `${slug} ${at?.file}:${at?.line}:${at?.column} ${reason}`,
  )
}

describe('code that cannot be edited safely is left whole, with the place and the reason:', () => {
  const cases: readonly [title: string, code: string, place: string, reason: RegExp][] = [
    [
      'values from a call',
      `const build = () => ({ ticket: 'T' })\nprompts.triage.render(build())`,
      'src/main.ts:3:23',
      /not an object literal/,
    ],
    [
      'awaited values',
      `declare const later: Promise<{ ticket: string }>
export const f = async () => prompts.triage.render(await later)`,
      'src/main.ts:3:52',
      /not an object literal/,
    ],
    [
      'values of type any',
      `declare const values: any\nprompts.triage.render(values)`,
      'src/main.ts:3:23',
      /not an object literal/,
    ],
    [
      'values of type never',
      `prompts.triage.render({ ticket: 'T' } as never)`,
      'src/main.ts:2:23',
      /not an object literal/,
    ],
    [
      'values that are spread from any',
      `declare const rest: any\nprompts.triage.render({ ...rest, ticket: 'T' })`,
      'src/main.ts:3:25',
      /not a plain one/,
    ],
    [
      'an object with an accessor',
      `class Values {\n  get ticket() {\n    return 'T'\n  }\n}
const values = new Values()
prompts.triage.render(values)`,
      'src/main.ts:8:23',
      /not an object literal/,
    ],
    [
      'a computed name',
      `const KEY = 'ticket'\nprompts.triage.render({ [KEY]: 'T' })`,
      'src/main.ts:3:25',
      /not a plain one/,
    ],
    [
      'the type of its values',
      `type Values = Parameters<typeof prompts.triage.render>[0]
export const values = { ticket: 'T', message: 'M' } as Values`,
      'src/main.ts:2:33',
      /its type is used/,
    ],
    [
      'a type that is written by hand',
      `import type { RenderedPrompt } from 'virtual:prompts'
type Own = { readonly render: (values: { ticket: string }) => RenderedPrompt }
const ask = (prompt: Own) => prompt.render({ ticket: 'T' })
ask(prompts.triage)`,
      'src/main.ts:5:5',
      /otherwise than in a call/,
    ],
    [
      'arguments from an array',
      `const given = [{ ticket: 'T' }] as const\nprompts.triage.render(...given)`,
      'src/main.ts:3:23',
      /not an object literal/,
    ],
    [
      'a method that is passed on',
      `[{ ticket: 'T' }].map(prompts.triage.render)`,
      'src/main.ts:2:23',
      /otherwise than in a call/,
    ],
    [
      'one of several prompts',
      `declare const next: () => string
export const texts = [prompts.triage, prompts.reply].map((each) => each.render({ ticket: next() }))`,
      'src/main.ts:3:23',
      /otherwise than in a call/,
    ],
    [
      'a prompt that may be rendered with values that types do not show',
      `import type { AnyPrompt } from 'virtual:prompts'
export const render = (prompt: AnyPrompt, values: object) => prompt.render(values as never)
render(prompts.triage, { ticket: 'T' })`,
      'src/main.ts:4:8',
      /otherwise than in a call/,
    ],
    [
      'any prompt by name, with values that types do not show',
      `export const render = (slug: keyof typeof prompts, values: object) =>
  prompts[slug].render(values as never)`,
      'src/main.ts:3:3',
      /all prompts are passed on/,
    ],
    [
      'a name in a type',
      `type Values = Parameters<typeof prompts.triage.render>[0]
export type Ticket = Pick<Values, 'ticket'>`,
      'src/main.ts:2:33',
      /its type is used/,
    ],
    [
      'a name that is read in a pattern of an assignment',
      `let ticket: unknown
declare const values: Parameters<typeof prompts.triage.render>[0]
;({ ticket } = values)\nconsole.log(ticket)`,
      'src/main.ts:3:41',
      /its type is used/,
    ],
    [
      'a spread',
      `const rest = { ticket: 'T' }\nprompts.triage.render({ ...rest })`,
      'src/main.ts:3:25',
      /plain/,
    ],
    [
      'a later spread',
      `const rest = {}\nprompts.triage.render({ ticket: 'T', ...rest })`,
      'src/main.ts:3:38',
      /plain/,
    ],
    [
      'the new name',
      `prompts.triage.render({ ticket: 'T', message: 'M' })`,
      'src/main.ts:2:23',
      /passed already/,
    ],
    ['no values', `(prompts.triage.render as () => unknown)()`, 'src/main.ts:2:2', /otherwise/],
    ['a missing value', `prompts.triage.render({})`, 'src/main.ts:2:23', /not passed/],
    ['a method', `prompts.triage.render({ ticket() {} })`, 'src/main.ts:2:25', /plain/],
    [
      'an accessor in a literal',
      `prompts.triage.render({ get ticket() { return '' } })`,
      'src/main.ts:2:25',
      /plain/,
    ],
    [
      'an assertion of a literal',
      `prompts.triage.render({ ticket: 'T' } as { ticket: string })`,
      'src/main.ts:2:23',
      /literal/,
    ],
    [
      '@ts-ignore',
      `// @ts-ignore\nprompts.triage.render({ ticket: 'T', more: 1 })`,
      'src/main.ts:3:1',
      /@ts-ignore/,
    ],
    [
      '@ts-expect-error',
      `// @ts-expect-error\nprompts.triage.render({ ticket: 'T', more: 1 })`,
      'src/main.ts:3:1',
      /@ts-expect-error/,
    ],
    [
      'a variable that is assigned',
      `let triage = prompts.triage\ntriage.render({ ticket: 'T' })`,
      'src/main.ts:2:14',
      /otherwise/,
    ],
    [
      'an adapter of the app',
      `declare const ask: (prompt: unknown, values: object) => void\nask(prompts.triage, { ticket: 'T' })`,
      'src/main.ts:3:5',
      /otherwise/,
    ],
    [
      'its text',
      `prompts.triage.render({ ticket: 'T' })\nprompts.triage.source.replace('{{ ticket }}', '')`,
      'src/main.ts:3:1',
      /otherwise/,
    ],
    [
      'all prompts as any',
      `prompts.triage.render({ ticket: 'T' })\nexport const all = prompts as any`,
      'src/main.ts:3:20',
      /passed on/,
    ],
    [
      'the rest of all prompts',
      `const { reply, ...rest } = prompts`,
      'src/main.ts:2:16',
      /passed on/,
    ],
    [
      'Reflect',
      `Reflect.apply(prompts.triage.render, undefined, [{ ticket: 'T' }])`,
      'src/main.ts:2:15',
      /otherwise/,
    ],
  ]
  test.each(cases)('%s', async (_title, code, place, reason) => {
    const plan = await fix(code)
    const found = left(plan).find((line) => line.startsWith('triage '))
    expect(found).toContain(place)
    expect(found).toMatch(reason)
    expect(plan.files).toEqual([])
  })
})

describe('a file', () => {
  const CALL = "prompts.triage.render({ ticket: 'T' })\n"
  const SUMMARY = 'triage src/main.ts:2:25'

  test('is edited if it is committed', async () => {
    const plan = await fix(CALL)
    expect(left(plan)).toEqual([])
    expect(plan.files).toMatchObject([
      {
        file: 'src/main.ts',
        places: [{ line: 2, column: 25 }],
        after: expect.stringContaining('message'),
      },
    ])
  })

  test.each<[title: string, given: Given, reason: string]>([
    ['without a repository', { prepare: () => undefined }, 'git does not track the project'],
    [
      'that is not committed yet',
      { prepare: (root) => git(root, 'init', '--quiet') },
      'git does not track the project',
    ],
    [
      'with changes that are not committed',
      {
        prepare: (root) => {
          commitAll(root)
          appendFileSync(`${root}/src/main.ts`, '// edited\n')
        },
      },
      'has changes that are not committed',
    ],
    [
      'with staged changes',
      {
        prepare: (root) => {
          commitAll(root)
          appendFileSync(`${root}/src/main.ts`, '// edited\n')
          git(root, 'add', '.')
        },
      },
      'has changes that are not committed',
    ],
    [
      'with a staged change that was undone',
      {
        prepare: (root) => {
          commitAll(root)
          appendFileSync(`${root}/src/main.ts`, '// edited\n')
          git(root, 'add', '.')
          writeFileSync(`${root}/src/main.ts`, HEAD + CALL)
        },
      },
      'has changes that are not committed',
    ],
    ...['--assume-unchanged', '--skip-worktree'].map((flag): [string, Given, string] => [
      `marked with ${flag}`,
      {
        prepare: (root) => {
          commitAll(root)
          git(root, 'update-index', flag, 'src/main.ts')
        },
      },
      'has changes that are not committed',
    ]),
    [
      'that git ignores',
      { files: { '.gitignore': 'node_modules\nsrc/main.ts\n' } },
      'git does not track the file',
    ],
  ])('%s is edited only if that is allowed', async (_title, given, reason) => {
    const plan = await fix(CALL, given)
    expect(left(plan)).toEqual([expect.stringContaining(`${SUMMARY} not edited: `)])
    expect(left(plan)[0]).toContain(reason)
    const allowed = await fix(CALL, { ...given, allowDirty: true })
    expect(left(allowed)).toEqual([])
    expect(allowed.files).toHaveLength(1)
  })

  test.each<[title: string, given: Given, reason: string]>([
    [
      'that is generated',
      { files: { 'src/main.ts': `// @generated\n${HEAD}${CALL}` } },
      'generated',
    ],
    [
      'that is not UTF-8',
      { prepare: (root) => appendFileSync(`${root}/src/main.ts`, Buffer.from([0x2f, 0x2f, 0xff])) },
      'not UTF-8',
    ],
    [
      'behind a link out of the project',
      {
        prepare: (root) => {
          const outside = mkdtempSync(`${tmpdir()}/prompts-outside-`)
          onTestFinished(() => rmSync(outside, { recursive: true }))
          renameSync(`${root}/src/main.ts`, `${outside}/main.ts`)
          symlinkSync(`${outside}/main.ts`, `${root}/src/main.ts`)
        },
      },
      'outside of the project',
    ],
  ])('%s is never edited', async (_title, given, reason) => {
    const plan = await fix(CALL, { ...given, allowDirty: true })
    expect(left(plan)).toEqual([expect.stringContaining(`${SUMMARY.slice(0, 15)}`)])
    expect(left(plan)[0]).toContain(reason)
    expect(plan.files).toEqual([])
  })

  test.each(['vue', 'svelte', 'astro'])('of %s is listed and not edited', async (extension) => {
    const code =
      extension === 'astro'
        ? `---\n${HEAD}${CALL}---\n`
        : `<script lang="ts">\n${HEAD}${CALL}</script>\n`
    const plan = await fix('', { files: { [`src/view.${extension}`]: code } })
    expect(left(plan)).toContainEqual(
      expect.stringMatching(new RegExp(`^triage src/view\\.${extension}:2:.*edited by hand`)),
    )
    expect(plan.files).toEqual([])
  })

  test('of a Svelte module is edited, since it has no template', async () => {
    const plan = await fix(CALL, { path: 'src/store.svelte.ts' })
    expect(left(plan)).toEqual([])
    expect(plan.files.map(({ file }) => file)).toEqual(['src/store.svelte.ts'])
  })

  test('whose template may use a renamed prompt is listed', async () => {
    const code = `<script setup lang="ts">\n${HEAD}const { triage } = prompts\n</script>\n<template>{{ triage.render({ ticket: '' }) }}</template>\n`
    const plan = await fix('', { files: { 'src/view.vue': code } })
    expect(left(plan)).toContainEqual(expect.stringContaining('triage src/view.vue:2:10 '))
    expect(plan.files).toEqual([])
  })

  test('keeps its byte order mark', async () => {
    const plan = await fix('', { files: { 'src/other.ts': `\ufeff${HEAD}${CALL}` } })
    expect(plan.files).toMatchObject([
      {
        before: expect.stringMatching(/^\ufeff/),
        after: expect.stringMatching(/^\ufeff.*message/s),
      },
    ])
  })
})

describe('an update', () => {
  test('without a confirmed rename is left, with the option that confirms it', async () => {
    const code = "prompts.triage.render({ ticket: 'T' })\nprompts.gone.render({ name: '' })\n"
    const plan = await fix(code, { renames: [] })
    expect(left(plan)).toEqual([
      expect.stringMatching(/^gone src\/main\.ts:3:\d+ .* confirm it with --rename gone=bye$/),
      expect.stringMatching(
        /^triage src\/main\.ts:2:\d+ .* confirm it with --rename triage:ticket=message$/,
      ),
    ])
    expect(plan.files).toEqual([])
  })

  test('that adds a variable is left with every place, and the others are taken', async () => {
    const code = `prompts.reply.render({ ticket: 'T' })
prompts['reply'].render({ ticket: 'T' })
prompts.triage.render({ ticket: 'T' })
prompts.gone.render({ name: '' })
`
    const plan = await fix(code)
    expect(plan.skipped).toMatchObject([
      {
        change: { slug: 'reply' },
        reason: '`render` needs `tone`, added in v23',
        places: [{ line: 2 }, { line: 3 }],
      },
    ])
    expect(plan.files.map(({ after }) => after)).toEqual([
      `${HEAD}prompts.reply.render({ ticket: 'T' })
prompts['reply'].render({ ticket: 'T' })
prompts.triage.render({ message: 'T' })
prompts.bye.render({ name: '' })
`,
    ])
  })

  test('that removes a variable drops its value only without an effect', async () => {
    const effects = ['next()', 'await later', 'count++', 'values.tone', '`${object}`', 'name + "!"']
    const head = `declare const later: Promise<string>
declare function next(): string
declare const object: object
class Values {\n  get tone() {\n    return ''\n  }\n}
const values = new Values()
let count = 0
export const name = 'A'
`
    const kept = effects.map((value) => `prompts.greeting.render({ name, tone: ${value} })\n`)
    const refused = await fix(head + kept.join(''))
    expect(refused.files).toEqual([])
    expect(refused.skipped).toMatchObject([
      { change: { slug: 'greeting' }, reason: expect.stringContaining('is computed') },
    ])
    const lines = refused.skipped.flatMap(({ places }) => places.map(({ line }) => line))
    const first = (HEAD + head).split('\n').length
    expect(lines).toEqual(effects.map((_, index) => first + index))
    const pure = ['"calm"', '1', '1n', 'name', 'true', '`calm`']
    const calls = pure.map((value) => `prompts.greeting.render({ name, tone: ${value} })\n`)
    const plan = await fix(head + calls.join(''))
    expect(left(plan)).toEqual([])
    expect(plan.files[0]?.after).toBe(
      HEAD + head + calls.map(() => 'prompts.greeting.render({ name })\n').join(''),
    )
  })

  test('that leaves an import unused is not taken where the app forbids that', async () => {
    const tsconfig = JSON.parse(APP_TSCONFIG) as { compilerOptions: object }
    const compilerOptions = { ...tsconfig.compilerOptions, noUnusedLocals: true }
    const plan = await fix(
      "import { tone } from './tone.ts'\nprompts.greeting.render({ name: '', tone })\n",
      {
        files: {
          'src/tone.ts': "export const tone = ''\n",
          'tsconfig.json': JSON.stringify({
            ...tsconfig,
            compilerOptions: { ...compilerOptions, allowImportingTsExtensions: true },
          }),
        },
      },
    )
    expect(left(plan)).toEqual([
      expect.stringContaining("'tone' is declared but its value is never read"),
    ])
  })

  test('of a prompt that is renamed is left if all prompts are passed on', async () => {
    const code =
      'export const any = (slug: keyof typeof prompts) => prompts[slug]\nprompts.gone.slug\n'
    const plan = await fix(code)
    expect(left(plan)).toContainEqual(expect.stringMatching(/^gone src\/main\.ts:2:\d+ .*/))
  })
})
