import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Lock } from '../../src/core/prompt.ts'
import { planModule } from '../../src/codegen/plan-module.ts'
import { printDeclarations } from '../../src/codegen/declarations.ts'
import { type Compiler, compileStrictly } from './compile-strictly.js'
import { lockOf } from './pinned.ts'
import { temporaryFolder } from './temporary-folder.ts'

const REPOSITORY = resolve(import.meta.dirname, '../..')
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
  readonly fixtures: readonly string[]
  readonly packages?: readonly string[]
  /** Whether the app has a `prompts.d.ts`. Default: `true`. */
  readonly declared?: boolean
  /** The prompts of the declarations. Default: those that the fixtures use. */
  readonly lock?: Lock
}

/**
 * Writes an app, an ES module as apps are today.
 *
 * @returns its folder, which is removed after the test
 */
export async function fixtureApp(app: FixtureApp): Promise<string> {
  const { fixtures, packages = [], declared = true, lock = FIXTURE_LOCK } = app
  const root = await temporaryFolder()
  for (const name of fixtures) await copyFile(join(FIXTURES, name), join(root, name))
  await writeFile(join(root, 'package.json'), '{ "type": "module" }\n')
  const declarations = printDeclarations(planModule(lock))
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
