import { describe, expect, test } from 'vitest'
import { printDeclarations } from '../../../src/codegen/declarations.ts'
import { planModule } from '../../../src/codegen/plan-module.ts'
import type { UsageReport } from '../../../src/judge/analyse-usage.ts'
import { findUsage } from '../../../src/judge/impact.ts'
import { APP_TSCONFIG, locatedApp, markedLines, unusedIn } from '../../helpers/app-folder.ts'
import { liveLock } from '../../helpers/pinned.ts'

const lock = liveLock(
  { slug: 'greeting', system: 'Hello {{ name }}' },
  { slug: 'idle', system: 'Nobody reads this' },
  { slug: 'plain', system: 'Hello' },
  { slug: 'support-triage', system: 'Sort {{ ticket }}' },
)

const CALL = `import { prompts } from 'virtual:prompts'\nprompts.plain.render() // uses: plain\n`

const everyForm = {
  'tsconfig.json': APP_TSCONFIG,
  'src/forms.ts': `import { prompts, toOpenAI as openai } from 'virtual:prompts'
import type { Prompts } from 'virtual:prompts'
import * as all from 'virtual:prompts/all'
import { plain as simple } from 'virtual:prompts/all'
prompts.supportTriage.render({ ticket: 'T' }) // uses: support-triage
prompts['support-triage'].version // uses: support-triage
all.plain.render() // uses: plain
simple.render() // uses: plain
openai(prompts.greeting, { name: 'A' }) // uses: greeting
const { greeting: hello } = prompts // uses: greeting
hello.render({ name: 'A' }) // uses: greeting
export const triage = prompts.supportTriage // uses: support-triage
const { render } = prompts.plain // uses: plain
render()
export type Triage = typeof prompts.supportTriage // uses: support-triage
export type Plain = Prompts['plain'] // uses: plain
export const list = [triage] // uses: support-triage
export const table = { triage } // uses: support-triage
`,
  'src/facade.ts': `export { prompts } from 'virtual:prompts'\nexport { triage } from './forms.ts'\n`,
  'src/behind.tsx': `import { prompts as pinned, triage } from './facade.ts'
declare namespace JSX { interface IntrinsicElements { p: { title: string } } }
export const view = <p title={triage.render({ ticket: 'T' }).text} /> // uses: support-triage
export const either = (loud: boolean) => (loud ? pinned.plain : pinned.plain) // uses: plain
export const keyed = (key: 'plain' | 'greeting') => pinned[key].slug // uses: plain
`,
  'src/of-another-workspace.ts': `import { prompts } from 'virtual:other'\nprompts.idle.render()\n`,
  'src/of-both-workspaces.ts': `import { prompts as other } from 'virtual:other'\n${CALL}other.idle.render()\n`,
  'src/other.d.ts': printDeclarations(planModule(lock, 'live'), 'other'),
  'src/page.astro': `---\n${CALL}---\n`,
  'src/store.svelte.ts': CALL,
  'src/table.svelte': `<script lang="ts">\n${CALL}</script>\n`,
  'src/table.svelte.ts': CALL,
  'src/View.vue': `<script setup lang="tsx">\n${CALL}</script>\n`,
}

describe('usage of prompts', () => {
  test('is found in every form and file, with what is unused', async () => {
    const report = await usageOf(everyForm)
    const { prompts, escapes } = report
    const found = prompts.flatMap(({ sites }) =>
      sites.map(({ file, line, slug }) => `${file}:${line} ${slug}`),
    )
    const twice = ['src/behind.tsx:4 plain', 'src/behind.tsx:5 greeting']
    expect(found.toSorted()).toEqual([...markedLines(everyForm, 'uses'), ...twice].toSorted())
    expect(escapes).toEqual([])
    expect(unusedIn(report)).toEqual(['idle'])
  })

  test('shows the expression in the first line of a file with a byte order mark', async () => {
    const { prompts } = await usageOf({
      'tsconfig.json': APP_TSCONFIG,
      'src/main.ts': `\ufeffimport { prompts } from 'virtual:prompts'; prompts.plain.render()\n`,
    })
    const marked = prompts.flatMap(({ sites }) =>
      sites.map(({ code }) => code?.text.slice(code.start, code.start + code.length)),
    )
    expect(marked).toEqual(['plain.render'])
  })

  test('reports where all prompts are passed on together, so any may be used', async () => {
    const files = {
      'tsconfig.json': APP_TSCONFIG,
      'src/main.ts': `import { prompts } from 'virtual:prompts'
import type { Prompts } from 'virtual:prompts'
Object.values(prompts) // escapes: here
export const copy = { ...prompts } // escapes: here
export const { plain, ...rest } = prompts // escapes: here
for (const name in prompts) console.log(name) // escapes: here
export const pick = (key: keyof Prompts) => prompts[key] // escapes: here
export const alias = prompts
export const typed = (given: Prompts) => given.plain
typed(prompts)
declare function untyped(given: any): void
untyped(prompts) // escapes: here
`,
      'scripts/try.js': `import { prompts } from 'virtual:prompts'
export const pick = (key) => prompts[key].render({}) // escapes: here
`,
    }
    const { escapes } = await usageOf(files)
    expect(escapes.map(({ file, line }) => `${file}:${line} here`).toSorted()).toEqual(
      markedLines(files, 'escapes'),
    )
  })
})

async function usageOf(files: Readonly<Record<string, string>>): Promise<UsageReport> {
  return findUsage({ ...(await locatedApp(files)), lock })
}
