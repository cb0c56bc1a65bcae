import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ChangeRow, changeRows } from '../../../src/core/change-row.ts'
import { compareLocks } from '../../../src/core/compare.ts'
import { findBreaking } from '../../../src/plan/leave-breaking.ts'
import type { ImpactReport } from '../../../src/judge/analyse-impact.ts'
import { findImpact, findUsage } from '../../../src/judge/impact.ts'
import { APP_TSCONFIG, locatedApp, unusedIn } from '../../helpers/app-folder.ts'
import { git } from '../../helpers/git-repository.ts'
import { liveLock, lockOf } from '../../helpers/pinned.ts'

const before = liveLock(
  { slug: 'farewell', system: 'Bye {{ name }}' },
  { slug: 'gone', system: 'Gone' },
  { slug: 'reply', system: 'Answer {{ ticket }}' },
)
/** `reply` needs another variable, `gone` is removed, and the contract of `farewell` is the same. */
const after = liveLock(
  { slug: 'farewell', system: 'Goodbye {{ name }}', version: 'v23' },
  { slug: 'reply', system: 'Answer {{ message }}', version: 'v23' },
)

const IMPORT = "import { prompts } from 'virtual:prompts'"
const OLD = "prompts.reply.render({ ticket: 'T' })"
const NEW = "prompts.reply.render({ message: 'T' })"

/** Files with a line, each with the mark, that names `reply` and that the compiler does not see with types. */
const NOT_CHECKED: Readonly<Record<string, string>> = {
  'src/expression.astro': `---\n${IMPORT}\n---\n§<p>{${OLD}.text}</p>\n`,
  'src/each.svelte': `<script>${IMPORT}</script>\n§{#each [${OLD}] as m}{m.text}{/each}\n`,
  'src/text.svelte': `<script lang="ts">${IMPORT}</script>\n§<p>{${OLD}.text}</p>\n`,
  'src/text.vue': `<script setup lang="ts">${IMPORT}</script>\n§<template>{{ ${OLD}.text }}</template>\n`,
  'src/attribute.vue': `<script setup>${IMPORT}</script>\n§<template><p :title="${OLD}.text" /></template>\n`,
  'src/unquoted.vue': `<script setup>${IMPORT}</script>\n§<template><Text :prompt=prompts.reply /></template>\n`,
  'src/alias.vue': `<script setup>${IMPORT}; const { reply: r } = prompts</script>\n§<template>{{ r.render(values) }}</template>\n`,
  'src/all.vue': `<script setup>import * as m from 'virtual:prompts'</script>\n§<template>{{ m.prompts[name] }}</template>\n`,
  'src/spread.vue': `<script setup>${IMPORT}</script>\n§<template>{{ prompts.reply.render({ message: a, ...b }) }}</template>\n`,
  'src/list.svelte': `<script>${IMPORT}; const tabs = [{ prompt: prompts.reply }]</script>\n§{#each tabs as tab}{tab.prompt.render({ ticket: 'T' }).text}{/each}\n`,
  'src/table.astro': `---\n${IMPORT}\nconst table = { a: { reply: prompts.reply } }\n---\n§<p>{table.a.reply.render({ ticket: 'T' }).text}</p>\n`,
  'src/key.astro': `---\n${IMPORT}\nconst table = { reply: prompts.reply }\n---\n§<p>{table[key].render(values).text}</p>\n`,
  'src/result.vue': `<script setup>${IMPORT}; const current = () => prompts.reply</script>\n§<template>{{ current().render(values).text }}</template>\n`,
  'src/setup.vue': `<script>${IMPORT}\nexport default { setup() { return { answer: prompts.reply } } }</script>\n§<template>{{ answer.render({ ticket: 'T' }).text }}</template>\n`,
  'src/computed.vue': `<script>${IMPORT}\nexport default { computed: { answer() { return prompts.reply } } }</script>\n§<template>{{ answer.render({ ticket: 'T' }).text }}</template>\n`,
  'src/facade.svelte': `<script>import { prompts } from './lib/facade'</script>\n§{prompts.reply.slug}\n`,
  'src/page.mdx': `${IMPORT}\n\n§Hello {${OLD}.text}\n`,
  'src/untyped.cts': `§const { prompts } = require('virtual:prompts')\n${OLD}\n`,
  'src/create-require.ts': `declare function createRequire(from: string): (id: string) => any\n§const { prompts } = createRequire('')('virtual:prompts')\n${OLD}\nexport {}\n`,
  'src/load.ts': `declare function createRequire(from: string): (id: string) => any\nconst load = createRequire('')\n§const { prompts } = load('virtual:prompts')\n${OLD}\nexport {}\n`,
  'src/actual.test.ts': `declare const vi: { importActual<T = Record<string, any>>(id: string): Promise<T> }\n§const { prompts } = await vi.importActual('virtual:prompts')\n${OLD}\n`,
  'src/inline.mjs': `import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)\n§require('virtual:prompts').${OLD}\n`,
  'src/load-facade.ts': `declare function createRequire(from: string): (id: string) => any\nconst load = createRequire('')\n§const { prompts } = load('./lib/facade')\n${OLD}\nexport {}\n`,
  'src/actual-facade.test.ts': `declare const vi: { importActual<T = Record<string, any>>(id: string): Promise<T> }\nconst { prompts } = await vi.importActual(\n§'./lib/facade')\n${OLD}\n`,
  'test/actual.test.js': `§const { prompts } = jest.requireActual('../src/lib/facade')\n${OLD}\n`,
  'test/load.mjs': `import { createRequire } from 'node:module'\nconst load = createRequire(import.meta.url)\n§load('../src/lib/facade').${OLD}\n`,
  'test/template.ts': `§const { prompts } = require(\`../src/lib/facade\`)\n${OLD}\n`,
  'src/identifier.ts': `§const id: string = 'virtual:prompts'\nconst { prompts } = await import(id)\n${OLD}\nexport {}\n`,
  'src/of-alias.ts': `§import { prompts } from '$lib/facade'\n${OLD}\n`,
  'src/of-script.ts': `§import { prompts } from './star.js'\n${OLD}\n`,
  'outside/of-alias.ts': `§import { prompts } from '~lib/facade'\n${OLD}\n`,
  'outside/of-scope.ts': `§import { prompts } from '@app/facade'\n${OLD}\n`,
  'src/syntax.ts': `${IMPORT}\nexport const f = () => ${NEW}\n§const const = 1\n`,
  'src/store.svelte': `<script>${IMPORT}\nconst reply = prompts.reply</script>\n§{$reply.render({ ticket: 'T' }).text}\n`,
  'src/reactive.svelte': `<script>${IMPORT}\nexport let key\n$: current = prompts[key]</script>\n§{current.render({ ticket: 'T' }).text}\n`,
  'src/pattern.svelte': `<script>${IMPORT}\n$: ({ reply: [current] } = { reply: [prompts.reply] })</script>\n§{current.render({ ticket: 'T' }).text}\n`,
  'src/of-facade.marko': `§import { prompts } from './lib/facade'\n<p>\${${OLD}.text}</p>\n`,
  'src/other.marko': `§${IMPORT}\n<p>\${${OLD}.text}</p>\n`,
}

