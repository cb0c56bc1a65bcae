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
import { compareLocks } from '../../../src/core/compare.ts'
import type { Lock } from '../../../src/core/prompt.ts'
import type { FixPlan } from '../../../src/features/fix/plan-fix.ts'
import { planFix } from '../../../src/features/fix/plan-fix.ts'
import { readRenames } from '../../../src/features/fix/renames.ts'
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
  readonly before?: Lock
  readonly after?: Lock
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
  const { before = BEFORE, after = AFTER } = given
  const root = await appFolder({
    '.gitignore': 'node_modules\n',
    'tsconfig.json': APP_TSCONFIG,
    [path]: HEAD + code,
    ...files,
  })
  prepare(root)
  const draft = { before, changes: compareLocks(before, after) }
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

const VALUES = "{ ticket: 'T' }"

/** Code that keeps an edit back. The comment stands before the place that is listed. */
const REFUSED: readonly string[] = [
  `const build = () => (${VALUES})\nprompts.triage.render(/*!*/build())`,
  `declare const later: Promise<${'{ ticket: string }'}>
export const f = async () => prompts.triage.render(/*!*/await later)`,
  'declare const values: any\nprompts.triage.render(/*!*/values)',
  `prompts.triage.render(/*!*/${VALUES} as never)`,
  `prompts.triage.render(/*!*/${VALUES} as { ticket: string })`,
  `declare const rest: any\nprompts.triage.render(/*!*/{ ...rest, ticket: 'T' })`,
  `const rest = {}\nprompts.triage.render(/*!*/{ ticket: 'T', ...rest })`,
  `const KEY = 'ticket'\nprompts.triage.render(/*!*/{ [KEY]: 'T' })`,
  `prompts.triage.render(/*!*/{ ticket: 'T', message: 'M' })`,
  'prompts.triage.render(/*!*/{})',
  'prompts.triage.render(/*!*/{ ticket() {} })',
  "prompts.triage.render(/*!*/{ get ticket() { return '' } })",
  "prompts.triage.render(/*!*/{ ['ticket']: '' })",
  "prompts.triage.render(/*!*/{ __proto__: { ticket: '' } })",
  `const given = [${VALUES}] as const\nprompts.triage.render(/*!*/...given)`,
  `prompts.triage.render(/*!*/${VALUES}, 1)`,
  `[${VALUES}].map(/*!*/prompts.triage.render)`,
  `(/*!*/prompts.triage.render as () => unknown)()`,
  `Reflect.apply(/*!*/prompts.triage.render, undefined, [${VALUES}])`,
  `/*!*/prompts.triage['render'](${VALUES})`,
  `/*!*/prompts.triage!.render(${VALUES})`,
  `// @ts-ignore\n/*!*/prompts.triage.render({ ticket: 'T', more: 1 })`,
  `// @ts-expect-error\n/*!*/prompts.triage.render({ ticket: 'T', more: 1 })`,
  `let triage = /*!*/prompts.triage\ntriage.render(${VALUES})`,
  `const triage: any = /*!*/prompts.triage\ntriage.render(${VALUES})`,
  'export const { /*!*/triage: { render } } = prompts',
  'export const { version, /*!*/render } = prompts.triage',
  `const { triage: t = /*!*/prompts.triage } = prompts\nt.render(${VALUES})`,
  `let t\n;({ triage: t } = /*!*/prompts)`,
  `import type { RenderedPrompt } from 'virtual:prompts'
type Own = { readonly render: (values: { ticket: string }) => RenderedPrompt }
const ask = (prompt: Own) => prompt.render({ ticket: 'T' })
ask(/*!*/prompts.triage)`,
  `declare const next: () => string
export const texts = [/*!*/prompts.triage, prompts.reply].map((each) => each.render({ ticket: next() }))`,
  `import type { AnyPrompt } from 'virtual:prompts'
export const render = (prompt: AnyPrompt, values: object) => prompt.render(values as never)
render(/*!*/prompts.triage, { ticket: 'T' })`,
  `export const render = (slug: keyof typeof prompts, values: object) =>
  /*!*/prompts[slug].render(values as never)`,
  `declare const ask: (prompt: unknown, values: object) => void\nask(/*!*/prompts.triage, { ticket: 'T' })`,
  `/*!*/prompts.triage.source.replace('{{ ticket }}', '')`,
  'export const all = /*!*/prompts as any',
  'export const { reply, /*!*/...rest } = prompts',
  'export const key = "triage" as const\nexport const p = { .../*!*/prompts, x: 1 }',
  `type Values = Parameters<typeof /*!*/prompts.triage.render>[0]
export const values = { ticket: 'T', message: 'M' } as Values`,
  `type Values = Parameters<typeof /*!*/prompts.triage.render>[0]\nexport type T = Pick<Values, 'ticket'>`,
  `import type { Prompts } from 'virtual:prompts'\nexport type Values = Parameters</*!*/Prompts['triage']['render']>`,
  `export type All = /*!*/typeof import('virtual:prompts')`,
  `import * as ns from 'virtual:prompts'\nexport const all = { ns: /*!*/ns }`,
  `export const later = /*!*/import('virtual:prompts').then(({ prompts: all }) => all)`,
  `export const more = /*!*/(import('virtual:prompts')).then((all) => all)`,
  `export const f = async () => { const all = /*!*/await import('virtual:prompts'); return all }`,
]

