import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ChangeRow, changeRows } from '../../../src/core/change-row.ts'
import { compareLocks } from '../../../src/core/compare.ts'
import { skipBreaking } from '../../../src/features/pull/skip-breaking.ts'
import type { ImpactReport } from '../../../src/analysis/app/analyse-impact.ts'
import type { AppLocation } from '../../../src/analysis/app/app.ts'
import { findImpact, findUsage } from '../../../src/features/usage/impact.ts'
import { APP_TSCONFIG, appFolder, unusedIn } from '../../helpers/app-folder.ts'
import { git } from '../../helpers/git-repository.ts'
import { liveLock } from '../../helpers/pinned.ts'

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

/** Files with a use of `reply` that the compiler does not see with its types, each in the line with the mark. */
const UNPROVEN: Readonly<Record<string, string>> = {
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
  'src/identifier.ts': `§const id: string = 'virtual:prompts'\nconst { prompts } = await import(id)\n${OLD}\nexport {}\n`,
  'src/any.ts': `${IMPORT}\n§export const f = () => (prompts as any).reply.render({ ticket: 'T' })\n`,
  'src/one.ts': `${IMPORT}\n§export const f = () => (prompts.reply as any).render({ ticket: 'T' })\n`,
  'src/dictionary.ts': `${IMPORT}\n§export const f = () => (prompts as Record<string, any>).reply.render({ ticket: 'T' })\n`,
  'src/cast.js': `${IMPORT}\n§export const f = () => (/** @type {any} */ (prompts)).reply.render({ ticket: 'T' })\n`,
  'src/values.ts': `${IMPORT}\ndeclare const request: { readonly body: any }\n§export const f = () => prompts.reply.render(request.body)\n`,
  'src/spread.ts': `${IMPORT}\ndeclare const body: any\n§export const f = () => prompts.reply.render({ ...body, a: 1 })\n`,
  'src/adapter.ts': `import { prompts, toOpenAI } from 'virtual:prompts'\ndeclare const body: any\n§export const f = () => toOpenAI(prompts.reply, body)\n`,
  'src/dynamic.ts': `${IMPORT}\ndeclare const body: any\n§export const f = (key: keyof typeof prompts) => prompts[key].render(body)\n`,
  'src/wrapper.js': `${IMPORT}\nconst ask = (prompt, values) => prompt.render(values)\n§export const f = () => ask(prompts.reply, { ticket: 'T' })\n`,
  'src/second.js': `${IMPORT}\nconst ask = (client, prompt, values) => prompt.render(values)\n§export const f = () => ask('', prompts.reply, { ticket: 'T' })\n`,
  'src/any-key.js': `${IMPORT}\n§export const f = (key) => prompts[key].render({ ticket: 'T' })\n`,
  'src/parameter.js': `${IMPORT}\nexport function f(values) {\n§  return prompts.reply.render(values)\n}\n`,
  'src/of-alias.ts': `§import { prompts } from '$lib/facade'\n${OLD}\n`,
  'src/of-script.ts': `§import { prompts } from './star.js'\n${OLD}\n`,
  'outside/of-alias.ts': `§import { prompts } from '~lib/facade'\n${OLD}\n`,
  'outside/of-scope.ts': `§import { prompts } from '@app/facade'\n${OLD}\n`,
  'src/other.marko': `§${IMPORT}\n<p>\${${OLD}.text}</p>\n`,
}

/** Files whose use of `reply` breaks, each in the line with the mark. */
const BREAKING: Readonly<Record<string, string>> = {
  'src/build/script.js': `${IMPORT}\n§${OLD}\n`,
  '.storybook/preview.js': `${IMPORT}\n§${OLD}\n`,
  'inline.html': `<script type="module">${IMPORT}\n§${OLD}\n</script>\n`,
  'src/script.astro': `<script>\n${IMPORT}\n§console.log(${OLD})\n</script>\n`,
}

/** Files with no use, with a proven one, or of a prompt whose contract is the same. */
const PROVEN: Readonly<Record<string, string>> = {
  'src/new.astro': `---\n${IMPORT}\n---\n<p>{${NEW}.text} of prompts</p>\n<!-- {${OLD}} -->\n`,
  'src/new.svelte': `<script>${IMPORT}\nlet message = ''</script>\n{@html prompts.reply.render({ message }).text}\n<style>p { color: red }</style>\n`,
  'src/new.vue': `<script setup>${IMPORT}</script>\n<template><p :title="prompts['reply'].render({ message: a }).text">prompts.reply</p></template>\n`,
  'src/same.vue': `<script setup>${IMPORT}</script>\n<template>{{ prompts.farewell.render(values).text }}</template>\n`,
  'src/members.svelte': `<script>${IMPORT}; const tab = { title: 'Reply', prompt: prompts.reply, text: () => ${NEW}.text }</script>\n{tab.title}{tab.text()}{tab.prompt.render({ message }).text}\n`,
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
  'src/wrapper-of-new.js': `${IMPORT}\nconst ask = (prompt, values) => prompt.render(values)\nexport const f = () => ask(prompts.reply, { message: 'T' })\nconsole.log(prompts.reply)\n`,
  'src/type.ts': `${IMPORT}\ndeclare function make<T>(options: any): T\ndeclare const options: any\nexport const f = () => make<typeof prompts.reply>(options)\n`,
  'src/value.ts': `${IMPORT}\ndeclare const body: any\nexport const f = () => prompts.reply.render({ message: body.message })\n`,
  'src/modules.d.ts': `declare module 'virtual:prompts/other' { export const a: string }\n`,
  'docs.md': `${IMPORT}\n`,
  'ignored/build.js': `${IMPORT}\n${OLD}\n`,
  'src/console.d.ts': 'declare const console: { log(...data: any[]): void }\n',
  'src/lib/facade.ts': `export { prompts } from 'virtual:prompts'\n`,
  'src/view.tsx': `${IMPORT}\nexport const view = <p>{prompts.farewell.render({ name: '' }).text}</p>\n`,
  'src/star.js': `export * from 'virtual:prompts'\n`,
}