/** Files whose use of `reply` breaks, each in the line with the mark. */
const BREAKING: Readonly<Record<string, string>> = {
  'src/build/script.js': `${IMPORT}\n§${OLD}\n`,
  '.storybook/preview.js': `${IMPORT}\n§${OLD}\n`,
  'src/reactive-script.svelte': `<script>${IMPORT}\n$: current = prompts.reply\n§export const ask = () => current.render({ ticket: 'T' })</script>\n`,
  'src/reactive-right.svelte': `<script>${IMPORT}\nlet set\n§$: set = current = ${OLD}\n$:current = ''</script>\n`,
  'inline.html': `<script type="module">${IMPORT}\n§${OLD}\n</script>\n`,
  'src/script.astro': `<script>\n${IMPORT}\n§console.log(${OLD})\n</script>\n`,
}

/** Files with no use, with a checked one, of a prompt whose contract is the same, or where types are `any`. */
const CHECKED: Readonly<Record<string, string>> = {
  'src/text.astro': `---\n${IMPORT}\nconst { text } = ${NEW}\n---\n<p>{text}</p>\n<!-- {${OLD}} -->\n{/* prompts */}\n`,
  'src/Tag.vue': `<script setup>import Same from './same.vue'</script>\n<template><Same>Same</Same></template>\n`,
  'src/any.ts': `${IMPORT}\nexport const f = () => (prompts as any).reply.render({ ticket: 'T' })\n`,
  'src/values.ts': `${IMPORT}\ndeclare const request: { readonly body: any }\nexport const f = () => prompts.reply.render(request.body)\n`,
  'src/any.js': `${IMPORT}\nconst ask = (prompt, values) => prompt.render(values)\nexport const f = (key) => ask(prompts[key], {})\n`,
  'src/same.vue': `<script setup>${IMPORT}</script>\n<template>{{ prompts.farewell.render(values).text }}</template>\n`,
  'src/fence.mdx': `${IMPORT}\n\n\`prompts\` is used as here:\n\n\`\`\`ts\n${IMPORT}\n{${OLD}}\n\`\`\`\n\n{/* ${OLD} */}\n`,
  'src/typed.test.ts': `declare const vi: { importActual<T = Record<string, any>>(id: string): Promise<T>; mock(id: string, f?: unknown): void }
vi.mock('virtual:prompts', () => ({ prompts: { reply: { render: () => 'T' } } }))
const { prompts } = await vi.importActual<typeof import('virtual:prompts')>('virtual:prompts')
prompts.farewell.render({ name: 'A' })
// require('virtual:prompts')
`,
  'src/names.astro': `---\n${IMPORT}\nconst reply = 'prompts'\n---\n<p title={reply}>{values.prompts}{prompts.farewell.render({ name: reply }).text}</p>\n`,
  'src/mocked.test.js': `import { jest } from '@jest/globals'
describe('virtual:prompts', () => {})\njest.mock('virtual:prompts', () => ({ prompts: {} }))
jest.unstable_mockModule('virtual:prompts', () => ({ prompts: {} }))
`,
  'rollup.config.js': `export default { external: ['virtual:prompts', (id) => id.startsWith('virtual:prompts')] }\n`,
  'ignored/proxy.ts': `${IMPORT}\n${OLD}\n`,
  'dist/app.js.map': `{ "sourcesContent": ["${IMPORT}"] }\n`,
  'settings.yaml': `code: "${IMPORT}"\n`,
  'src/comment.marko': `// ${IMPORT}\n<!-- ${IMPORT} -->\n`,
  'src/modules.d.ts': `declare module 'virtual:prompts/other' { export const a: string }\n`,
  'docs.md': `${IMPORT}\n`,
  'ignored/build.js': `${IMPORT}\n${OLD}\n`,
  'src/console.d.ts': 'declare const console: { log(...data: any[]): void }\n',
  'src/lib/facade.ts': `export { prompts } from 'virtual:prompts'\n`,
  'src/view.tsx': `${IMPORT}\nexport const view = <p>{prompts.farewell.render({ name: '' }).text}</p>\n`,
  'src/star.js': `export * from 'virtual:prompts'\n`,
  'packages/other/prompts.lock.json': '{}\n',
  'packages/other/main.ts': `${IMPORT}\n${OLD}\n`,
  'packages/other/page.marko': `${IMPORT}\n${OLD}\n`,
}

