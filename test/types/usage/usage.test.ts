import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { printDeclarations } from '../../../src/codegen/declarations.ts'
import { planModule } from '../../../src/codegen/plan-module.ts'
import type { UsageReport } from '../../../src/analysis/app/analyse-usage.ts'
import { findUsage } from '../../../src/features/usage/usage.ts'
import { APP_TSCONFIG, appFolder, markedLines } from '../../helpers/app-folder.ts'
import { liveLock } from '../../helpers/pinned.ts'

const lock = liveLock(
  { slug: 'greeting', system: 'Hello {{ name }}' },
  { slug: 'idle', system: 'Nobody reads this' },
  { slug: 'plain', system: 'Hello' },
  { slug: 'support-triage', system: 'Sort {{ ticket }}' },
)

const everyForm = {
  'tsconfig.json': APP_TSCONFIG,
  'src/forms.ts': `import { prompts, toOpenAI as openai } from 'virtual:prompts'
import type { Prompts } from 'virtual:prompts'
import * as all from 'virtual:prompts/all'
import { plain as simple } from 'virtual:prompts/all'
prompts.supportTriage.render({ ticket: 'T' }) // uses: support-triage render
prompts['support-triage'].version // uses: support-triage field
all.plain.render() // uses: plain render
simple.render() // uses: plain render
openai(prompts.greeting, { name: 'A' }) // uses: greeting argument
const { greeting: hello } = prompts // uses: greeting value
hello.render({ name: 'A' }) // uses: greeting render
export const triage = prompts.supportTriage // uses: support-triage value
const { render } = prompts.plain // uses: plain value
render()
export type Triage = typeof prompts.supportTriage // uses: support-triage type
export type Plain = Prompts['plain'] // uses: plain type
export const list = [triage] // uses: support-triage value
export const table = { triage } // uses: support-triage value
`,
  'src/facade.ts': `export { prompts } from 'virtual:prompts'\nexport { triage } from './forms.ts'\n`,
  'src/behind.tsx': `import { prompts as pinned, triage } from './facade.ts'
declare namespace JSX { interface IntrinsicElements { p: { title: string } } }
export const view = <p title={triage.render({ ticket: 'T' }).text} /> // uses: support-triage render
export const either = (loud: boolean) => (loud ? pinned.plain : pinned.plain) // uses: plain value
export const keyed = (key: 'plain' | 'greeting') => pinned[key].slug // uses: plain field
`,
}

describe('usage of prompts', () => {
  test('is found in every form, through aliases and re-exports', async () => {
    const { prompts, escapes } = await usageOf(everyForm)
    const found = prompts.flatMap(({ sites }) =>
      sites.map(({ file, line, slug, kind }) => `${file}:${line} ${slug} ${kind}`),
    )
    const twice = ['src/behind.tsx:4 plain value', 'src/behind.tsx:5 greeting field']
    expect(found.toSorted()).toEqual([...markedLines(everyForm, 'uses'), ...twice].toSorted())
    expect(escapes).toEqual([])
  })

  test('of another workspace does not count for a prompt with the same slug', async () => {
    const { unused } = await usageOf({
      'tsconfig.json': APP_TSCONFIG,
      'src/other.d.ts': printDeclarations(planModule(lock), 'other'),
      'src/main.ts': `import { prompts } from 'virtual:prompts'
import { prompts as others } from 'virtual:other'
prompts.plain.render()
others.idle.render()
`,
    })
    expect(unused).toEqual(['greeting', 'idle', 'support-triage'])
  })

  test('reports unused prompts and the reads they cost', async () => {
    const { unused, reads } = await usageOf(everyForm)
    expect({ unused, reads }).toEqual({ unused: ['idle'], reads: { unused: 1, total: 4 } })
  })

  test('is found in the scripts of components, with those reachable from client code', async () => {
    const call = `import { prompts } from 'virtual:prompts'\nprompts.plain.render()\n`
    const { unused, prompts, client } = await usageOf({
      'tsconfig.json': APP_TSCONFIG,
      'index.html': '<script type="module" src="/src/main.ts"></script>',
      'src/main.ts': `import './View.vue'\n`,
      'src/View.vue': `<script setup lang="tsx">\n${call}</script>\n`,
      'src/page.astro': `---\n${call}---\n`,
    })
    const sites = prompts.flatMap((prompt) => prompt.sites)
    expect(sites.map(({ file, line }) => [file, line])).toEqual([
      ['src/View.vue', 3],
      ['src/page.astro', 3],
    ])
    expect(client.map(({ file, client: chain }) => [file, chain])).toEqual([
      ['src/View.vue', ['src/main.ts', 'src/View.vue']],
    ])
    expect(unused).not.toContain('plain')
  })

  test('is found in a module of Svelte, also next to the component of its name', async () => {
    const call = `import { prompts } from 'virtual:prompts'\nprompts.plain.render()\n`
    const { prompts } = await usageOf({
      'tsconfig.json': APP_TSCONFIG,
      'src/store.svelte.ts': call,
      'src/table.svelte': `<script lang="ts">\n${call}</script>\n`,
      'src/table.svelte.ts': call,
    })
    const sites = prompts.flatMap((prompt) => prompt.sites)
    expect(sites.map(({ file, line }) => [file, line])).toEqual([
      ['src/store.svelte.ts', 2],
      ['src/table.svelte', 3],
      ['src/table.svelte.ts', 2],
    ])
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

  test('marks what is reachable from client code', async () => {
    const files = {
      'tsconfig.json': APP_TSCONFIG,
      'index.html': '<script type="module" src="/src/main.ts"></script>',
      'src/main.ts': `import './shared.ts'\nimport type { Data } from './api.server.ts'\nimport './api.server.ts'\nexport type { Data }\n`,
      'src/shared.ts': `import { prompts } from 'virtual:prompts'\nexport const x = prompts.plain.slug\n`,
      'src/api.server.ts': `import { prompts } from 'virtual:prompts'\nexport type Data = string\nexport const x = prompts.greeting.slug\n`,
      'src/button.tsx': `'use client'\nimport { prompts } from 'virtual:prompts'\nexport const x = prompts.supportTriage.slug\n`,
    }
    const { client } = await usageOf(files)
    expect(client.map(({ slug, client: chain }) => ({ slug, chain }))).toEqual([
      { slug: 'support-triage', chain: ['src/button.tsx'] },
      { slug: 'plain', chain: ['src/main.ts', 'src/shared.ts'] },
    ])
  })
})

async function usageOf(files: Readonly<Record<string, string>>): Promise<UsageReport> {
  const root = await appFolder(files)
  return findUsage({ root, dts: join(root, 'prompts.d.ts'), lock })
}
