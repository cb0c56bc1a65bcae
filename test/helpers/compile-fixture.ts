import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Lock } from '../../src/core/prompt.ts'
import { planModule } from '../../src/emit/plan-module.ts'
import { printDeclarations } from '../../src/emit/print-declarations.ts'
import { liveLock } from './pinned.ts'
import { temporaryFolder } from './temporary-folder.ts'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const FIXTURES = resolve(import.meta.dirname, '../types/fixtures')

/** The prompts that the fixtures use. */
const FIXTURE_LOCK: Lock = liveLock(
  { slug: '3d', system: 'Hello {{ user.name }}' },
  { slug: 'plain', system: 'Hello' },
  { slug: 'support-triage', system: 'Sort {{ ticket }} in a {{ tone }} tone' },
)

/** Every compiler under every way to find modules. */
export const COMPILERS: readonly Compiler[] = ['typescript', 'typescript-7'].flatMap((path) => [
  { path, resolution: 'bundler' },
  { path, resolution: 'nodenext' },
])

/** A compiler and how an app is set up for it. */
export interface Compiler {
  /** Below `node_modules`. */
  readonly path: string
  readonly resolution: string
  /** Whether the declarations of packages are left unchecked. */
  readonly skipLibCheck?: boolean | undefined
}

/** Which fixtures an app is made of, and what is installed in it beside this package. */
export interface FixtureApp {
  readonly fixtures: readonly string[]
  readonly packages?: readonly string[]
}

/**
 * Writes an app, an ES module as apps are today.
 *
 * @returns its folder, which goes with the test
 */
export async function fixtureApp({ fixtures, packages = [] }: FixtureApp): Promise<string> {
  const root = await temporaryFolder()
  for (const name of fixtures) await copyFile(join(FIXTURES, name), join(root, name))
  await writeFile(join(root, 'package.json'), '{ "type": "module" }\n')
  await writeFile(join(root, 'prompts.d.ts'), printDeclarations(planModule(FIXTURE_LOCK), '//\n'))
  await install('unplugin-prompts', REPOSITORY)
  for (const name of packages) await install(name, join(REPOSITORY, 'node_modules', name))
  return root

  async function install(name: string, folder: string): Promise<void> {
    const place = join(root, 'node_modules', name)
    await mkdir(dirname(place), { recursive: true })
    await symlink(folder, place)
  }
}

/**
 * Compiles an app strictly.
 *
 * @returns the places that the compiler refuses, as `file:line`
 */
export async function refusedLines(root: string, compiler: Compiler): Promise<string[]> {
  await writeFile(join(root, 'tsconfig.json'), tsconfig(compiler))
  const tsc = join(REPOSITORY, 'node_modules', compiler.path, 'bin/tsc')
  const args = [tsc, '--project', root, '--pretty', 'false']
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
  })
  const found = [...stdout.matchAll(/^(\S.*?)\((\d+),\d+\): error TS\d+/gm)]
  if (found.length === 0 && status !== 0) throw new Error(stdout + stderr)
  return [...new Set(found.map(([, file, line]) => `${file}:${line}`))]
}

/** The lines of fixtures that must not compile, as `file:line`. */
export async function linesMarkedWrong(fixtures: readonly string[]): Promise<string[]> {
  const places = fixtures.map(async (name) => {
    const lines = (await readFile(join(FIXTURES, name), 'utf8')).split('\n')
    return lines.flatMap((line, index) =>
      line.endsWith('// error') ? [`${name}:${index + 1}`] : [],
    )
  })
  return (await Promise.all(places)).flat()
}

function tsconfig({ resolution, skipLibCheck = false }: Compiler): string {
  const compilerOptions = {
    target: 'es2023',
    module: resolution === 'bundler' ? 'preserve' : resolution,
    moduleResolution: resolution,
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: [],
    verbatimModuleSyntax: true,
    skipLibCheck,
  }
  return JSON.stringify({ compilerOptions, include: ['*.ts'] })
}