test('code that cannot be edited safely keeps the edit back, and each place is listed', async () => {
  const files = Object.fromEntries(
    REFUSED.map((code, index) => [`src/refused${index}.ts`, HEAD + code]),
  )
  const plan = await fix('', { files })
  const triage = plan.skipped.find(({ change }) => change.slug === 'triage')
  const places = new Set(
    triage?.places.map(({ file, line, column }) => `${file}:${line}:${column}`),
  )
  const marked = Object.entries(files).map(([file, code]) => {
    const before = code.slice(0, code.indexOf('/*!*/') + '/*!*/'.length).split('\n')
    return `${file}:${before.length}:${(before.at(-1) ?? '').length + 1}`
  })
  expect(marked.filter((place) => !places.has(place))).toEqual([])
  expect(plan.files).toEqual([])
})

describe('a file', () => {
  const CALL = "prompts.triage.render({ ticket: 'T' })\n"
  const SUMMARY = 'triage src/main.ts:2:23'

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

  test.each<[title: string, change: (root: string) => void]>([
    ['without a repository', () => undefined],
    ['that is not committed yet', (root) => git(root, 'init', '--quiet')],
    [
      'with changes that are not committed',
      (root) => {
        commitAll(root)
        appendFileSync(`${root}/src/main.ts`, '// edited\n')
      },
    ],
    [
      'with a staged change that was undone',
      (root) => {
        commitAll(root)
        appendFileSync(`${root}/src/main.ts`, '// edited\n')
        git(root, 'add', '.')
        writeFileSync(`${root}/src/main.ts`, HEAD + CALL)
      },
    ],
    ...['--assume-unchanged', '--skip-worktree'].map((flag): [string, (root: string) => void] => [
      `marked with ${flag}`,
      (root) => {
        commitAll(root)
        git(root, 'update-index', flag, 'src/main.ts')
      },
    ]),
    [
      'that git ignores',
      (root) => {
        appendFileSync(`${root}/.gitignore`, 'src/main.ts\n')
        commitAll(root)
      },
    ],
  ])('%s is edited only if that is allowed', async (_title, prepare) => {
    const plan = await fix(CALL, { prepare })
    expect(left(plan)).toEqual([
      expect.stringContaining(`${SUMMARY} not edited: git does not have`),
    ])
    const allowed = await fix(CALL, { prepare, allowDirty: true })
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

  test('of Vue, Svelte and Astro is listed and not edited, also if only its template may use it', async () => {
    const script = `<script lang="ts">\n${HEAD}${CALL}</script>\n`
    const plan = await fix('', {
      files: {
        'src/view.vue': script,
        'src/view.svelte': script,
        'src/view.astro': `---\n${HEAD}${CALL}---\n`,
        'src/template.vue': `<script setup lang="ts">\n${HEAD}const { triage } = prompts\n</script>\n<template>{{ triage.render({ ticket: '' }) }}</template>\n`,
      },
    })
    const places = plan.skipped
      .filter(({ change }) => change.slug === 'triage')
      .flatMap((row) => row.places.map(({ file, line }) => `${file}:${line}`))
    const views = ['astro', 'svelte', 'vue'].map((extension) => `src/view.${extension}:3`)
    expect(places).toEqual(expect.arrayContaining([...views, 'src/template.vue:2']))
    expect(plan.files).toEqual([])
  })

  test('of a Svelte module is edited, since it has no template', async () => {
    const plan = await fix(CALL, { path: 'src/store.svelte.ts' })
    expect(left(plan)).toEqual([])
    expect(plan.files.map(({ file }) => file)).toEqual(['src/store.svelte.ts'])
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
export const other = [prompts.reply]
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
export const other = [prompts.reply]
`,
    ])
  })

  test('that removes a variable drops its value only without an effect', async () => {
    const effects = [
      'next()',
      'await later',
      'count++',
      'values.tone',
      '`${object}`',
      'name + "!"',
      'ambient',
    ]
    const head = `declare const later: Promise<string>
declare function next(): string
declare const object: object
class Values {\n  get tone() {\n    return ''\n  }\n}
const values = new Values()
let count = 0
export const name = 'A'
`
    const kept = effects.map((value) => `prompts.greeting.render({ name, tone: ${value} })\n`)
    const files = { 'src/global.d.ts': 'declare const ambient: string\n' }
    const refused = await fix(head + kept.join(''), { files })
    expect(refused.files).toEqual([])
    expect(refused.skipped).toMatchObject([
      { change: { slug: 'greeting' }, reason: expect.stringContaining('that is dropped') },
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

  test('of a prompt is left if another prompt has the identifier of its new name', async () => {
    const plan = await fix('prompts.gone.render()\n', {
      before: liveLock({ slug: 'b-ye' }, { slug: 'gone', system: 'Bye' }),
      after: liveLock({ slug: 'b-ye' }, { slug: 'b_ye', system: 'Bye' }),
      renames: ['gone=b_ye'],
    })
    expect(left(plan)).toContainEqual('gone src/main.ts:2:9 its new name has no identifier')
  })

  test('of a prompt that is renamed is left if all prompts are passed on', async () => {
    const code =
      'export const any = (slug: keyof typeof prompts) => prompts[slug]\nprompts.gone.slug\n'
    const plan = await fix(code)
    expect(left(plan)).toContainEqual(expect.stringMatching(/^gone src\/main\.ts:2:\d+ .*/))
  })
})
