import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { printDeclarations } from '../../../src/codegen/declarations.ts'
import { planModule } from '../../../src/codegen/plan-module.ts'
import type { PinnedPrompt } from '../../../src/core/prompt.ts'
import type { ImpactReport } from '../../../src/judge/analyse-impact.ts'
import { findImpact } from '../../../src/judge/impact.ts'
import {
  APP_TSCONFIG,
  linesOf,
  locatedApp,
  locationIn,
  markedLines,
} from '../../helpers/app-folder.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { rejection } from '../../helpers/service-client.ts'

const before = liveLock(
  { slug: 'farewell', system: 'Bye' },
  { slug: 'greeting', system: 'Hello {{ name }}' },
  { slug: 'plain', system: 'Hello' },
  { slug: 'reply', system: 'Answer {{ ticket }} for {{ customer }}' },
  { slug: 'support-triage', system: 'Sort {{ ticket }}' },
)

/** One of each: a removed prompt, a renamed and a removed variable, an added one; `plain` stays. */
const after = liveLock(
  { slug: 'greeting', system: 'Hello {{ customer_name }}', version: 'v23' },
  { slug: 'plain', system: 'Hello there', version: 'v23', model: 'gpt-6' },
  { slug: 'reply', system: 'Answer {{ ticket }}', version: 'v23' },
  { slug: 'support-triage', system: 'Sort {{ ticket }} in a {{ tone }} tone', version: 'v23' },
)

const IMPORT = `import { prompts } from 'virtual:prompts'\n`
const CALL = `supportTriage.render({ ticket: 'T' }) // breaks: support-triage\n`

