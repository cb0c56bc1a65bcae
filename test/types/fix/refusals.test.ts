import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compareLocks } from '../../../src/core/compare.ts'
import type { Lock } from '../../../src/core/prompt.ts'
import { planFix } from '../../../src/plan/fix/plan-fix.ts'
import { readRenames } from '../../../src/plan/fix/renames.ts'
import { APP_TSCONFIG, locatedApp } from '../../helpers/app-folder.ts'
import { commitAll, git } from '../../helpers/git-repository.ts'
import { liveLock, lockOf } from '../../helpers/pinned.ts'

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
  readonly files?: Readonly<Record<string, string>>
  /** What happens in the repository before the fix. Default: all files are committed. */
  readonly prepare?: (root: string) => void
  readonly allowDirty?: boolean
}

type Fixed = Awaited<ReturnType<typeof planFix>>

/** Plans a fix of an app with this code. */
async function fix(code: string, given: Given = {}): Promise<Fixed> {
  const { renames = RENAMES, files, prepare = commitAll, allowDirty } = given
  const { before = BEFORE, after = AFTER } = given
  const location = await locatedApp({
    '.gitignore': 'node_modules\n',
    'tsconfig.json': APP_TSCONFIG,
    'src/main.ts': HEAD + code,
    ...files,
  })
  prepare(location.root)
  const changes = compareLocks(before, after)
  const request = { renames: readRenames(renames, changes), allowDirty }
  return planFix(before, changes, location, request)
}

