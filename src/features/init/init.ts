import { dirname, join, posix } from 'node:path'
import { configFileNames } from '../../config/config-file.ts'
import type { Guard } from '../../config/options.ts'
import { type Bundler, type BundlerName, bundlers, configFile, findVitest } from './bundlers.ts'
import {
  planEnv,
  planExample,
  planIgnore,
  type ExampleVariable,
  type Variables,
} from './text-files.ts'
import { installCommand } from './package-manager.ts'
import {
  type FileChange,
  importLine,
  inStyleOf,
  type ManualStep,
  planEdit,
  type PlannedPart,
  type ProjectFiles,
  readProjectFiles,
  WRAPPER,
} from './project-files.ts'
import { readText, writeText } from '../../fs/files.ts'
import { isTracked } from '../../fs/git.ts'
import { relativePath } from '../../fs/paths.ts'

/** The service that a project is set up for. What is missing is left alone. */
export interface ServiceSetup {
  /** What is not a service with an address: the local example, or functions that somebody has to write. */
  readonly source?: 'example' | 'functions' | undefined
  /** What `.env.local` gets. */
  readonly access?: Variables
  /** What `.env.example` names. Default: the variables of the service with two requests. */
  readonly variables?: readonly ExampleVariable[]
  /** What the configuration file gets: an import, and the option `service`. */
  readonly code?: { readonly load: string; readonly option: string }
  readonly files?: readonly FileChange[]
}

/** What a project is set up for. */
export interface SetupChoice {
  readonly bundler: BundlerName | undefined
  /** What a build does about prompts in browser code. Default: the default of the option `client`. */
  readonly client: Guard | undefined
  readonly service: ServiceSetup
}

export interface SetupPlan {
  readonly root: string
  readonly bundler: Bundler | undefined
  /** Empty if everything is set up. */
  readonly changes: readonly FileChange[]
  readonly manual: readonly ManualStep[]
  /** The line that imports the prompts; `undefined` in the root of a monorepo, whose apps have it. */
  readonly load: string | undefined
  /** The command that installs this package; `undefined` if the project depends on it. */
  readonly install: string | undefined
  readonly source: ServiceSetup['source']
}

/** Plans what a project still needs to use this package. Writes nothing. */
export async function planSetup(
  root: string,
  { bundler: name, client, service }: SetupChoice,
): Promise<SetupPlan> {
  const project = await readProjectFiles(root)
  const bundler = bundlers.find((candidate) => candidate.name === name)
  const isBundled = bundler !== undefined || project.dependencies.has('wrangler')
  const vitest = await findVitest(project, bundler)
  const dts = isBundled ? await declarationsPath(project, bundler) : undefined
  const options = { ...(dts !== undefined && dts !== DTS && { dts }), ...(client && { client }) }
  const parts = [
    // Before a key is written, here or by the user.
    await planIgnore(project),
    await planConfig(project, bundler),
    vitest ? await planPlugin(project, vitest.bundler, vitest.file) : {},
    await planOptions(project, options, service.code, bundler),
    ...(dts === undefined ? [] : await planIncludes(project, dts)),
    (await hasOtherService(project)) ? {} : await planExample(project, service.variables),
    await planAccess(project, service.access ?? {}),
  ]
  return {
    root,
    bundler,
    changes: [...parts.flatMap(({ change }) => change ?? []), ...(service.files ?? [])],
    manual: parts.flatMap(({ manual }) => manual ?? []),
    load: isBundled || !isMonorepo(project) ? importOf(project, isBundled) : undefined,
    install: await installCommand(project),
    source: service.source,
  }
}

/** Address and key in `.env.local`, unless git would commit them. */
async function planAccess(project: ProjectFiles, access: Variables): Promise<PlannedPart> {
  const part = await planEnv(project, access)
  const isCommitted =
    part.change !== undefined && (await isTracked(join(project.root, part.change.name)))
  return isCommitted ? { manual: UNTRACK } : part
}

const UNTRACK: ManualStep = {
  what: 'Git tracks .env.local and would commit the key. Stop tracking it, and run `npx prompts init` again:',
  lines: ['git rm --cached .env.local'],
}

export async function applySetup(root: string, changes: readonly FileChange[]): Promise<void> {
  for (const { name, text } of changes) await writeText(join(root, name), text, root)
}

/**
 * Plans the plugin in the bundler's configuration: an edit if that is safe, a new file for a Vite
 * app without one, and a manual step otherwise. Nothing if the plugin is already there.
 */