const everyForm = {
  'src/dot.ts': `import { prompts } from 'virtual:prompts'
const ticket = 'T'
export const a = prompts.supportTriage.render({ ticket }) // breaks: support-triage
export const b = prompts.plain.render()
export const c = prompts.greeting.render({
  name: 'A', // breaks: greeting
})
export const d = prompts.farewell.render() // breaks: farewell
export const e = prompts.reply.render({ ticket, customer: 'A' }) // breaks: reply
const variables = { ticket, customer: 'A' }
export const f = prompts.reply.render(variables)
export const g: 'gpt-5' = prompts.plain.model // breaks: plain
export const h = prompts.nothing.render()
`,
  'src/spread.ts': `import { prompts } from 'virtual:prompts'
const NAMES = { name: 'A', tool: 'search' }
prompts.greeting.render({ ...NAMES }) // breaks: greeting
`,
  'src/bracket.ts': `import { prompts } from 'virtual:prompts'
prompts['support-triage'].render({ ticket: 'T' }) // breaks: support-triage
prompts['farewell'].render() // breaks: farewell
`,
  'src/destructuring.ts': `import { prompts } from 'virtual:prompts'
const { supportTriage, greeting: hello } = prompts
supportTriage.render({ ticket: 'T' }) // breaks: support-triage
hello.render({ name: 'A' }) // breaks: greeting
const { farewell } = prompts // breaks: farewell
const { render } = prompts['support-triage']
render({ ticket: 'T' }) // breaks: support-triage
export { farewell }
`,
  'src/alias.ts': `import { prompts as all } from 'virtual:prompts'
const alias = all
const triage = alias.supportTriage
export const text = triage.render({ ticket: 'T' }).text // breaks: support-triage
`,
  'src/namespace.ts': `import * as all from 'virtual:prompts/all'
all.supportTriage.render({ ticket: 'T' }) // breaks: support-triage
`,
  'src/facade.ts': `export { prompts, toOpenAI as openai } from 'virtual:prompts'
import { prompts } from 'virtual:prompts'
export const triage = prompts.supportTriage
export type TriageVariables = Parameters<typeof triage.render>[0]
`,
  'src/behind-facade.ts': `import { prompts as pinned, triage, openai } from './facade.ts'
import type { TriageVariables } from './facade.ts'
pinned.supportTriage.render({ ticket: 'T' }) // breaks: support-triage
triage.render({ ticket: 'T' }) // breaks: support-triage
openai(triage, { ticket: 'T' }) // breaks: support-triage
export const given: TriageVariables = { ticket: 'T' } // breaks: support-triage
`,
  'src/adapters.ts': `import { prompts, toAISDK, toAnthropic, toOpenAI } from 'virtual:prompts'
toOpenAI(prompts.supportTriage, { ticket: 'T' }) // breaks: support-triage
toAnthropic(prompts.plain)
toAISDK(
  prompts.greeting,
  { name: 'A' }, // breaks: greeting
)
`,
  'src/argument.ts': `import { prompts, type PromptValue } from 'virtual:prompts'
function ask(prompt: { readonly render: (values: { ticket: PromptValue }) => unknown }) {
  return prompt.render({ ticket: 'T' })
}
ask(prompts.supportTriage) // breaks: support-triage
ask(prompts['support-triage']) // breaks: support-triage
`,
  'src/view.tsx': `import { prompts } from 'virtual:prompts'
declare namespace JSX { interface IntrinsicElements { p: { title: string } } }
export const view = <p title={prompts.supportTriage.render({ ticket: 'T' }).text} /> // breaks: support-triage
`,
  'src/dynamic.ts': `export async function load() {
  const { prompts } = await import('virtual:prompts')
  return prompts.supportTriage.render({ ticket: 'T' }) // breaks: support-triage
}
`,
  'src/unrelated.ts': `export const wrong: number = 'text'\n`,
  'scripts/excluded.mjs': `import { triage } from '../src/facade.ts'
triage.render({ ticket: 'T' }) // breaks: support-triage
`,
  'src/global.d.ts': `declare const globally: import('virtual:prompts').Prompts\n`,
  'src/imports-nothing.ts': `export const x = globally.${CALL}`,
  'src/App.vue': `<template>\r
  <p title="größe 😀">{{ text }}</p>
</template>
<script lang="ts">${IMPORT}export const triage = (_: unknown) =>
  prompts.${CALL}</script>
<style>p { color: red }</style>
<script setup lang="ts">
const text = prompts.${CALL}</script>
`,
  'src/of-component.ts': `import App, { triage } from './App.vue'\ntriage(App)\n`,
  'src/plain.vue': `<script>\n${IMPORT}export default () => prompts.${CALL}</script>\n`,
  'src/view.vue': `<script lang="tsx">\n${IMPORT}export default () => <p>{
  prompts.${CALL}}</p>
</script>
`,
  'src/Page.svelte': `<script module>let unset</script>
<script lang="ts">
  ${IMPORT}  const view = $derived(
    prompts.${CALL}  )
</script>
{@html view}
`,
  'src/page.astro': `---\n${IMPORT}const view = prompts.${CALL}---\n<p>{view}</p>\n---\nprompts.none.render()\n---\n`,
  'lib/outside.vue': `<script setup lang="ts">\n${IMPORT}prompts.${CALL}</script>\n`,
  'src/whole.ts': `// @ts-nocheck\n${IMPORT}export const x =\n  prompts.${CALL}`,
  'src/line.ts': `${IMPORT}export const x =\n  // @ts-ignore\n  prompts.${CALL}`,
  'src/script.js': `// @ts-nocheck\n${IMPORT}prompts.${CALL}`,
  'src/checked.js': `// @ts-check\n${IMPORT}prompts.${CALL}`,
  'src/unexpected.ts': `${IMPORT}// @ts-expect-error // breaks: null
prompts.greeting.render({ customer_name: '' })
`,
}

const plainJs = {
  'src/main.js': `import { prompts, toOpenAI } from 'virtual:prompts'
const ticket = 'T'
prompts.supportTriage.render({ ticket }) // breaks: support-triage
prompts.supportTriage.render({ ticket, tone: 'calm' })
prompts['farewell'].render() // breaks: farewell
toOpenAI(prompts.supportTriage, { ticket }) // breaks: support-triage
const variables = { ticket }
prompts.supportTriage.render(variables) // breaks: support-triage
export const { plain } = prompts
`,
  'src/behind.js': `import { plain } from './main.js'
plain.render()
`,
  'src/common.cjs': `const { prompts } = require('virtual:prompts')
prompts.supportTriage.render({ ticket: 'T' }) // breaks: support-triage
`,
}