/** Modules that pass `reply` on, and what code does with what they export. */
const WAYS: Readonly<Record<string, readonly [module: string, name: string, use: string]>> = {
  'a re-export': ['lib/facade', 'prompts', OLD],
  'a wrapper': ['lib/wrapper', 'ask', "ask({ ticket: 'T' })"],
  'a barrel': ['lib/barrel', 'ask', "ask({ ticket: 'T' })"],
  'a barrel of a re-export': ['lib/barrel', 'prompts', OLD],
  'a wrapper with names': ['lib/wrapper', 'named', "named('gone')"],
}

const MODULES = {
  'src/lib/wrapper.ts': `${IMPORT}
export const ask = (values: Parameters<typeof prompts.reply.render>[0]) => prompts.reply.render(values)
export const named = (slug: keyof typeof prompts) => prompts[slug].slug
`,
  'src/lib/barrel/index.ts': `export * from '../facade'\nexport * from '../wrapper'\n`,
}

/** One file of each kind, in and outside of the tsconfig, by a relative path and by an alias. */
const USERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(WAYS).flatMap(([way, [module, name, use]]) =>
    ['src/users', 'tools'].flatMap((folder) =>
      ['relative', 'paths', 'unknown'].flatMap((alias) => {
        const [up, ...rest] = folder === 'tools' ? ['../src/'] : ['../']
        const path = { relative: up, paths: '@/', unknown: '~other/' }[alias] ?? rest.join('')
        const load = `import { ${name} } from '${path}${module}'`
        const file = `${folder}/${way.replaceAll(' ', '-')}-${alias}`
        return [
          [`${file}.ts`, `${load}\n${use}\n`],
          [`${file}.vue`, `<script setup>${load}</script>\n<template>{{ ${use} }}</template>\n`],
          [`${file}.svelte`, `<script>${load}</script>\n{${use}}\n`],
          [`${file}.astro`, `---\n${load}\n---\n{${use}}\n`],
        ]
      }),
    ),
  ),
)

