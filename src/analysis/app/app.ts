import { join } from 'node:path'
import { DEFAULT_WORKSPACE, virtualModuleId } from '../../core/workspace-name.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import { toForwardSlashes } from '../../fs/paths.ts'
import { type AppConfig, readAppConfigs, STRAY_CONFIG } from './app-configs.ts'
import { createHostFactory, type HostFactory } from './compiler-host.ts'
import { ts } from './compiler.ts'
import { specifiersOf } from './module-graph.ts'
import { strayFiles } from './stray-files.ts'

/** An app, as far as its code can be analysed. */
export interface App {
  /** The app's folder, absolute. */
  readonly root: string
  /** One for each tsconfig, and one for files that none includes. */
  readonly parts: readonly AppPart[]
}

/** The files of one tsconfig. */
export interface AppPart {
  readonly config: AppConfig
  /** Where the declarations are, or would be: absolute, with forward slashes. */
  readonly declarationsPath: string
  /** Files that it may import and leaves to the part whose tsconfig includes them. */
  readonly excludedFiles: ReadonlySet<string>
  /**
   * The part with these declarations in place of those on the disk; nothing is written.
   *
   * @param previous - a program of the same part, whose files and resolutions are used again
   */
  program(declarations: string, previous?: ts.Program): ts.Program
}

/** Where an app is and how its code is compiled. */
export interface AppLocation {
  /** The app's folder, absolute. */
  readonly root: string
  /** Of the workspace. Default: `prompts`. */
  readonly name?: string | undefined
  /** Path of the declarations, absolute, or `false` where the app has none. */
  readonly dts: string | false
  /** Path of the tsconfig, absolute. Default: tsconfig.json or jsconfig.json in `root`. */
  readonly tsconfig?: string | undefined
}

/**
 * Finds the code of an app: its tsconfig with all references, then the files beside these that
 * have to do with prompts.
 *
 * @throws PromptsError TSCONFIG_INVALID
 */
export function openApp({ root, name = DEFAULT_WORKSPACE, dts, tsconfig }: AppLocation): App {
  const hosts = createHostFactory()
  const declarationsPath = toForwardSlashes(dts === false ? join(root, `${name}.d.ts`) : dts)
  const configs = readAppConfigs(root, tsconfig).filter(({ fileNames }) => fileNames.length > 0)
  const strays = strayFiles(root, configs, virtualModuleId(name))
  const stray = { ...STRAY_CONFIG, fileNames: strays }
  const all = strays.length > 0 ? [...configs, stray] : configs
  const parts = all.map((config) => openPart(config, { declarationsPath, hosts, all }))
  return { root, parts }
}

interface PartContext extends Pick<AppPart, 'declarationsPath'> {
  readonly hosts: HostFactory
  readonly all: readonly AppConfig[]
}

function openPart(config: AppConfig, { declarationsPath, hosts, all }: PartContext): AppPart {
  const { options, references: projectReferences } = config
  const rootNames = [...new Set([...config.fileNames, declarationsPath])]
  return {
    config,
    declarationsPath,
    excludedFiles: listOtherFiles(config, all),
    program(declarations, oldProgram) {
      const host = hosts.host(options, new Map([[declarationsPath, declarations]]))
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
 * Without the types behind the declarations all is `any`, and every call would seem right. Asked of
 * the checker, since `skipLibCheck` keeps diagnostics of declarations silent.
 */
function assertTypesFound(program: ts.Program, declarationsPath: string): void {
  const file = program.getSourceFile(declarationsPath)
  const checker = program.getTypeChecker()
  const isUnknown = (specifier: ts.Node): boolean =>
    checker.getSymbolAtLocation(specifier) === undefined
  if (file === undefined || !specifiersOf(file).some(isUnknown)) return
  throw new PromptsError('TYPES_NOT_FOUND', { path: declarationsPath })
}
