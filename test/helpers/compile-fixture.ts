import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Lock } from '../../src/core/prompt.ts'
import { planModule } from '../../src/codegen/plan-module.ts'
import { printDeclarations } from '../../src/codegen/declarations.ts'
import { type Compiler, compileStrictly } from './compile-strictly.js'
import { liveLock, testLock as stagingLock } from './pinned.ts'
import { temporaryFolder } from './temporary-folder.ts'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const FIXTURES = resolve(import.meta.dirname, '../types/fixtures')

/** The prompts that the fixtures use. */
const FIXTURE_LOCK: Lock = liveLock(
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
)

/** The system texts of the staging versions. */
const CHANGED = new Map([
  ['plain', 'Hello {{ name }}'],
  ['support-agent', 'Answer in a {{ tone }} tone. {{ more }}'],
  ['support-triage', 'Sort in a {{ mood }} mood'],
])

const STAGING: Lock = stagingLock(
  ...FIXTURE_LOCK.prompts.flatMap((prompt) => {
    const { slug, user } = prompt
    if (slug === 'search-tool') return []
    const system = CHANGED.get(slug)
    const model = slug === 'support-triage' ? 'gpt-6' : prompt.model
    return [system === undefined ? prompt : { slug, version: 'v23', model, system, user }]
  }),
  { slug: 'only-staging' },
)

/** The fixtures of an app, and the packages that are installed in addition to this one. */
export interface FixtureApp {
  readonly fixtures: readonly string[]
  readonly packages?: readonly string[]
  /** Whether the app has a `prompts.d.ts`. Default: `true`. */
  readonly declared?: boolean
  /** The prompts of the declarations. Default: those that the fixtures use. */
  readonly lock?: Lock
  /** The prompts of `virtual:prompts/staging`. Default: none. */
  readonly testLock?: Lock
}

/**
 * Writes an app, an ES module as apps are today.
 *
 * @returns its folder, which is removed after the test
 */
export async function fixtureApp(app: FixtureApp): Promise<string> {
  const { fixtures, packages = [], declared = true, lock = FIXTURE_LOCK } = app
  const { testLock = app.lock === undefined ? STAGING : undefined } = app
  const root = await temporaryFolder()
  for (const name of fixtures) await copyFile(join(FIXTURES, name), join(root, name))
  await writeFile(join(root, 'package.json'), '{ "type": "module" }\n')
  const declarations = printDeclarations(planModule(lock, testLock))
  if (declared) await writeFile(join(root, 'prompts.d.ts'), declarations)
  await install('unplugin-prompts', REPOSITORY)
  for (const name of packages) await install(name, join(REPOSITORY, 'node_modules', name))
  return root

  async function install(name: string, folder: string): Promise<void> {
    const place = join(root, 'node_modules', name)
    await mkdir(dirname(place), { recursive: true })
    await symlink(folder, place)
  }
}

/** The places of an app that a compiler refuses, as `file:line`, each once. */
export async function refusedLines(root: string, compiler: Compiler): Promise<string[]> {
  const refusals = await compileStrictly(root, compiler)
  return [...new Set(refusals.map(({ place }) => place))]
}
