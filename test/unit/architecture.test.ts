import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { ts } from 'ts-morph'
import { describe, expect, test } from 'vitest'

const SRC = resolve(import.meta.dirname, '../../src')

const BASE = 'core debug errors fs config service codegen judge output runtime'.split(' ')

const features = (names: string): string[] => names.split(' ').map((name) => `features/${name}`)

const PLAN = ['plan', 'plan/fix', 'plan/thread']

const FEATURES = features('init project diff log check start')

const PLUGIN = [...BASE, ...PLAN, ...FEATURES, 'plugin', 'plugin/by-use']

const BUNDLERS: Readonly<Record<string, readonly string[]>> = {
  'plugin/rollup': PLUGIN,
  'plugin/vite': [...PLUGIN, 'plugin/rollup', 'page', 'page/server'],
  'plugin/astro': [...PLUGIN, 'plugin/vite'],
  'plugin/esbuild': PLUGIN,
  'plugin/bun': PLUGIN,
  'plugin/webpack': PLUGIN,
  'plugin/rspack': [...PLUGIN, 'plugin/webpack'],
  'plugin/next': [...PLUGIN, 'plugin/webpack'],
  'plugin/nuxt': [...PLUGIN, 'plugin/rollup', 'plugin/vite'],
}

/** Whose values a view prints. Without files, service and threads it can't run or write anything. */
const VIEW = [
  ...'core debug errors judge plan/plan.ts plan/pull.ts'.split(' '),
  ...features('diff check'),
]

const SERVERS = ['http', 'page', 'page/server', 'local-service']

/** What each folder may import besides itself: folders, or single files. No row names a row below it. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  runtime: [],
  debug: ['core'],
  errors: ['core'],
  http: ['errors'],
  fs: ['core', 'debug', 'errors'],
  config: ['core', 'debug', 'errors', 'fs'],
  service: ['core', 'debug', 'errors', 'fs', 'config'],
  codegen: ['core', 'errors'],
  judge: ['core', 'debug', 'errors', 'fs', 'codegen'],
  output: ['core', 'errors', 'fs', 'config', 'codegen', 'runtime'],
  plan: BASE,
  'plan/fix': [...BASE, 'plan'],
  'plan/thread': [...BASE, 'plan', 'plan/fix'],
  'features/init': BASE,
  'features/project': [...BASE, 'plan'],
  'features/diff': [...BASE, 'features/project'],
  'features/log': BASE,
  'features/check': [...BASE, 'plan', ...features('init project diff')],
  'features/start': [...BASE, 'features/project'],
  'local-service': ['core', 'errors', 'fs', 'http'],
  page: ['core', 'errors', 'judge', 'features/diff', 'features/log'],
  'page/views': ['core', 'features/diff', 'page'],
  'page/server': [...BASE, ...PLAN, ...FEATURES, 'http', 'page', 'page/views'],
  'plugin/by-use': ['codegen'],
  plugin: [...BASE, ...PLAN, ...FEATURES, 'plugin/by-use'],
  ...BUNDLERS,
  register: PLUGIN,
  'cli/shell': ['core', 'errors', 'fs'],
  'cli/view': [...VIEW, 'cli/shell'],
  'cli/project': [...BASE, ...PLAN, ...FEATURES, 'cli/shell', 'cli/view'],
  'cli/commands': [
    ...BASE,
    ...PLAN,
    ...FEATURES,
    ...SERVERS,
    'cli/shell',
    'cli/view',
    'cli/project',
  ],
  entries: [...Object.keys(BUNDLERS), 'register', 'cli/commands', 'config', 'service', 'errors'],
  build: ['runtime'],
}

/** The folders whose own folders have rows. */
const ROOMS: ReadonlySet<string> = new Set(['plan', 'features', 'page', 'plugin', 'cli'])