describe('a line that names prompts and that the compiler does not see with types', () => {
  test.each(Object.entries(NOT_CHECKED))('is not checked in %s', async (file, text) => {
    const line = text.split('§', 1).join().split('\n').length
    const { rows, findings } = await analysis()
    const ofReply = findings.filter((at) => at.file === file && at.slug === 'reply')
    expect(ofReply.map((at) => [at.line, at.kind])).toEqual([[line, 'not-checked']])
    const places = rows.find(({ slug }) => slug === 'reply')?.places ?? []
    expect(places.map((at) => `${at.file}:${at.line}`)).toContain(`${file}:${line}`)
  })

  test.each(Object.entries(BREAKING))(
    'stops compiling in %s, which has types',
    async (file, text) => {
      const line = text.split('§', 1).join().split('\n').length
      const { findings } = await analysis()
      const ofFile = findings.filter((at) => at.file === file)
      expect(ofFile.map((at) => [at.line, at.kind])).toEqual([[line, 'compile']])
    },
  )

  test.each(Object.keys(CHECKED))('is none in %s', async (file) => {
    const { findings } = await analysis()
    expect(findings.filter((at) => at.file === file)).toEqual([])
  })

  test.each(Object.keys(USERS))('or a broken one is in %s', async (file) => {
    const { findings } = await analysis()
    const slug = file.includes('names') ? 'gone' : 'reply'
    const slugs = findings.flatMap((at) => (at.file === file ? at.slug : []))
    expect(slugs).toContain(slug)
  })

  test('is never breaking, and --skip-breaking leaves the prompts that it names', async () => {
    const location = await app({
      'src/reply.astro': `---\n${IMPORT}\n---\n{${OLD}.text}{prompts.farewell.render(values).text}\n`,
      'src/gone.vue': `<script setup>${IMPORT}</script>\n<template>{{ prompts.gone.render() }}</template>\n`,
    })
    const { findings } = await findImpact({ ...location, before, after })
    const rows = changeRows(changes, { findings })
    expect(rows.map((row) => [row.slug, row.class])).toEqual([
      ['gone', 'contract'],
      ['reply', 'contract'],
      ['farewell', 'text'],
    ])
    const { left } = await findBreaking(before, changes, location)
    expect(left.map((row) => [row.change.slug, row.class, row.places.length])).toEqual([
      ['gone', 'contract', 1],
      ['reply', 'contract', 1],
    ])
  })

  test('keeps an addition from taking a name that it reads', async () => {
    const location = await app({
      'src/page.svelte': `<script>${IMPORT}</script>\n{prompts.supportReply.render().text}\n`,
    })
    const pinned = { slug: 'support-reply' }
    const [old, now] = [liveLock(pinned), liveLock(pinned, { slug: 'support_reply' })]
    const added = compareLocks(old, now)
    const { left } = await findBreaking(old, added, location)
    expect(left.map(({ slug }) => slug)).toEqual(['support_reply'])
  })

  test.each([
    ['virtual:prompts/staging', ['reply']],
    ['virtual:prompts', []],
  ])('of the view of %s needs its changes only', async (module, slugs) => {
    const location = await app({
      'src/page.vue': `<script setup>import { prompts } from '${module}'</script>\n<template>{{ ${OLD} }}</template>\n`,
      'src/page.marko': `import { prompts } from '${module}'\n`,
    })
    const live = [{ slug: 'reply', system: 'Answer {{ ticket }}' }]
    const [old, now] = ['ticket', 'message'].map((name) =>
      lockOf({
        live,
        staging: [{ slug: 'reply', version: 'v23', system: `{{ ${name} }} {{ a }}` }],
      }),
    )
    if (!old || !now) throw new Error('There are two locks')
    const staged = compareLocks(old, now)
    const { left } = await findBreaking(old, staged, location)
    expect(left.map(({ slug }) => slug)).toEqual(slugs)
  })

  test('is in an import of the outDir that does not resolve', async () => {
    const location = await app({
      'src/main.ts': `import { prompts } from '#prompts/staging'\n${OLD}\n`,
    })
    const outDir = `${location.root}/src/prompts`
    const { findings } = await findImpact({ ...location, outDir, before, after })
    expect(findings.map(({ slug, kind }) => [slug, kind])).toEqual([
      ['gone', 'not-checked'],
      ['reply', 'not-checked'],
    ])
  })

  test('is a use of what it names, or of every prompt', async () => {
    const named = { 'src/a.vue': `<script>${IMPORT}</script><template>{{ ${OLD} }}</template>` }
    const report = await findUsage({ ...(await app(named)), lock: before })
    expect([unusedIn(report), report.escapes]).toEqual([['farewell', 'gone'], []])
    const untyped = await app({ 'src/a.ts': "export const p = require('virtual:prompts')" })
    const { escapes: places } = await findUsage({ ...untyped, lock: before })
    expect(places).toMatchObject([{ file: 'src/a.ts', line: 1 }])
  })
})

