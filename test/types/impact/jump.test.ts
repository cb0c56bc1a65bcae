import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { locateParts } from '../../../src/core/lock/lock-lines.ts'
import { planModule } from '../../../src/codegen/plan-module.ts'
import { printDeclarationMap } from '../../../src/codegen/print-declaration-map.ts'
import { printDeclarations, sourceMapComment } from '../../../src/codegen/declarations.ts'
import { APP_TSCONFIG, appFolder } from '../../helpers/app-folder.ts'
import { LANGUAGE_SERVERS } from '../../helpers/language-server.ts'
import { lockOf, lockText } from '../../helpers/pinned.ts'

const lock = lockOf({
  live: [
    { slug: '', system: 'Hello' },
    { slug: 'greeting', system: 'Hello {{ name }}\nreadonly "support-triage": Prompt<' },
    { slug: 'odd "name"', system: 'Hello' },
    { slug: 'support-triage', system: 'Sort {{ ticket }}\n\nas "slug": "greeting",\n' },
  ],
  staging: [{ slug: 'greeting', version: 'v23', system: 'Hi {{ name }}' }],
})

const app = `import * as all from 'virtual:prompts/all'; import { prompts } from 'virtual:prompts'
prompts.supportTriage.render({ ticket: 'T' })
prompts['support-triage'].slug
prompts['odd "name"'].slug
prompts.greeting.slug
all.greeting.slug
import { prompts as staging } from 'virtual:prompts/staging'
staging.greeting.slug
staging.supportTriage.slug
`

const text = lockText(lock)
const lineOf = (slug: string): number =>
  text.split('\n').indexOf(`      "slug": ${JSON.stringify(slug)},`) + 1

interface Jump {
  readonly given: string
  readonly at: [line: number, column: number]
  readonly want: string
}

const jumps: Jump[] = [
  { given: 'prompts.supportTriage', at: [2, 10], want: 'support-triage' },
  { given: "prompts['support-triage']", at: [3, 12], want: 'support-triage' },
  { given: `prompts['odd "name"']`, at: [4, 12], want: 'odd "name"' },
  { given: 'prompts.greeting', at: [5, 10], want: 'greeting' },
  { given: 'all.greeting', at: [6, 6], want: 'greeting' },
  { given: 'staging.greeting', at: [8, 10], want: 'greeting' },
  { given: 'staging.supportTriage', at: [9, 10], want: 'support-triage' },
]

describe.each(Object.entries(LANGUAGE_SERVERS))('go-to-definition in %s', (_, start) => {
  test('lands on the prompt in the lock, and stays in the declarations for anything else', async () => {
    const root = await writeApp()
    const server = await start()
    onTestFinished(() => server.close())
    const file = join(root, 'src/main.ts')
    server.open(file, app)
    for (const { given, at, want } of jumps) {
      const [line, column] = at
      const found = await server.definition({ file, line, column })
      const place = { file: join(root, 'prompts.lock.json'), line: lineOf(want), column: 15 }
      expect({ given, found }).toEqual({ given, found: [place] })
    }
    const [other] = await server.definition({ file, line: 2, column: 1 })
    expect(other?.file).toBe(join(root, 'prompts.d.ts'))
  })
})

async function writeApp(): Promise<string> {
  const plan = planModule(lock, 'live')
  const declarations = printDeclarations(plan) + sourceMapComment('prompts.d.ts')
  const source = { plan, path: 'prompts.lock.json', lineOf: locateParts(text) }
  return appFolder({
    'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
    'prompts.lock.json': text,
    'prompts.d.ts': declarations,
    'prompts.d.ts.map': printDeclarationMap(declarations, 'prompts.d.ts', source),
    'src/main.ts': app,
  })
}