/** Where a package may be imported; a pattern over the path below `src`. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  undici: /^service\/http\.ts$/,
  'ts-morph': /^judge\/compiler\.ts$|^features\/init\//,
  acorn: /^(?:codegen|plugin\/by-use)\//,
  valibot:
    /^core\/(?:schema|settings|lock\/(?:canonical-lock|entry|parse-lock))\.ts$|^config\/option-problems\.ts$|^service\/wire\.ts$|^local-service\/workspace\.ts$/,
  yaml: /^local-service\/workspace\.ts$/,
  unplugin: /^plugin\//,
  jiti: /^config\/config-file\.ts$/,
  picomatch: /^config\/prompt-filter\.ts$/,
  '@jridgewell/sourcemap-codec': /^codegen\/print-declaration-map\.ts$/,
  diff: /^features\/diff\/text-diff\.ts$/,
  'fastest-levenshtein': /^errors\//,
  'launch-editor': /^page\/server\/editor\.ts$/,
  'get-tsconfig': /^output\/declarations-location\.ts$/,
  'package-manager-detector': /^features\/init\/package-manager\.ts$/,
  '@clack/prompts': /^cli\/shell\//,
  'fast-string-width': /^cli\/shell\//,
  'fast-wrap-ansi': /^cli\/shell\//,
  vite: /^plugin\//,
  preact: /^page\/views\//,
  'preact-render-to-string': /^page\/views\//,
  esbuild: /^(?:build|plugin)\//,
  webpack: /^plugin\//,
  tsdown: /^build\//,
}

interface Import {
  readonly from: string
  readonly specifier: string
}

const imports = sourceFiles().flatMap(importsOf)

describe('the source', () => {
  test('the source is found, so that the rules below apply to something', () => {
    expect(imports.length).toBeGreaterThan(100)
  })

  test('the source imports from a folder only what its row allows', () => {
    const wrong = imports
      .filter(({ specifier }) => /^\..*(?<!\.json)$/.test(specifier))
      .filter(isUpward)
    expect(wrong, 'See MAY_IMPORT here, and the table in src/README.md.').toEqual([])
  })

  test('the source imports each package in its own place only', () => {
    const wrong = imports.filter(({ from, specifier }) => {
      const name = packageOf(specifier)
      return name !== undefined && !(PACKAGES[name]?.test(from) ?? false)
    })
    expect(wrong, 'PACKAGES here says where each package may be imported.').toEqual([])
  })

  test('the source has no files that import each other', () => {
    const imported = new Map(sourceFiles().map((path) => [path, filesImportedBy(path)]))
    const behind = (path: string, files = new Set<string>()): Set<string> => {
      for (const next of imported.get(path) ?? [])
        if (!files.has(next)) behind(next, files.add(next))
      return files
    }
    expect([...imported.keys()].filter((path) => behind(path).has(path))).toEqual([])
  })

  test('the source keeps core and runtime free of everything but the language and schemas', () => {
    const wrong = imports.filter(
      ({ from, specifier }) =>
        /^(?:core|runtime)\//.test(from) && !specifier.startsWith('.') && specifier !== 'valibot',
    )
    expect(wrong, 'Move what needs this to another folder.').toEqual([])
  })
})

/** The path below `src` that an import of a file refers to. */
function targetOf(from: string, specifier: string): string {
  return relative(SRC, resolve(SRC, dirname(from), specifier.replace(/\?text$/, '')))
}

function isUpward({ from, specifier }: Import): boolean {
  const target = targetOf(from, specifier)
  const [here, there] = [folderOf(from), folderOf(target)]
  return here !== there && ![there, target].some((place) => MAY_IMPORT[here]?.includes(place))
}

function folderOf(path: string): string {
  const [first = '', second = '', third] = path.split('/')
  if (second === '') return 'entries'
  return ROOMS.has(first) && third !== undefined ? `${first}/${second}` : first
}

/** The package of a specifier; `undefined` for this project's files and Node's modules. */
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
  return specifiersIn(readFileSync(join(SRC, path), 'utf8')).map((specifier) => ({
    from: path,
    specifier,
  }))
}

/** The files that a file imports: at once or later, values or types. */
function filesImportedBy(path: string): string[] {
  const code = readFileSync(join(SRC, path), 'utf8')
  const own = specifiersIn(code).filter((specifier) => specifier.startsWith('.'))
  return own.map((specifier) => targetOf(path, specifier))
}

function specifiersIn(code: string): string[] {
  return ts.preProcessFile(code).importedFiles.map(({ fileName }) => fileName)
}
