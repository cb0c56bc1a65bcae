import { existsSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { configFileNames, readConfigFile } from '../../config/config-file.ts'
import type { Guard, Options } from '../../config/options.ts'
import {
  type Bundler,
  configFile,
  findVitest,
  type PluginBundler,
  takesPlugins,
} from './bundlers.ts'
import type { PluginStep } from './edit-code.ts'
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
  isMonorepo,
  type ManualStep,
  planEdit,
  type PlannedPart,
  type ProjectFiles,
  readProjectFiles,
  WRAPPER,
} from './project-files.ts'
import { joinWords } from '../../core/text/pluralize.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { readForeignText } from '../../fs/files.ts'
import { writeText } from '../../fs/write-file.ts'
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
  readonly bundler: Bundler | undefined
  /** What a build does about prompts in browser code. Default: the default of the option `client`. */
  readonly client: Guard | undefined
  readonly service: ServiceSetup
  /** The option `environment`. Default: none. */
  readonly environment: 'test' | undefined
}

export interface SetupPlan {
  readonly root: string
  readonly bundler: Bundler | undefined
  /** Empty if everything is set up. */
  readonly changes: readonly FileChange[]
  readonly manual: readonly ManualStep[]
  /** Whether the first pull waits for one of them. */
  readonly isBeforePull: boolean
  /** What to do when everything else is done. */
  readonly last: readonly ManualStep[]
  /** The line that imports the prompts; `undefined` in the root of a monorepo, whose apps have it. */
  readonly load: string | undefined
  /** The command that installs this package; `undefined` if the project depends on it. */
  readonly install: string | undefined
  readonly source: ServiceSetup['source']
}

/** Plans what a project still needs to use this package. Writes nothing. */
export async function planSetup(
  root: string,
  { bundler, client, service, environment }: SetupChoice,
): Promise<SetupPlan> {
  const project = await readProjectFiles(root)
  const config = await readOptions(project)
  const dts = config === undefined && bundler ? await declarationsPath(project, bundler) : undefined
  const outDir = folderOf(project, bundler, config?.options?.dts ?? dts)
  const folder = config?.options?.outDir ?? outDir
  const options: Options = {
    ...(outDir !== undefined && { outDir }),
    ...(bundler === undefined && outDir !== undefined && { dts: false }),
    ...(dts !== undefined && dts !== DTS && { dts }),
    ...(client && { client }),
    ...(environment && { environment }),
  }
  const vitest = findVitest(project, bundler)
  const parts = [
    // Before a key is written, here or by the user.
    await planIgnore(project),
    await planConfig(project, bundler, folder),
    vitest ? await planPlugin(project, vitest.bundler, vitest.file) : {},
    config
      ? stepForFolder(config, options)
      : await planOptions(project, options, service.code, bundler),
    ...(dts === undefined ? [] : await planIncludes(project, dts)),
    hasBuiltInService(config) ? await planExample(project, service.variables) : {},
    await planAccess(project, service.access ?? {}),
  ]
  return {
    root,
    bundler,
    changes: [...parts.flatMap(({ change }) => change ?? []), ...(service.files ?? [])],
    manual: parts.flatMap(({ manual }) => manual ?? []),
    isBeforePull: parts.some((part) => part.isBeforePull),
    last: lastSteps(project, bundler, config === undefined ? folder : undefined),
    load: bundler ? IMPORT : folder && importFrom(project, folder),
    install: await installCommand(project),
    source: service.source,
  }
}

/** The options of the configuration file that is there. */
interface ReadConfig {
  /** Its name. */
  readonly name: string
  /** `undefined` if it can't be evaluated, as before the package that it imports is installed. */
  readonly options: Options | undefined
}

async function readOptions({ root }: ProjectFiles): Promise<ReadConfig | undefined> {
  const name = configFileNames('prompts').find((file) => existsSync(join(root, file)))
  if (name === undefined) return undefined
  const file = await readConfigFile(root, 'prompts').catch(() => undefined)
  return { name, options: file && (Object(file.options) as Options) }
}

function hasBuiltInService(config: ReadConfig | undefined): boolean {
  return (
    config === undefined || (config.options !== undefined && config.options.service === undefined)
  )
}

/** What a configuration file lacks for an app with real files. */
function stepForFolder({ name, options }: ReadConfig, { outDir, dts }: Options): PlannedPart {
  if (outDir === undefined || options?.outDir !== undefined) return {}
  const unless = options === undefined ? ', unless they are there' : ''
  const lines = [`outDir: '${outDir}',`, ...(dts === false ? ['dts: false,'] : [])]
  return { manual: { what: `Set these options in ${name}${unless}:`, lines }, isBeforePull: true }
}

