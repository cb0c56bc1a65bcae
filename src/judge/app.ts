import { basename, dirname } from 'node:path'
import {
  generatedHeader,
  printDeclarations,
  printModuleDeclarations,
} from '../codegen/declarations.ts'
import { type LockPlan, planModule } from '../codegen/plan-module.ts'
import { fileHeader, GENERATED_BY } from '../core/generated.ts'
import type { Environment, Lock } from '../core/prompt.ts'
import { PACKAGE_NAME, virtualModuleId } from '../core/workspace-name.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { listFiles } from '../fs/git.ts'
import { isCode, isInside, outDirFiles, toForwardSlashes } from '../fs/paths.ts'
import { type AppConfig, readAppConfigs, strayConfig } from './app-configs.ts'
import { CompilerHosts, type Overlay } from './compiler-host.ts'
import { ts } from './compiler.ts'
import { readCode } from './components.ts'
import { filesOfSymbol, isInstalled, resolveAlias, specifiersOf } from './module-graph.ts'
import { unknownImports, type UntypedImport } from './not-checked.ts'
import { type AppFolders, foreignFiles, ignoredFiles } from './own-files.ts'
import { type Ownership, type PromptCode, promptCode, remember } from './prompt-code.ts'

/** The code of an app, and of the others that use its lock. */
export interface App {
  /** The app's folder, absolute. Places of all apps are relative to it. */
  readonly root: string
  /** One part for each tsconfig, and one for files that no tsconfig includes. */
  readonly parts: readonly AppPart[]
  /** The imports in files that the analysis can't compile, such as those of other frameworks. */
  readonly unknown: readonly UntypedImport[]
}

export interface AppPart {
  /** The view that it is compiled with. */
  readonly environment: Environment
  /** Whether no tsconfig has its files. */
  readonly isStray: boolean
  /**
   * Compiles the code with the declarations of this lock instead of those on disk. Nothing is written.
   *
   * @param lock - `undefined` for no declarations, so that every prompt is `any`
   * @param edited - texts instead of those on disk, by path
   * @param previous - a program of the same part, whose files and resolutions are reused
   */
  compile(lock: Lock | undefined, edited?: Overlay, previous?: ts.Program): PromptCode
}

export interface AppLocation extends AppFolders {
  /** Path of the declarations, absolute. They need not exist. */
  readonly dts: string
  /** Path of the folder with generated modules, absolute. Others are found by their imports. */
  readonly outDir?: string | undefined
  /** Path of the tsconfig, absolute. Default: tsconfig.json or jsconfig.json in `root`. */
  readonly tsconfig?: string | undefined
  /** The view that it is compiled with. */
  readonly environment: Environment
  readonly others?: readonly AppLocation[]
}

/**
 * Finds the code of an app and of the others that use its lock: the tsconfig of each with all
 * references, then other files that use prompts.
 */
export async function openApp(location: AppLocation): Promise<App> {
  const { root, others = [] } = location
  const locations = [location, ...others]
  const [isForeign, isIgnored] = [foreignFiles(location), await ignoredFiles(root)]
  const apps = await Promise.all(
    locations.map(async (app) => {
      const inOther = (path: string): boolean =>
        isForeign(path) ||
        locations.some((other) => isInside(other.root, path) && !isInside(other.root, app.root))
      const listed =
        (await listFiles(app.root)) ??
        ts.sys.readDirectory(app.root, undefined, ['**/node_modules'])
      const files = listed.filter((path) => !inOther(path))
      const id = virtualModuleId(app.name)
      return {
        location: app,
        configs: configsOf(app, files, { inOther, isForeign }),
        unknown: await unknownImports(app.root, files, id, root),
      }
    }),
  )
  const included = new Set(
    apps.flatMap(({ configs }) => configs.flatMap(({ fileNames }) => fileNames)),
  )
  const hosts = new CompilerHosts()
  const declarationPaths = locations.map(({ dts }) => toForwardSlashes(dts))
  return {
    root,
    parts: apps.flatMap((app) =>
      app.configs.map((config) => {
        const own = new Set(config.fileNames)
        return openPart(config, app.location, declarationPaths, hosts, {
          isOwn: (path) => (own.has(path) || !included.has(path)) && !isForeign(path),
          isIgnored,
        })
      }),
    ),
    unknown: apps.flatMap(({ unknown }) => unknown),
  }
}