async function planConfig(
  project: ProjectFiles,
  bundler: Bundler | undefined,
): Promise<PlannedPart> {
  if (bundler === undefined) return stepWithoutBundler(project)
  const name = configFile(bundler, project.names) ?? newConfig(project, bundler)
  return name === undefined ? { manual: manualStep(bundler) } : planPlugin(project, bundler, name)
}

async function planPlugin(
  project: ProjectFiles,
  bundler: Bundler,
  name: string,
): Promise<PlannedPart> {
  const { addPlugin } = await import('./edit-code.ts')
  const what = whatIsAdded(bundler)
  const isNew = !project.names.has(name)
  const template = bundler.name === 'vite' ? VITE_CONFIG : 'export default {}\n'
  return planEdit(project, {
    name,
    what: isNew ? `${bundler.title} with ${what}` : what,
    edit: (text) => addPlugin(name, isNew ? template : text, bundler),
    byHand: (text) => manualStep(bundler, name, isCommonJs(name, text)),
  })
}

/**
 * The name of a new configuration for an app that works without one: of Next, and of Vite from a template
 * such as create-vite's `vanilla-ts`, which has only an `index.html`.
 */
function newConfig(project: ProjectFiles, { name }: Bundler): string | undefined {
  const { names } = project
  const isTyped = names.has('tsconfig.json')
  // `.mjs` is an ES module in every package.
  if (name === 'next') return `next.config.${isTyped ? 'ts' : 'mjs'}`
  if (name !== 'vite' || !names.has('index.html')) return undefined
  // In a CommonJS package, only `.mts` and `.mjs` files are ES modules.
  return `vite.config.${isModule(project) ? '' : 'm'}${isTyped ? 'ts' : 'js'}`
}

const VITE_CONFIG = `import { defineConfig } from 'vite'\n\nexport default defineConfig({})\n`

/** The configuration of an app with real files. */
const FOLDER_CONFIG = 'prompts.config.json'

/** Real files for an app that no bundler builds. */
async function stepWithoutBundler(project: ProjectFiles): Promise<PlannedPart> {
  const { root, dependencies } = project
  if (dependencies.has('wrangler')) return { manual: WRANGLER_STEP }
  if (isMonorepo(project)) return { manual: MONOREPO_STEP }
  const current = findConfig(project)
  if (current !== undefined) {
    if (/\boutDir\b/.test((await readText(join(root, current))) ?? '')) return {}
    const what = `Set these options in ${current}:`
    return { manual: { what, lines: ["outDir: 'prompts',", 'dts: false,'] } }
  }
  const change = {
    name: FOLDER_CONFIG,
    kind: 'created',
    text: printJson({ outDir: 'prompts', dts: false }),
    what: 'real files, as node_modules/unplugin-prompts/dist/docs/setup/tsc.md shows',
  } as const
  return { change }
}

/** Whether this is the root of a monorepo. */
function isMonorepo({ names, manifest }: ProjectFiles): boolean {
  return names.has('pnpm-workspace.yaml') || manifest?.['workspaces'] !== undefined
}

const MONOREPO_STEP: ManualStep = {
  what: 'This is the root of a monorepo. Run this in the folder of each app that uses prompts:',
  lines: ['npx prompts init'],
}

/** wrangler bundles with its own esbuild, which takes aliases but no plugins. */
const WRANGLER_STEP: ManualStep = {
  what: 'Generate files, and add these aliases to the configuration of wrangler:',
  lines: [
    'npx prompts generate --out-dir src/prompts --format esm',
    '',
    '"alias": {',
    '  "virtual:prompts": "./src/prompts/index.js",',
    '  "virtual:prompts/all": "./src/prompts/all.js",',
    '  "virtual:prompts/staging": "./src/prompts/staging/index.js"',
    '}',
  ],
}

/** A file in which an `import` would be a syntax error. */
function isCommonJs(name: string, text: string): boolean {
  if (/\.[cm][jt]s$/.test(name)) return /\.c[jt]s$/.test(name)
  return /\bmodule\.exports\b/.test(text) && !/^\s*(?:import|export)\b/m.test(text)
}

function manualStep(
  bundler: Bundler,
  file: string = `the configuration of ${bundler.title}`,
  commonJs: boolean = false,
): ManualStep {
  const { list, specifier, isModuleName } = bundler
  const load = importLine(list === undefined ? WRAPPER : 'prompts', specifier, commonJs)
  if (list === undefined) {
    const exported = commonJs ? 'module.exports =' : 'export default'
    return {
      what: `Wrap what ${file} exports:`,
      lines: [load, `${exported} ${WRAPPER}(nextConfig)`],
    }
  }
  const what = `Add ${whatIsAdded(bundler)} to ${file}:`
  if (isModuleName) return { what, lines: [`${list}: ['${specifier}'],`] }
  return { what, lines: [load, `${list}: [prompts()],`] }
}

