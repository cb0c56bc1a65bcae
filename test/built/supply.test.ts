import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

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

const TREE = runTimeTree()

describe('what is installed with this package', () => {
  test('is found', () => {
    expect(TREE.size).toBeGreaterThan(20)
  })

  test.each([...TREE])('%s runs nothing when it is installed', (_, folder) => {
    const { scripts = {} } = manifestOf(folder)
    const run = ['preinstall', 'install', 'postinstall'].filter((name) => name in scripts)
    expect(run).toEqual([])
    // Without a script of its own, npm builds whatever has one of these.
    expect(existsSync(join(folder, 'binding.gyp'))).toBe(false)
  })
})

describe("npm's lock file", () => {
  interface Locked {
    readonly link?: boolean
    readonly integrity?: string
    readonly optionalDependencies?: Readonly<Record<string, string>>
  }
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>
  }

  test('has an integrity for every package', () => {
    const without = Object.entries(packages)
      .filter(([path, { link, integrity }]) => path !== '' && !link && integrity === undefined)
      .map(([path]) => path)
    expect(without).toEqual([])
  })

  test('has the optional packages of every platform', () => {
    const isLocked = (name: string, from: string): boolean =>
      `${from === '' ? '' : `${from}/`}node_modules/${name}` in packages ||
      (from !== '' &&
        isLocked(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')))))
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(name, path)),
    )
    expect(missing).toEqual([])
  })
})
