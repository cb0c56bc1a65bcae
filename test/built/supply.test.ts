import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** What is looked at of a package.json. */
interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** The installed folder that Node resolves for a package. */
function installed(name: string, from: string): string {
  const folder = join(from, 'node_modules', name)
  if (existsSync(join(folder, 'package.json'))) return folder
  if (dirname(from) === from) throw new Error(`${name} is not installed.`)
  return installed(name, dirname(from))
}

/** The direct dependencies of a package; optional ones only of this one. */
function dependenciesOf(folder: string): string[] {
  const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder)
  return Object.keys({ ...dependencies, ...(folder === ROOT ? optionalDependencies : {}) })
}

/** Everything that is installed with this package, by name and version: as `npm ls --omit=dev`. */
function runTimeTree(from = ROOT, found = new Map<string, string>()): Map<string, string> {
  for (const name of dependenciesOf(from)) {
    const folder = installed(name, from)
    const key = `${name}@${manifestOf(folder).version}`
    if (found.has(key)) continue
    found.set(key, folder)
    runTimeTree(folder, found)
  }
  return found
}

test('no package that is installed with this one runs a script then', () => {
  const tree = runTimeTree()
  expect(tree.size).toBeGreaterThan(20)
  for (const [name, folder] of tree) {
    const { scripts = {} } = manifestOf(folder)
    const run = ['preinstall', 'install', 'postinstall'].filter((script) => script in scripts)
    // Without a script of its own, npm builds whatever has one of these.
    const isBuilt = existsSync(join(folder, 'binding.gyp'))
    expect({ name, run, isBuilt }).toEqual({ name, run: [], isBuilt: false })
  }
})

test('npm has no reason to warn of a script of this package, which it runs only when it packs', () => {
  const { scripts = {} } = manifestOf(ROOT)
  const run = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare']
  expect(run.filter((script) => script in scripts)).toEqual([])
})