/** The tsconfigs of an app, and its files that none includes, without those in another app. */
function configsOf(
  location: AppLocation,
  files: readonly string[],
  { inOther, isForeign }: Readonly<Record<'inOther' | 'isForeign', (path: string) => boolean>>,
): AppConfig[] {
  const configs = readAppConfigs(location.root, location.tsconfig)
    .filter(({ path = '' }) => !inOther(path))
    .map(({ fileNames, ...config }) => ({
      ...config,
      fileNames: fileNames.filter((path) => !isForeign(path)),
    }))
    .filter(({ fileNames }) => fileNames.length > 0)
  const stray = strayConfig(configs)
  const strays = strayFiles(files, location, configs, stray.options)
  return strays.length > 0 ? [...configs, { ...stray, fileNames: strays }] : configs
}

/** @param declarationPaths - of all apps of the lock: the program of one may have those of another */
function openPart(
  config: AppConfig,
  location: AppLocation,
  declarationPaths: readonly string[],
  hosts: CompilerHosts,
  ownership: Ownership,
): AppPart {
  const { name, dts, outDir, environment } = location
  const id = virtualModuleId(name)
  const declarationsPath = toForwardSlashes(dts)
  const { options, references: projectReferences } = config
  const named = outDir === undefined ? [] : [toForwardSlashes(outDir)]
  const entries = named.map((folder) =>
    toForwardSlashes(outDirFiles(folder).modules.entryDeclarations),
  )
  const rootNames = [...new Set([...config.fileNames, declarationsPath, ...entries])]
  const folderOf = remember((path: string) => generatedFolder(path, name))
  const compile: AppPart['compile'] = (lock, edited = new Map(), oldProgram?) => {
    const plan = lock && planModule(lock, environment)
    const textsIn = printFolders(plan, name)
    const declarations = plan ? printDeclarations(plan, name) : ''
    const overlay = new Map([
      ...edited,
      ...declarationPaths.map((path) => [path, declarations] as const),
      ...named.flatMap((folder) => [...textsIn(folder)]),
    ])
    const host = hosts.create(options, overlay, (path) => {
      const folder = folderOf(path)
      return folder && textsIn(folder).get(path)
    })
    const program = ts.createProgram({
      rootNames,
      options,
      host,
      ...(projectReferences === undefined ? {} : { projectReferences }),
      ...(oldProgram === undefined ? {} : { oldProgram }),
    })
    const imported = program.getSourceFiles().flatMap(({ fileName }) => folderOf(fileName) ?? [])
    const folders = new Set([...named, ...imported])
    const paths = [...folders].flatMap((folder) => [...textsIn(folder).keys()])
    const code = promptCode(program, [...declarationPaths, ...paths], ownership, id)
    for (const file of code.declarations) assertTypesFound(program, file, id)
    assertNotReplaced(code)
    return code
  }
  return { environment, isStray: config.path === undefined, compile }
}

/**
 * Checks that the imports of the declarations resolve, to the types of this package. Otherwise every prompt is `any`
 * and no error is found. Uses the type checker, because `skipLibCheck` disables diagnostics of declarations.
 */
function assertTypesFound(program: ts.Program, file: ts.SourceFile, id: string): void {
  const checker = program.getTypeChecker()
  const folder = dirname(file.fileName)
  for (const specifier of specifiersOf(file)) {
    const module = checker.getSymbolAtLocation(specifier)
    // With `dts: false`, the declarations are in memory only.
    const path = ts.sys.fileExists(file.fileName) ? file.fileName : id
    if (module === undefined) throw new PromptsError('TYPES_NOT_FOUND', { path, folder })
    if (specifier.text !== RUNTIME) continue
    const prompt = checker.tryGetMemberInModuleExports('Prompt', module)
    const isOurs = prompt && resolveAlias(prompt, checker).declarations?.some(isInFile)
    const replacing = module.declarations?.[0]?.getSourceFile().fileName ?? path
    if (!isOurs)
      throw new PromptsError('TYPES_NOT_FOUND', { path: replacing, folder, replaces: RUNTIME })
  }
}

/** Checks that no other file declares the modules: of two, such as one at a former place, TypeScript may take the other. */
function assertNotReplaced({ checker, declarations }: PromptCode): void {
  for (const module of checker.getAmbientModules()) {
    const files = filesOfSymbol(module)
    if (!files.some((file) => declarations.includes(file))) continue
    const other = files.find((file) => !declarations.includes(file) && !ts.isExternalModule(file))
    if (other === undefined) continue
    const [path, replaces] = [other.fileName, module.name.slice(1, -1)]
    throw new PromptsError('TYPES_NOT_FOUND', { path, folder: dirname(path), replaces })
  }
}