describe('impact of incoming prompts', () => {
  test('is found in every form of call with a reason, and nowhere else, and writes nothing', async () => {
    const files = { 'tsconfig.json': APP_TSCONFIG, ...everyForm }
    const location = await locatedApp(files)
    const old = await listing(location.root)
    const report = await findImpact({ ...location, before, after })
    expect(await listing(location.root)).toEqual(old)
    expect(linesOf(report)).toEqual(markedLines(files, 'breaks'))
    const ofDot = report.findings.filter(({ file }) => file === 'src/dot.ts')
    expect(ofDot.map((at) => `${at.line}:${at.column} ${at.kind} ${at.reason}`)).toEqual([
      '3:47 compile `render` needs `tone`, added in v23',
      '6:3 compile `render` needs `customer_name`, probably renamed from `name` in v23',
      '8:26 compile `farewell` was removed',
      '9:49 compile `render` no longer takes `customer`, removed in v23',
      '12:14 compile `model` is no longer gpt-5: it is gpt-6',
    ])
  })

  test('has each reason if TypeScript reports a property too many and no missing one', async () => {
    const old = { system: '{{ tone }}', user: '{{ ticket }}' }
    const now = { system: 'In {{ language }}, {{ tone }}: {{ length }}', user: '{{ message }}' }
    expect(await reasonsOf("{ ticket: 'T', tone: 'calm' }", old, now)).toEqual([
      [
        '`render` needs `language`, added in v23',
        '`render` needs `length`, added in v23',
        '`render` needs `message`, added in v23',
        '`render` no longer takes `ticket`, removed in v23',
      ].join('; '),
    ])
  })

  test.each([
    ['ticket', 'issue', "{ ticket: 'T' }", 'needs `issue`, probably renamed from `ticket`'],
    [
      'ticket',
      'issue',
      "{ ticket: 'T', issue: 'T' }",
      'no longer takes `ticket`, probably renamed to `issue`',
    ],
    [
      'issue',
      'ticket',
      "{ ticket: 'T', issue: 'T' }",
      'no longer takes `issue`, probably renamed to `ticket`',
    ],
    ['ticket', 'ticket }} {{ tone', "{ ticket: 'T' }", 'needs `tone`, added'],
    ['ticket }} {{ tone', 'tone', "{ ticket: 'T', tone: '' }", 'no longer takes `ticket`, removed'],
  ])(
    'is told by what a call passes: of %s, then %s, for %s it %s',
    async (old, now, values, reason) => {
      const texts = [old, now].map((name) => ({ system: `Sort {{ ${name} }}` }))
      expect(await reasonsOf(values, ...texts)).toEqual([`\`render\` ${reason} in v23`])
    },
  )

  test('is empty if nothing changed, without analysing the app', async () => {
    const report = await findImpact({ ...locationIn('/nowhere'), before, after: before })
    expect(report).toEqual({ findings: [], files: 0, ignored: [], strays: [], used: [] })
  })

  test('is found in JavaScript without a tsconfig, by the arguments of render', async () => {
    const report = await impactOn(plainJs)
    expect(linesOf(report)).toEqual(markedLines(plainJs, 'breaks'))
  })

  test('is found where the tsconfig turns the check off', async () => {
    const files = {
      'tsconfig.json': APP_TSCONFIG.replace('"strict"', '"noCheck":true,"strict"'),
      'src/main.ts': `${IMPORT}prompts.${CALL}`,
    }
    expect(linesOf(await impactOn(files))).toEqual(markedLines(files, 'breaks'))
  })

  test('is found in declarations of the app, which TypeScript checks without skipLibCheck', async () => {
    const files = {
      'tsconfig.json': APP_TSCONFIG.replace('"skipLibCheck":true', '"skipLibCheck":false'),
      'src/types.d.ts': `export type T = import('virtual:prompts').Prompts['farewell'] // breaks: farewell\n`,
      'src/common.d.cts': `import type { Prompts } from 'virtual:prompts'
export type T = ReturnType<Prompts['farewell']['render']> // breaks: farewell
`,
      'src/main.ts': `export type { T } from './types.js'\nexport type { T as C } from './common.cjs'\n`,
    }
    expect(linesOf(await impactOn(files))).toEqual(markedLines(files, 'breaks'))
  })

  test('follows extends and project references, without building them', async () => {
    const files = {
      'tsconfig.json': JSON.stringify({
        files: [],
        references: [{ path: 'app' }, { path: 'lib' }],
      }),
      'tsconfig.base.json': JSON.stringify({
        compilerOptions: {
          ...JSON.parse(APP_TSCONFIG).compilerOptions,
          noEmit: false,
          composite: true,
        },
      }),
      'app/tsconfig.json': JSON.stringify({
        extends: '../tsconfig.base.json',
        compilerOptions: { outDir: 'dist', paths: { '#lib': ['../lib/dist/index.d.ts'] } },
        references: [{ path: '../lib' }],
        include: ['src'],
      }),
      'app/src/main.ts': `import { ask, prompts } from '#lib'
ask(prompts.supportTriage)
prompts.supportTriage.render({ ticket: 'T' }) // breaks: support-triage
`,
      'lib/tsconfig.json': JSON.stringify({
        extends: '../tsconfig.base.json',
        compilerOptions: { outDir: 'dist', rootDir: 'src' },
        include: ['src'],
      }),
      'lib/src/index.ts': `import { prompts } from 'virtual:prompts'
export { prompts }
export function ask(prompt: typeof prompts.supportTriage) {
  return prompt.render({ ticket: 'T' }) // breaks: support-triage
}
`,
    }
    expect(linesOf(await impactOn(files))).toEqual(markedLines(files, 'breaks'))
  })
})

