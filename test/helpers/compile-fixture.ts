import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Lock } from '../../src/core/prompt.ts'
import { type LockPlan, planModule } from '../../src/codegen/plan-module.ts'
import { printDeclarations, printModuleDeclarations } from '../../src/codegen/declarations.ts'
import { type Compiler, compileStrictly } from './compile-strictly.js'
import { installedApp } from './installed-app.ts'
import { lockOf } from './pinned.ts'

const FIXTURES = resolve(import.meta.dirname, '../types/fixtures')

/** The prompts that the fixtures use, with a staging version of three and one that is only staged. */
const FIXTURE_LOCK: Lock = lockOf({
  live: [
    { slug: '3d', system: 'Hello {{ user.name }}' },
    { slug: 'Prompts' },
    { slug: '__proto__' },
    {
      slug: 'built-ins',
      system: '{{ constructor }} {{ hasOwnProperty }} {{ toString }} {{ valueOf }}',
    },
    { slug: 'class' },
    { slug: 'default' },
    { slug: 'empty', system: '' },
    { slug: 'only-user', system: '', user: 'Hello' },
    { slug: 'plain', system: 'Hello' },
    { slug: 'proto-variable', system: '{{ __proto__ }} and {{ other }}' },
    { slug: 'search-tool', system: 'Search the manuals.' },
    { slug: 'support-agent', system: 'Answer in a {{ tone }} tone.' },
    { slug: 'support-triage', system: 'Sort in a {{ tone }} tone', user: '{{ ticket }}' },
  ],
  staging: [
    { slug: 'only-staging' },
    { slug: 'plain', version: 'v23', system: 'Hello {{ name }}' },
    { slug: 'support-agent', version: 'v23', system: 'Answer in a {{ tone }} tone. {{ more }}' },
    {
      slug: 'support-triage',
      version: 'v23',
      model: 'gpt-6',
      system: 'Sort in a {{ mood }} mood',
      user: '{{ ticket }}',
    },
  ],
})

/** The fixtures of an app, and the packages that are installed in addition to this one. */
export interface FixtureApp {
  readonly fixtures?: readonly string[]
  /** Other files, or others in place of these. */
  readonly files?: Readonly<Record<string, string>>
  readonly packages?: readonly string[] | undefined
  /** The prompts of the declarations, or `undefined` for none. Default: those that the fixtures use. */
  readonly lock?: Lock | undefined
}

/** Writes an app to a folder that is removed after the test. */
export async function fixtureApp(app: FixtureApp): Promise<string> {
  const { fixtures = [], files = {}, packages } = app
  const lock = 'lock' in app ? app.lock : FIXTURE_LOCK
  const texts = fixtures.map(async (name) => [name, await readFile(join(FIXTURES, name), 'utf8')])
  return installedApp({
    files: {
      ...Object.fromEntries(await Promise.all(texts)),
      ...(lock && declarationsOf(planModule(lock, 'live'))),
      ...files,
    },
    packages,
  })
}

/** Of the modules, and of a generated folder. */
function declarationsOf(plan: LockPlan): Readonly<Record<string, string>> {
  const { entry, all, staging } = printModuleDeclarations(plan, 'prompts')
  return {
    'prompts.d.ts': printDeclarations(plan),
    'generated/index.d.ts': entry,
    'generated/all.d.ts': all,
    'generated/staging/index.d.ts': staging,
  }
}

/** The places of an app that a compiler refuses, as `file:line`, each once. */
export async function refusedLines(root: string, compiler: Compiler): Promise<string[]> {
  const refusals = await compileStrictly(root, compiler)
  return [...new Set(refusals.map(({ place }) => place))]
}