/** What was left, in short. */
function left(plan: Fixed): string[] {
  return plan.left.map(
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
  `const values = ${VALUES}\nprompts.triage.render(/*!*/values)`,
  `/*!*/prompts.triage.render.call(undefined, ${VALUES})`,
  `(1 ? /*!*/prompts.triage : prompts.reply).render(${VALUES})`,
  `const table = { p: /*!*/prompts.triage }\ntable.p.render(${VALUES})`,
  `class Box { p = /*!*/prompts.triage }\nnew Box().p.render(${VALUES})`,
  `const f = (p = /*!*/prompts.triage) => p\nf().render(${VALUES})`,
  `const f = () => /*!*/prompts.triage\nf().render(${VALUES})`,
  `const p: /*!*/typeof prompts.triage = prompts.triage\np.render(${VALUES})`,
  `const id = <T>(v: T): T => v\nid(/*!*/prompts.triage).render(${VALUES})`,
  `(/*!*/prompts.triage satisfies object).render(${VALUES})`,
]

test('code that cannot be edited safely keeps the edit back, and each place is listed', async () => {
  const files = Object.fromEntries(
    REFUSED.map((code, index) => [`src/refused${index}.ts`, HEAD + code]),
  )
  const plan = await fix('', { files })
  const triage = plan.left.find(({ change }) => change.slug === 'triage')
  const places = new Set(
    triage?.places.map(({ file, line, column }) => `${file}:${line}:${column}`),
  )
  const marked = Object.entries(files).map(([file, code]) => {
    const before = code.slice(0, code.indexOf('/*!*/') + '/*!*/'.length).split('\n')
    return `${file}:${before.length}:${(before.at(-1) ?? '').length + 1}`
  })
  expect(marked.filter((place) => !places.has(place))).toEqual([])
  expect(plan.edits).toEqual([])
})

const CALL = "prompts.triage.render({ ticket: 'T' })\n"

/** What happens to committed files, each of which calls a prompt of its name. */
const DIRTY: Readonly<Record<string, (root: string, path: string) => void>> = {
  uncommitted(root, path) {
    git(root, 'rm', '--quiet', '--cached', path)
    git(root, 'commit', '--quiet', '--message', 'remove')
  },
  assumed: (root, path) => git(root, 'update-index', '--assume-unchanged', path),
  edited: (root, path) => appendFileSync(`${root}/${path}`, '// edited\n'),
  skipped: (root, path) => git(root, 'update-index', '--skip-worktree', path),
  stagedAndUndone(root, path) {
    const text = readFileSync(`${root}/${path}`)
    appendFileSync(`${root}/${path}`, '// edited\n')
    git(root, 'add', path)
    writeFileSync(`${root}/${path}`, text)
  },
}

const NEVER: Readonly<Record<string, readonly [reason: string, (path: string) => void]>> = {
  generated: [
    'generated',
    (path) => writeFileSync(path, `// @generated\n${readFileSync(path, 'utf8')}`),
  ],
  notUTF8: ['not UTF-8', (path) => appendFileSync(path, Buffer.from([0x2f, 0x2f, 0xff]))],
  outside: [
    'outside of the project',
    (path) => {
      const outside = mkdtempSync(`${tmpdir()}/prompts-outside-`)
      onTestFinished(() => rmSync(outside, { recursive: true }))
      renameSync(path, `${outside}/main.ts`)
      symlinkSync(`${outside}/main.ts`, path)
    },
  ],
}

/** Plans a fix of an app with a file for each prompt, named after it. */
function fixFiles(slugs: readonly string[], given: Given): Promise<Fixed> {
  const [before = [], after = []] = ['ticket', 'message'].map((name) =>
    slugs.map((slug) => ({ slug, system: `Sort {{ ${name} }}` })),
  )
  const files = slugs.map((slug) => [`src/${slug}.ts`, HEAD + CALL.replace('triage', slug)])
  return fix('', {
    before: liveLock(...before),
    after: liveLock(...after),
    renames: slugs.map((slug) => `${slug}:ticket=message`),
    files: Object.fromEntries(files),
    ...given,
  })
}

describe('a file', () => {
  test('is edited without a permission only if git has it as it is', async () => {
    const slugs = Object.keys(DIRTY)
    const prepare = (root: string): void => {
      commitAll(root)
      for (const [slug, change] of Object.entries(DIRTY)) change(root, `src/${slug}.ts`)
    }
    const plan = await fixFiles(['committed', ...slugs], { prepare })
    const reason = 'not edited: git does not have'
    expect(left(plan)).toEqual(
      slugs
        .toSorted()
        .map((slug) =>
          expect.stringContaining(`${slug} src/${slug}.ts:2:${17 + slug.length} ${reason}`),
        ),
    )
    expect(plan.edits).toMatchObject([
      {
        places: [{ file: 'src/committed.ts', line: 2, column: 28 }],
        after: expect.stringContaining('message'),
      },
    ])
    const allowed = await fixFiles(slugs, { prepare, allowDirty: true })
    expect(left(allowed)).toEqual([])
    expect(allowed.edits).toHaveLength(slugs.length)
  })

  test.each<[title: string, prepare: (root: string) => void]>([
    ['without a repository', () => undefined],
    ['in a repository without a commit', (root) => git(root, 'init', '--quiet')],
  ])('%s is edited only if that is allowed', async (_title, prepare) => {
    expect(left(await fix(CALL, { prepare }))).toEqual([
      expect.stringContaining('triage src/main.ts:2:23 not edited: git does not have'),
    ])
    const { edits } = await fix(CALL, { prepare, allowDirty: true })
    expect(edits).toHaveLength(1)
  })

  test('that is generated, not UTF-8 or outside of the project is never edited', async () => {
    const entries = Object.entries(NEVER)
    const prepare = (root: string): void =>
      entries.forEach(([slug, [, change]]) => change(`${root}/src/${slug}.ts`))
    const plan = await fixFiles(Object.keys(NEVER), { prepare, allowDirty: true })
    expect(plan.left).toMatchObject(
      entries.map(([slug, [reason]]) => ({
        change: { slug },
        reason: expect.stringContaining(reason),
      })),
    )
    expect(plan.edits).toEqual([])
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
    const places = plan.left
      .filter(({ change }) => change.slug === 'triage')
      .flatMap((row) => row.places.map(({ file, line }) => `${file}:${line}`))
    const views = ['astro', 'svelte', 'vue'].map((extension) => `src/view.${extension}:3`)
    expect(places).toEqual(expect.arrayContaining([...views, 'src/template.vue:2']))
    expect(plan.edits).toEqual([])
  })

  test('of declarations, or that git ignores, is no obstacle', async () => {
    const declarations = `export {}
declare global { const ask: typeof import('../src/ask')['ask'] }
declare module '../src/ask' { interface Asking { readonly triage: typeof import('../src/ask')['triage'] } }
`
    const plan = await fix(CALL, {
      files: {
        '.gitignore': '.kit\nnode_modules\n',
        '.kit/proxy.ts': HEAD + CALL,
        'src/ask.ts': `${HEAD}export const ask = () => ${CALL}export const triage = prompts.triage.version\n`,
        'src/imports.d.ts': declarations,
        'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", ".kit/proxy.ts"]'),
      },
    })
    expect(left(plan)).toEqual([])
    expect(plan.edits.map(({ places: [at] }) => at?.file)).toEqual(['src/ask.ts', 'src/main.ts'])
  })

  test('of a Svelte module is edited, since it has no template, and keeps its byte order mark', async () => {
    const files = { 'src/store.svelte.ts': `\ufeff${HEAD}${CALL}` }
    const plan = await fix('', { files })
    expect(left(plan)).toEqual([])
    expect(plan.edits).toMatchObject([
      {
        places: [{ file: 'src/store.svelte.ts' }],
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
    expect(plan.edits).toEqual([])
  })

  test('that adds a variable is left with every place, and the others are taken', async () => {
    const code = `prompts.reply.render({ ticket: 'T' })
prompts['reply'].render({ ticket: 'T' })
prompts.triage.render({ ticket: 'T' })
prompts.gone.render({ name: '' })
export const other = [prompts.reply]
`
    const plan = await fix(code)
    expect(plan.left).toMatchObject([
      {
        change: { slug: 'reply' },
        reason: '`render` needs `tone`, added in v23',
        places: [{ line: 2 }, { line: 3 }],
      },
    ])
    expect(plan.edits.map(({ after }) => after)).toEqual([
      `${HEAD}prompts.reply.render({ ticket: 'T' })
prompts['reply'].render({ ticket: 'T' })
prompts.triage.render({ message: 'T' })
prompts.bye.render({ name: '' })
export const other = [prompts.reply]
`,
    ])
  })

  test('that removes a variable is left where a call passes it', async () => {
    const plan = await fix("prompts.greeting.render({ name: 'A', tone: 'calm' })\n")
    expect(left(plan)).toEqual([
      'greeting src/main.ts:2:38 `render` no longer takes `tone`, removed in v23',
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

  test('of a renamed prompt with a staging version is taken in both views', async () => {
    const code = `import { prompts as staging } from 'virtual:prompts/staging'
prompts.gone.render()
staging.gone.render({ name: '' })
`
    const lockWith = (slug: string): Lock => {
      const staging = [{ slug, version: 'v23', system: 'Bye {{ name }}' }]
      return lockOf({ live: [{ slug, system: 'Bye' }], staging })
    }
    const plan = await fix(code, {
      before: lockWith('gone'),
      after: lockWith('bye'),
      renames: ['gone=bye'],
    })
    expect(plan.left).toEqual([])
    expect(plan.edits.map(({ after }) => after)).toEqual([HEAD + code.replaceAll('.gone', '.bye')])
  })

  test.each([
    [
      'all prompts are passed on',
      'export const any = (slug: keyof typeof prompts) => prompts[slug]',
    ],
    ['its slug is read', 'const { slug } = prompts.gone'],
    [
      'data is by name',
      "const titles: Partial<Record<keyof typeof prompts, string>> = { gone: '' }\ntitles[prompts.gone.slug]",
    ],
  ])('of a prompt that is renamed is left if %s', async (_, code) => {
    expect(left(await fix(code))).toContainEqual(
      expect.stringMatching(/^gone src\/main\.ts:2:\d+ /),
    )
  })
})