/** The folder of real files for an app without a plugin; `undefined` if it needs none, or is a monorepo. */
function folderOf(
  project: ProjectFiles,
  bundler: Bundler | undefined,
  dts: Options['dts'] = DTS,
): string | undefined {
  if (bundler === undefined) return isMonorepo(project) ? undefined : 'prompts'
  if (takesPlugins(bundler)) return undefined
  // A folder and declarations of one name in one place would hide each other.
  if (dts === false || posix.normalize(dts) !== DTS) return 'prompts'
  return project.names.has('src') ? 'src/prompts' : 'generated/prompts'
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

/** @throws PromptsError FILE_CHANGED, before anything is written, if a file is not what its change was planned from */
export async function applySetup(root: string, changes: readonly FileChange[]): Promise<void> {
  for (const { name, before } of changes) {
    const path = join(root, name)
    if ((await readForeignText(path)) !== before) throw new PromptsError('FILE_CHANGED', { path })
  }
  for (const { name, text } of changes) await writeText(join(root, name), text, root)
}

/**
 * Plans the plugin in the bundler's configuration: an edit if that is safe, a new file for a Vite
 * app without one, and a manual step otherwise. Nothing if the plugin is already there.
 */
async function planConfig(
  project: ProjectFiles,
  bundler: Bundler | undefined,
  folder: string | undefined,
): Promise<PlannedPart> {
  if (bundler === undefined) return isMonorepo(project) ? { manual: MONOREPO_STEP } : {}
  if (!takesPlugins(bundler)) return planAliases(project, bundler, folder ?? '')
  const name = configFile(bundler, project.names) ?? newConfig(project, bundler)
  if (name === undefined) return { manual: manualStep(bundler) }
  return planPlugin(project, bundler, name)
}

async function planPlugin(
  project: ProjectFiles,
  bundler: PluginBundler,
  name: string,
): Promise<PlannedPart> {
  const { addPlugin } = await import('./edit-code.ts')
  const what = whatIsAdded(bundler)
  const isNew = !project.names.has(name)
  const template = bundler.name === 'vite' ? VITE_CONFIG : 'export default {}\n'
  const current = isNew ? template : ((await readForeignText(join(project.root, name))) ?? '')
  const isOfVitest = project.dependencies.has('vitest') || /\bvitest\b/.test(name + current)
  const { text, left } = addPlugin(name, current, { ...bundler, isOfVitest })
  const part = await planEdit(project, {
    name,
    what: isNew ? `${bundler.title} with ${what}` : what,
    edit: () => text,
    byHand: () => pluginStep('plugin', bundler, name, current),
  })
  const steps = left.map((step) => pluginStep(step, bundler, name, current))
  return { ...part, manual: [part.manual ?? [], steps].flat() }
}

/** What a person has to do or to look at in the configuration of a bundler. */
function pluginStep(
  step: PluginStep,
  bundler: PluginBundler,
  name: string,
  text: string,
): ManualStep {
  const byHand = manualStep(bundler, name, isCommonJs(name, text))
  switch (step) {
    case 'plugin':
      return byHand
    case 'use':
      return {
        ...byHand,
        what: `Not looked at: whether ${name} uses the plugin. \`init\` reads only this form:`,
      }
    case 'projects':
      return {
        what: `Not looked at: whether each of Vitest's projects has the plugin. One in ${name} inherits it with this line, any other needs it in its own configuration:`,
        lines: ['extends: true,'],
      }
  }
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

const MONOREPO_STEP: ManualStep = {
  what: 'This is the root of a monorepo. Run this in the folder of each app that uses prompts:',
  lines: ['npx prompts init'],
}

/** The modules as aliases, with which wrangler finds them in the folder. Nothing if each is a line there already. */
async function planAliases(
  { root, names }: ProjectFiles,
  bundler: Bundler,
  folder: string,
): Promise<PlannedPart> {
  const file = configFile(bundler, names) ?? 'wrangler.jsonc'
  const isToml = file.endsWith('.toml')
  const aliases = Object.entries({
    'virtual:prompts': `./${folder}/index.js`,
    'virtual:prompts/all': `./${folder}/all.js`,
    'virtual:prompts/staging': `./${folder}/staging/index.js`,
  }).map(([module, path]) => (isToml ? `"${module}" = "${path}"` : `  "${module}": "${path}"`))
  const compact = (line: string): string => line.replaceAll(/[\s,]/g, '')
  const text = (await readForeignText(join(root, file))) ?? ''
  const present = new Set(text.split('\n').map(compact))
  if (aliases.every((line) => present.has(compact(line)))) return {}
  const lines = isToml ? ['[alias]', ...aliases] : ['"alias": {', aliases.join(',\n'), '}']
  const what = `Add these aliases to ${file}:`
  return { manual: { what, lines: lines.flatMap((line) => line.split('\n')) } }
}

/** What an app needs besides its bundler, when everything else is done. */
function lastSteps(
  project: ProjectFiles,
  bundler: Bundler | undefined,
  newFolder: string | undefined,
): ManualStep[] {
  if (bundler === undefined) return newFolder === undefined ? [] : [FIND_FILES]
  if (bundler.name === 'wrangler')
    return isModule(project)
      ? []
      : [{ what: ONLY_USED, lines: [`npx prompts generate --format esm`] }]
  const lines = Object.entries(Object(project.manifest?.['scripts'])).flatMap(([key, value]) => {
    const script = String(value)
    const command = script.replaceAll(
      RUNS_NODE,
      (run) => `${run} --import unplugin-prompts/register`,
    )
    if (!SERVER.test(key) || command === script) return []
    return [`${JSON.stringify(key)}: ${JSON.stringify(command)}`]
  })
  const what = 'These scripts run code without a bundler. If it imports prompts, pass Node this:'
  return lines.length === 0 ? [] : [{ what, lines }]
}

const FIND_FILES: ManualStep = {
  what: 'How tsc, Jest and others find these files:',
  lines: ['node_modules/unplugin-prompts/dist/docs/setup/tsc.md'],
}

/** The name of a script that runs a server. */
const SERVER = /\b(?:dev|start|serve|server)\b/

const ONLY_USED =
  'For a Worker that contains only the prompts that it names, after each first pull:'

/** What runs source code in a script and takes options of Node. The folders are those of builds. */
const RUNS_NODE =
  /(?:^|[\s"'/])(?:tsx(?: watch)?|nodemon|node)(?=\s)(?!.*unplugin-prompts\/register)(?!\s*(?:\S*\/)?(?:\.?build|dist|out|\.output|\.next)\b)/g

/** A file in which an `import` would be a syntax error. */
function isCommonJs(name: string, text: string): boolean {
  if (/\.[cm][jt]s$/.test(name)) return /\.c[jt]s$/.test(name)
  return /\bmodule\.exports\b/.test(text) && !/^\s*(?:import|export)\b/m.test(text)
}

function manualStep(
  bundler: PluginBundler,
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
  options: Options,
  service: ServiceSetup['code'],
  bundler: Bundler | undefined,
): Promise<PlannedPart> {
  const names = [...(service ? ['service'] : []), ...Object.keys(options)]
  if (names.length === 0) return {}
  // Without a bundler, tsc would compile TypeScript into the app.
  const name = bundler ? 'prompts.config.ts' : 'prompts.config.mjs'
  const file = service
    ? { name, text: await printConfig(service, options, project, bundler) }
    : { name: 'prompts.config.json', text: printJson(options) }
  return { change: { ...file, before: undefined, what: `sets ${joinWords(names)}` } }
}

/** JSON on one line, which `tsc` does not compile and every formatter leaves as it is. */
function printJson(value: object): string {
  return `${JSON.stringify(value, undefined, 1).replaceAll(/\n */g, ' ')}\n`
}

/** A configuration with a service, in the style of that of the bundler. */
async function printConfig(
  { load, option }: NonNullable<ServiceSetup['code']>,
  options: Options,
  { root, names }: ProjectFiles,
  bundler: Bundler | undefined,
): Promise<string> {
  const others = Object.entries(options).map(([key, value]) => {
    return `${key}: ${typeof value === 'string' ? quote(value) : String(value)},`
  })
  const members = [option, ...others].map((line) => `  ${line}\n`).join('')
  const like = bundler?.specifier && configFile(bundler, names)
  return inStyleOf(
    (like && (await readForeignText(join(root, like)))) ?? '',
    `import { defineConfig } from 'unplugin-prompts'\n${load}\n\nexport default defineConfig({\n${members}})\n`,
  )
}

/** A literal in single quotes, which others may replace. */
function quote(text: string): string {
  return `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll("'", String.raw`\u0027`)}'`
}

/** Where the declarations are by default. */
const DTS = 'prompts.d.ts'

/**
 * Where the declarations are, relative to the root: where most TypeScript projects include them.
 *
 * @returns `undefined` if that is not for `init` to say: the entry point of the bundler adds them to a tsconfig
 */
async function declarationsPath(
  project: ProjectFiles,
  bundler: Bundler,
): Promise<string | undefined> {
  const { root, names } = project
  const isTyped = names.has('tsconfig.json') || names.has('jsconfig.json')
  if (bundler.declarations === false || !isTyped) return undefined
  const { declarationsFolder } = await import('../../output/declarations-location.ts')
  return posix.join(declarationsFolder(root) ?? bundler.declarations ?? '', DTS)
}

/** Plans the declarations in the TypeScript projects that would not see them. */
async function planIncludes(project: ProjectFiles, dts: string): Promise<PlannedPart[]> {
  const { root } = project
  const { tsconfigsWithout } = await import('../../output/declarations-location.ts')
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

const IMPORT = "import { prompts } from 'virtual:prompts'"

/** The line that imports prompts of a folder in a file of this project. */
function importFrom(project: ProjectFiles, folder: string): string {
  const code = project.names.has('src') ? 'src' : ''
  const way = relativePath(join(project.root, code), join(project.root, folder, 'index.js'))
  const path = way.startsWith('.') ? way : `./${way}`
  // TypeScript compiles it to what the package is.
  return isModule(project) || project.names.has('tsconfig.json')
    ? `import { prompts } from '${path}'`
    : `const { prompts } = require('${path}')`
}

function isModule({ manifest }: ProjectFiles): boolean {
  return manifest?.['type'] === 'module'
}
