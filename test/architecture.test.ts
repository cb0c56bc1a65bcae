import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const SRC = resolve(import.meta.dirname, '../src')

/** The layers of DESIGN section 8, and what each may import: arrows point one way. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: ['core', 'errors'],
  errors: ['core'],
  emit: ['emit', 'core', 'errors'],
  io: ['io', 'core', 'errors'],
  runtime: ['runtime'],
  'use cases': ['use cases', 'emit', 'io', 'runtime', 'core', 'errors'],
  server: ['server', 'core', 'errors'],
  ui: ['ui', 'server', 'use cases', 'emit', 'io', 'runtime', 'core', 'errors'],
  plugin: ['plugin', 'ui', 'use cases', 'emit', 'io', 'runtime', 'core', 'errors'],
  cli: ['cli', 'ui', 'server', 'use cases', 'emit', 'io', 'core', 'errors'],
  entries: ['plugin', 'use cases', 'errors', 'runtime'],
  build: ['build'],
}

/** Where a package may be imported; a pattern over the path below `src`. */
const DOORS: Readonly<Record<string, RegExp>> = {
  undici: /^io\/service\/http\.ts$/,
  'ts-morph': /^emit\/print-declarations\.ts$|^impact\/compiler\.ts$|^init/,
  acorn: /^emit\//,
  valibot: /^io\/service\/wire\.ts$|^server\/workspace-schema\.ts$/,
  yaml: /^server\/yaml-data\.ts$/,
  unplugin: /^plugin\//,
  unconfig: /^io\/config-file\.ts$/,
  picomatch: /^options\.ts$/,
  '@jridgewell/sourcemap-codec': /^emit\/print-declaration-map\.ts$/,
  diff: /^text-diff\.ts$/,
  'fastest-levenshtein': /^cli\//,
  '@clack/prompts': /^cli\//,
  vite: /^(?:build|plugin)\/|^ui\/app\/vite\.config\.ts$/,
  preact: /^ui\/app\//,
  esbuild: /^(?:build|plugin)\//,
  tsdown: /^build\//,
}

const ENTRIES = new Set(
  'index vite rollup rolldown webpack rspack rsbuild esbuild farm bun register'.split(' '),
)

interface Import {
  readonly from: string
  readonly specifier: string
}

const imports = sourceFiles().flatMap(importsOf)

describe('the source', () => {
  test('is found, so that the rules below have something to hold', () => {
    expect(imports.length).toBeGreaterThan(100)
  })

  test('imports from one layer to a lower one only (DESIGN section 8)', () => {
    const wrong = imports.filter(({ specifier }) => specifier.startsWith('.')).filter(isUpward)
    expect(wrong).toEqual([])
  })

  test('imports each package through its own door only', () => {
    const wrong = imports.filter(({ from, specifier }) => {
      const name = packageOf(specifier)
      return name !== undefined && !(DOORS[name]?.test(from) ?? false)
    })
    expect(wrong).toEqual([])
  })

  test('keeps core and runtime free of everything but the language', () => {
    const wrong = imports.filter(
      ({ from, specifier }) => /^(?:core|runtime)\//.test(from) && !specifier.startsWith('.'),
    )
    expect(wrong).toEqual([])
  })
})

function isUpward({ from, specifier }: Import): boolean {
  const target = relative(SRC, resolve(SRC, dirname(from), specifier.replace(/\?text$/, '')))
  return !MAY_IMPORT[layerOf(from)]?.includes(layerOf(target))
}

function layerOf(path: string): string {
  const [first = '', ...rest] = path.split('/')
  if (rest.length > 0) return Object.hasOwn(MAY_IMPORT, first) ? first : 'use cases'
  const name = first.replace(/\.ts$/, '')
  if (name === 'errors') return 'errors'
  return ENTRIES.has(name) ? 'entries' : 'use cases'
}

/** The package behind a specifier; `undefined` for this project's files and Node's modules. */
function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return undefined
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

function sourceFiles(): string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.tsx?$/.test(path),
  )
}

function importsOf(path: string): Import[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(SRC, path), 'utf8'))
  return importedFiles.map(({ fileName }) => ({ from: path, specifier: fileName }))
}