/** Frameworks have their own words for a plugin. */
function whatIsAdded({ list = 'plugins' }: Bundler): string {
  return `the ${list.replace(/s$/, '')}`
}

/** Plans a configuration file for what is not the default. */
async function planOptions(
  project: ProjectFiles,
  options: Readonly<Record<string, string>>,
  service: ServiceSetup['code'],
  bundler: Bundler | undefined,
): Promise<PlannedPart> {
  const names = [...(service ? ['service'] : []), ...Object.keys(options)]
  if (names.length === 0 || findConfig(project) !== undefined) return {}
  // Without a bundler, tsc would compile TypeScript into the app.
  const name = bundler ? 'prompts.config.ts' : 'prompts.config.mjs'
  const file = service
    ? { name, text: await printConfig(service, options, project, bundler) }
    : { name: 'prompts.config.json', text: printJson(options) }
  return { change: { ...file, kind: 'created', what: `sets ${names.join(' and ')}` } }
}

/** JSON on one line, which `tsc` does not compile and every formatter leaves as it is. */
function printJson(value: object): string {
  return `${JSON.stringify(value, undefined, 1).replaceAll(/\n */g, ' ')}\n`
}

/** A configuration with a service, in the style of that of the bundler. */
async function printConfig(
  { load, option }: NonNullable<ServiceSetup['code']>,
  options: Readonly<Record<string, string>>,
  { root, names }: ProjectFiles,
  bundler: Bundler | undefined,
): Promise<string> {
  const others = Object.entries(options).map(([key, value]) => `${key}: '${value}',`)
  const members = [option, ...others].map((line) => `  ${line}\n`).join('')
  const like = bundler && configFile(bundler, names)
  return inStyleOf(
    (like && (await readText(join(root, like)))) ?? '',
    `import { defineConfig } from 'unplugin-prompts'\n${load}\n\nexport default defineConfig({\n${members}})\n`,
  )
}

/** Whether the configuration file has the option `service`, which brings variables of its own. */
async function hasOtherService(project: ProjectFiles): Promise<boolean> {
  const current = findConfig(project)
  const text = current && (await readText(join(project.root, current)))
  return /\bservice\s*[:,}]/.test(text ?? '')
}

function findConfig({ names }: ProjectFiles): string | undefined {
  return configFileNames('prompts').find((name) => names.has(name))
}

/** Where the declarations are by default. */
const DTS = 'prompts.d.ts'

/**
 * Where the declarations are, relative to the root: where most TypeScript projects include them.
 *
 * @returns `undefined` if that is not for `init` to say: the entry point of the bundler adds them to a
 *   tsconfig, or there is a configuration file
 */
async function declarationsPath(
  project: ProjectFiles,
  bundler: Bundler | undefined,
): Promise<string | undefined> {
  const { root, names } = project
  const isTyped = names.has('tsconfig.json') || names.has('jsconfig.json')
  if (bundler?.declarations === false || !isTyped || findConfig(project)) return undefined
  const { declarationsFolder } = await import('../generate/declarations-location.ts')
  return posix.join(declarationsFolder(root) ?? bundler?.declarations ?? '', DTS)
}

/** Plans the declarations in the TypeScript projects that would not see them. */
async function planIncludes(project: ProjectFiles, dts: string): Promise<PlannedPart[]> {
  const { root } = project
  const { tsconfigsWithout } = await import('../generate/declarations-location.ts')
  const { addIncluded } = await import('./edit-code.ts')
  const path = join(root, dts)
  return Promise.all(
    tsconfigsWithout(root, path).map((tsconfig) => {
      const name = relativePath(root, tsconfig)
      const entry = relativePath(dirname(tsconfig), path)
      return planEdit(project, {
        name,
        what: 'the declarations, which its files need',
        edit: (text) => addIncluded(text, entry),
        byHand: () => ({ what: `Add "${entry}" to \`include\` in ${name}.`, lines: [] }),
      })
    }),
  )
}

/** The line that imports the prompts in a file of this project. */
function importOf(project: ProjectFiles, isBundled: boolean): string {
  if (isBundled) return `import { prompts } from 'virtual:prompts'`
  const { names } = project
  const path = `${names.has('src') ? '..' : '.'}/prompts/index.js`
  // TypeScript compiles it to what the package is.
  return isModule(project) || names.has('tsconfig.json')
    ? `import { prompts } from '${path}'`
    : `const { prompts } = require('${path}')`
}

function isModule({ manifest }: ProjectFiles): boolean {
  return manifest?.['type'] === 'module'
}