describe('a file that git ignores', () => {
  const files = {
    'src/main.ts': `${IMPORT}\n${NEW}\n`,
    '.kit/proxy.ts': `${IMPORT}\n${OLD}\n`,
    'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", ".kit/proxy.ts"]'),
  }

  test('is no finding, but one line says that it stops compiling', async () => {
    const location = await app({ ...files, '.gitignore': '.kit\nnode_modules\n' })
    git(location.root, 'init', '-q')
    const { findings, ignored } = await findImpact({ ...location, before, after })
    expect([findings, ignored]).toEqual([[], ['.kit/proxy.ts']])
  })

  test.each([
    ['without git', undefined],
    ['in an app that git ignores as a whole', '*\n'],
  ])('is one like any other %s', async (_, rules) => {
    const location = await app({ ...files, ...(rules && { '.gitignore': rules }) })
    if (rules) git(location.root, 'init', '-q')
    const { findings } = await findImpact({ ...location, before, after })
    expect(findings.map(({ file }) => file)).toEqual(['.kit/proxy.ts'])
  })
})

test('no line is unchecked in the scripts of the examples of the documents, mocks included', async () => {
  const pages = readdirSync(DOCUMENTS, { recursive: true, encoding: 'utf8' })
  const files = pages
    .filter((page) => page.endsWith('.md'))
    .flatMap((page) => {
      const blocks = readFileSync(join(DOCUMENTS, page), 'utf8').matchAll(BLOCKS)
      return [...blocks].map(({ 1: type, 2: code = '' }, index) => [
        `src/${page.replaceAll('/', '-')}-${index}.${type}`,
        code,
      ])
    })
  expect(files.length).toBeGreaterThan(50)
  const triage = { slug: 'support-triage', system: 'Sort {{ ticket }} {{ tone }}' }
  const [old, now] = ['gpt-5.1', 'other'].map((model) => liveLock({ ...triage, model }))
  const location = await app(Object.fromEntries(files))
  const { findings } = await findImpact({ ...location, before: old, after: now ?? before })
  expect(findings.filter(({ kind }) => kind === 'not-checked')).toEqual([])
})

const DOCUMENTS = join(import.meta.dirname, '../../../src/docs')
const BLOCKS = /^```([jt]sx?|vue|svelte|astro|mdx|html)\n(.*?)^```/gms

const changes = compareLocks(before, after)

function app(files: Readonly<Record<string, string>>): ReturnType<typeof locatedApp> {
  return locatedApp({ 'tsconfig.json': APP_TSCONFIG, ...files })
}

let running: ReturnType<typeof analyse> | undefined

/** All files are in one app: a program for each would take ten times as long. */
function analysis(): ReturnType<typeof analyse> {
  return (running ??= analyse())
}

async function analyse(): Promise<Pick<ImpactReport, 'findings'> & { rows: readonly ChangeRow[] }> {
  const { compilerOptions } = JSON.parse(APP_TSCONFIG)
  compilerOptions.jsx = 'react-jsx'
  compilerOptions.paths = { '@/*': ['./src/*'] }
  const marked = Object.entries({ ...NOT_CHECKED, ...BREAKING })
  const location = await app({
    'tsconfig.json': JSON.stringify({
      compilerOptions,
      include: ['src', 'ignored/proxy.ts'],
    }),
    '.gitignore': 'ignored\nnode_modules\n',
    ...Object.fromEntries(marked.map(([file, text]) => [file, text.replace('§', '')])),
    ...CHECKED,
    ...MODULES,
    ...USERS,
  })
  git(location.root, 'init', '-q')
  const { findings } = await findImpact({ ...location, before, after })
  return { findings, rows: changeRows(changes, { findings }) }
}
