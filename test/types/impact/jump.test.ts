import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { printLock } from '../../../src/core/lock/print-lock.ts'
import { locateEntries } from '../../../src/core/lock/lock-lines.ts'
import { planModule } from '../../../src/codegen/plan-module.ts'
import { printDeclarationMap } from '../../../src/codegen/print-declaration-map.ts'
import { printDeclarations, sourceMapComment } from '../../../src/codegen/declarations.ts'
import { sha256 } from '../../../src/fs/files.ts'
import { APP_TSCONFIG, appFolder } from '../../helpers/app-folder.ts'
import { LANGUAGE_SERVERS } from '../../helpers/language-server.ts'
import { liveLock, testLock } from '../../helpers/pinned.ts'

const lock = liveLock(
  { slug: '', system: 'Hello' },
  { slug: 'greeting', system: 'Hello {{ name }}\nreadonly "support-triage": Prompt<' },
  { slug: 'odd "name"', system: 'Hello' },
  { slug: 'support-triage', system: 'Sort {{ ticket }}\n\nas "slug": "greeting",\n' },
)

const staging = testLock(
  { slug: 'greeting', system: 'Hi {{ name }}' },
  ...lock.prompts.filter(({ slug }) => slug === 'support-triage'),
)

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

const lockText = printLock(lock, sha256)
const stagingText = printLock(staging, sha256)
const lineOf = (slug: string, text: string): number =>
  text.split('\n').indexOf(`      "slug": ${JSON.stringify(slug)},`) + 1

interface Jump {
  readonly given: string
  readonly at: [line: number, column: number]
  readonly want: string
  readonly isStaging?: boolean
}

const jumps: Jump[] = [
  { given: 'prompts.supportTriage', at: [2, 10], want: 'support-triage' },
  { given: "prompts['support-triage']", at: [3, 12], want: 'support-triage' },
  { given: `prompts['odd "name"']`, at: [4, 12], want: 'odd "name"' },
  { given: 'prompts.greeting', at: [5, 10], want: 'greeting' },
  { given: 'all.greeting', at: [6, 6], want: 'greeting' },
  { given: 'staging.greeting', at: [8, 10], want: 'greeting', isStaging: true },
  { given: 'staging.supportTriage', at: [9, 10], want: 'support-triage', isStaging: true },
]

describe.each(Object.entries(LANGUAGE_SERVERS))('go-to-definition in %s', (_, start) => {
  test('lands on the prompt in the lock, and stays in the declarations for anything else', async () => {
    const root = await writeApp()
    const server = await start()
    onTestFinished(() => server.close())
    const file = join(root, 'src/main.ts')
    server.open(file, app)
    for (const { given, at, want, isStaging = false } of jumps) {
      const [line, column] = at
      const found = await server.definition({ file, line, column })
      const [name, text] = isStaging
        ? ['prompts.test.lock.json', stagingText]
        : ['prompts.lock.json', lockText]
      const place = { file: join(root, name), line: lineOf(want, text), column: 15 }
      expect({ given, found }).toEqual({ given, found: [place] })
    }
    const [other] = await server.definition({ file, line: 2, column: 1 })
    expect(other?.file).toBe(join(root, 'prompts.d.ts'))
  })
})

async function writeApp(): Promise<string> {
  const plan = planModule(lock, staging)
  const declarations = printDeclarations(plan) + sourceMapComment('prompts.d.ts')
  const sources = [
    { plan, path: 'prompts.lock.json', entries: locateEntries(lockText) },
    {
      plan: planModule(staging),
      path: 'prompts.test.lock.json',
      entries: locateEntries(stagingText),
    },
  ]
  return appFolder({
    'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
    'prompts.lock.json': lockText,
    'prompts.test.lock.json': stagingText,
    'prompts.d.ts': declarations,
    'prompts.d.ts.map': printDeclarationMap(declarations, 'prompts.d.ts', sources),
    'src/main.ts': app,
  })
}