describe('a use that the compiler does not see with its types', () => {
  test.each(Object.entries(UNPROVEN))('is unproven in %s', async (file, text) => {
    const line = text.split('§', 1).join().split('\n').length
    const { rows, findings } = await analysis()
    const ofReply = findings.filter((at) => at.file === file && at.slug === 'reply')
    expect(ofReply.map((at) => [at.line, at.kind])).toEqual([[line, 'unproven']])
    const places = rows.find(({ slug }) => slug === 'reply')?.places ?? []
    expect(places.map((at) => `${at.file}:${at.line}`)).toContain(`${file}:${line}`)
  })

  test.each(Object.entries(BREAKING))('breaks in %s, where it has types', async (file, text) => {
    const line = text.split('§', 1).join().split('\n').length
    const { findings } = await analysis()
    const ofFile = findings.filter((at) => at.file === file)
    expect(ofFile.map((at) => [at.line, at.kind])).toEqual([[line, 'compile']])
  })

  test.each(Object.keys(PROVEN))('is none in %s', async (file) => {
    const { findings } = await analysis()
    expect(findings.filter((at) => at.file === file)).toEqual([])
  })

  test('is never breaking, and --skip-breaking leaves the prompts that it names', async () => {
    const location = await app({
      'src/reply.astro': `---\n${IMPORT}\n---\n{${OLD}.text}{prompts.farewell.render(values).text}\n`,
      'src/gone.vue': `<script setup>${IMPORT}</script>\n<template>{{ prompts.gone.render() }}</template>\n`,
    })
    const { findings } = await findImpact({ ...location, before, after })
    expect(findings.map(({ file, slug, kind }) => [file, slug, kind])).toEqual([
      ['src/gone.vue', 'gone', 'unproven'],
      ['src/reply.astro', 'reply', 'unproven'],
    ])
    const rows = changeRows(changes, { findings })
    expect(rows.map((row) => [row.slug, row.class])).toEqual([
      ['gone', 'contract'],
      ['reply', 'contract'],
      ['farewell', 'text'],
    ])
    const { skipped } = await skipBreaking({ before, changes }, location)
    expect(skipped.map((row) => [row.change.slug, row.class, row.places.length])).toEqual([
      ['gone', 'contract', 1],
      ['reply', 'contract', 1],
    ])
  })

  test('is none where variables stay the same, and none of a removed prompt that a key can not name', async () => {
    const location = await app({
      'src/key.ts': `${IMPORT}\nexport const f = (key: keyof typeof prompts, body: any) => prompts[key].render(body)\n`,
      'src/values.ts': `${IMPORT}\nexport const f = (body: any) => prompts.reply.render(body)\n`,
      'src/log.js': `${IMPORT}\nconst log = (prompt, more) => more\nexport const f = () => log(prompts.reply, { level: 1 })\n`,
      'src/spread.vue': `<script setup>${IMPORT}</script>\n<template>{{ prompts.reply.render({ ...a }) }}</template>\n`,
    })
    const other = liveLock(
      { slug: 'farewell', system: 'Bye {{ name }}' },
      { slug: 'reply', system: 'Answer {{ ticket }}', model: 'other', version: 'v23' },
    )
    expect((await findImpact({ ...location, before, after: other })).findings).toEqual([])
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

test('no use is unproven in the examples of the documents, mocks included', async () => {
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
  expect(findings.filter(({ kind }) => kind === 'unproven')).toEqual([])
})

const DOCUMENTS = join(import.meta.dirname, '../../../src/docs')
const BLOCKS = /^```([jt]sx?|vue|svelte|astro|mdx|html)\n(.*?)^```/gms

const changes = compareLocks(before, after)

async function app(files: Readonly<Record<string, string>>): Promise<AppLocation> {
  const root = await appFolder({ 'tsconfig.json': APP_TSCONFIG, ...files })
  return { root, dts: `${root}/prompts.d.ts` }
}

let running: ReturnType<typeof analyse> | undefined

/** All files are in one app: a program for each would take ten times as long. */
function analysis(): ReturnType<typeof analyse> {
  return (running ??= analyse())
}

async function analyse(): Promise<Pick<ImpactReport, 'findings'> & { rows: readonly ChangeRow[] }> {
  const { compilerOptions } = JSON.parse(APP_TSCONFIG)
  compilerOptions.jsx = 'react-jsx'
  const marked = Object.entries({ ...UNPROVEN, ...BREAKING })
  const location = await app({
    'tsconfig.json': JSON.stringify({
      compilerOptions,
      include: ['src'],
    }),
    '.gitignore': 'ignored\nnode_modules\n',
    ...Object.fromEntries(marked.map(([file, text]) => [file, text.replace('§', '')])),
    ...PROVEN,
  })
  git(location.root, 'init', '-q')
  const { findings } = await findImpact({ ...location, before, after })
  return { findings, rows: changeRows(changes, { findings }) }
}