describe('declarations besides those of the option', () => {
  const use = { 'src/main.ts': `${IMPORT}prompts.${CALL}` }
  const formerly = printDeclarations(planModule(before, 'live'), 'prompts')

  test.each([
    ['generated at a former place', formerly],
    ['written by hand', `declare module 'virtual:prompts'\n`],
  ])('are named if they were %s', async (_, text) => {
    const files = { 'tsconfig.json': APP_TSCONFIG, 'src/a.d.ts': text, ...use }
    const location = await locatedApp(files)
    const error = await rejection(findImpact({ ...location, before, after }))
    const details = { path: join(location.root, 'src/a.d.ts'), replaces: 'virtual:prompts' }
    expect(error).toMatchObject({ code: 'TYPES_NOT_FOUND', details })
  })

  test('are those of the update if they are of another app of the lock', async () => {
    const files = { 'tsconfig.json': APP_TSCONFIG, 'src/b/prompts.d.ts': formerly, ...use }
    const location = await locatedApp(files)
    const { lockPath } = location
    const other = { ...locationIn(join(location.root, 'src/b')), lockPath }
    const report = await findImpact({ ...location, others: [other], before, after })
    expect(linesOf(report)).toEqual(markedLines(files, 'breaks'))
  })
})

async function impactOn(files: Readonly<Record<string, string>>): Promise<ImpactReport> {
  return findImpact({ ...(await locatedApp(files)), before, after })
}

/** Why a call of a prompt with these values breaks between two texts. */
async function reasonsOf(
  values: string,
  ...[old, now]: readonly Partial<PinnedPrompt>[]
): Promise<string[]> {
  const location = await locatedApp({
    'tsconfig.json': APP_TSCONFIG,
    'src/main.ts': `${IMPORT}prompts.triage.render(${values})\n`,
  })
  const { findings } = await findImpact({
    ...location,
    before: liveLock({ slug: 'triage', ...old }),
    after: liveLock({ slug: 'triage', version: 'v23', ...now }),
  })
  return findings.map(({ reason }) => reason)
}

async function listing(root: string): Promise<string[]> {
  const paths = await readdir(root, { recursive: true })
  return Promise.all(paths.map(async (path) => `${path} ${(await stat(join(root, path))).mtimeMs}`))
}