const RUNTIME = `${PACKAGE_NAME}/runtime`

/** Whether a declaration is that of a file, and not in `declare module`. */
function isInFile({ parent }: ts.Node): boolean {
  return ts.isSourceFile(parent)
}

/**
 * Loads of own files besides the imports that TypeScript lists: in tests, by `createRequire`, and in comments with types.
 * Other paths, as configurations have them, are none: such a file may need the types of a whole bundler.
 */
const LOADS =
  /(?:\b(?:import|require)(?:Actual)?(?:<[^()]*>)?\(\s*|\bcreateRequire\([^]*)["'`]\.\.?\//

/**
 * Returns the files that no tsconfig includes and that may use prompts, such as those of an app in plain
 * JavaScript: they name the module, or import a file of the monorepo.
 */
function strayFiles(
  files: readonly string[],
  { name }: AppLocation,
  configs: readonly AppConfig[],
  strayOptions: ts.CompilerOptions,
): string[] {
  const included = new Set(configs.flatMap(({ fileNames }) => fileNames))
  const outputs = configs.flatMap(({ options }) => options.outDir ?? [])
  const packages = new Map<string, boolean>()
  const isOwnCode = (specifier: string, path: string): boolean => {
    if (/^(?:[.#~$]|@\/)/.test(specifier)) return true
    const { resolvedModule } = ts.resolveModuleName(specifier, path, strayOptions, ts.sys)
    // `@app/lib` is an alias if there is no such package.
    if (!resolvedModule) return specifier.startsWith('@')
    return !isInstalled(resolvedModule.resolvedFileName, strayOptions)
  }
  const isUser = (path: string): boolean => {
    if (generatedFolder(path, name) !== undefined) return false
    const text = readCode(path) ?? ''
    if (text.includes(virtualModuleId(name)) || LOADS.test(text)) return true
    return ts.preProcessFile(text, true, true).importedFiles.some(({ fileName: specifier }) => {
      const isOwn = packages.get(specifier) ?? isOwnCode(specifier, path)
      packages.set(specifier, isOwn)
      return isOwn
    })
  }
  return files
    .filter(isCode)
    .filter((path) => !included.has(path) && !path.endsWith('.d.ts'))
    .filter((path) => !outputs.some((folder) => path.startsWith(`${folder}/`)))
    .filter(isUser)
}

/** The names of files in the folders that `prompts generate --out-dir` writes. */
const MODULES = new Set(Object.values(outDirFiles('').modules).map((path) => basename(path)))

/**
 * The folder of a file that `prompts generate --out-dir` wrote for a workspace.
 *
 * @returns `undefined` for any other file
 */
function generatedFolder(path: string, name: string): string | undefined {
  if (!MODULES.has(basename(path))) return undefined
  // The folder `staging` in it has no runtime of its own.
  const folder = [dirname(path), dirname(dirname(path))].find((above) =>
    ts.sys.fileExists(outDirFiles(above).modules.runtime),
  )
  if (folder === undefined) return undefined
  const lines = generatedHeader('generate', name).split('\n')
  const marker = lines.find((line) => line.includes(GENERATED_BY)) ?? ''
  const { entry, entryDeclarations } = outDirFiles(folder).modules
  const headers = [entryDeclarations, entry].map((file) => fileHeader(ts.sys.readFile(file) ?? ''))
  return headers.some((header) => header.includes(marker)) ? folder : undefined
}

/**
 * Prints the declarations for any folder, by their paths as the compiler spells them.
 *
 * @param plan - `undefined` for no declarations, so that every prompt is `any`
 */
function printFolders(
  plan: LockPlan | undefined,
  name: string,
): (folder: string) => ReadonlyMap<string, string> {
  const texts = plan && printModuleDeclarations(plan, name)
  return (folder) => {
    const { modules } = outDirFiles(folder)
    return new Map([
      [toForwardSlashes(modules.entryDeclarations), texts?.entry ?? ''],
      [toForwardSlashes(modules.allDeclarations), texts?.all ?? ''],
      [toForwardSlashes(modules.stagingDeclarations), texts?.staging ?? ''],
    ])
  }
}
