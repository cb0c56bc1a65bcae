import { join } from 'node:path'
import { DEFAULT_WORKSPACE, virtualModuleId } from '../../core/workspace-name.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { toForwardSlashes } from '../../fs/paths.ts'
import { type AppConfig, readAppConfigs, STRAY_CONFIG } from './app-configs.ts'
import { type CreateHost, createHostFactory, type Overlay } from './compiler-host.ts'
import { ts } from './compiler.ts'
import { specifiersOf } from './module-graph.ts'
import { strayFiles } from './stray-files.ts'

/** The code of an app. */
export interface App {
  /** The app's folder, absolute. */
  readonly root: string
  /** One part for each tsconfig, and one for files that no tsconfig includes. */
  readonly parts: readonly AppPart[]
}

/** The files of one tsconfig. */
export interface AppPart {
  readonly config: AppConfig
  /** Path of the declarations, which need not exist: absolute, with forward slashes. */
  readonly declarationsPath: string
  /** Files of other tsconfigs, which are checked in their own part. */
  readonly excludedFiles: ReadonlySet<string>
  /**
   * Creates a program with these declarations instead of those on disk. Nothing is written.
   *
   * @param previous - a program of the same part, whose files and resolutions are reused
   * @param edited - texts instead of those on disk, by the name that the compiler uses for a file
   */
  program(declarations: string, previous?: ts.Program, edited?: Overlay): ts.Program
}

/** The location of an app and its tsconfig. */
export interface AppLocation {
  /** The app's folder, absolute. */
  readonly root: string
  /** Name of the workspace. Default: `prompts`. */
  readonly name?: string | undefined
  /** Path of the declarations, absolute, or `false` if the app has none. */
  readonly dts: string | false
  /** Path of the tsconfig, absolute. Default: tsconfig.json or jsconfig.json in `root`. */
  readonly tsconfig?: string | undefined
}

/**
 * Finds the code of an app: its tsconfig with all references, then other files that use prompts.
 *
 * @throws PromptsError TSCONFIG_INVALID
 */
export function openApp({ root, name = DEFAULT_WORKSPACE, dts, tsconfig }: AppLocation): App {
  const createHost = createHostFactory()
  const declarationsPath = toForwardSlashes(dts === false ? join(root, `${name}.d.ts`) : dts)
  const configs = readAppConfigs(root, tsconfig).filter(({ fileNames }) => fileNames.length > 0)
  const strays = strayFiles(root, configs, virtualModuleId(name))
  const stray = { ...STRAY_CONFIG, fileNames: strays }
  const all = strays.length > 0 ? [...configs, stray] : configs
  const parts = all.map((config) => openPart(config, { declarationsPath, createHost, all }))
  return { root, parts }
}

interface PartContext extends Pick<AppPart, 'declarationsPath'> {
  readonly createHost: CreateHost
  readonly all: readonly AppConfig[]
}

function openPart(config: AppConfig, { declarationsPath, createHost, all }: PartContext): AppPart {
  const { options, references: projectReferences } = config
  const rootNames = [...new Set([...config.fileNames, declarationsPath])]
  return {
    config,
    declarationsPath,
    excludedFiles: listOtherFiles(config, all),
    program(declarations, oldProgram, edited = new Map()) {
      const host = createHost(options, new Map([...edited, [declarationsPath, declarations]]))
      const program = ts.createProgram({
        rootNames,
        options,
        host,
        ...(projectReferences === undefined ? {} : { projectReferences }),
        ...(oldProgram === undefined ? {} : { oldProgram }),
      })
      assertTypesFound(program, declarationsPath)
      return program
    },
  }
}

function listOtherFiles(config: AppConfig, all: readonly AppConfig[]): Set<string> {
  const own = new Set(config.fileNames)
  const others = all.flatMap(({ fileNames }) => fileNames)
  return new Set(others.filter((path) => !own.has(path)))
}

/**
 * Checks that the imports of the declarations resolve. Otherwise every prompt is `any` and no error is
 * found. Uses the type checker, because `skipLibCheck` disables diagnostics of declarations.
 */
function assertTypesFound(program: ts.Program, declarationsPath: string): void {
  const file = program.getSourceFile(declarationsPath)
  const checker = program.getTypeChecker()
  const isUnknown = (specifier: ts.Node): boolean =>
    checker.getSymbolAtLocation(specifier) === undefined
  if (file === undefined || !specifiersOf(file).some(isUnknown)) return
  throw new PromptsError('TYPES_NOT_FOUND', { path: declarationsPath })
}
