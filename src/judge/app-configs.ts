import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PromptsError } from '../errors/prompts-error.ts'
import { ts } from './compiler.ts'
import { COMPONENT_EXTENSIONS } from './components.ts'

/** A tsconfig of the app, or the defaults for files that no tsconfig includes. */
export interface AppConfig {
  /** Absolute path; `undefined` for files that no tsconfig includes. */
  readonly path: string | undefined
  readonly fileNames: readonly string[]
  readonly options: ts.CompilerOptions
  readonly references: readonly ts.ProjectReference[] | undefined
}

/**
 * Reads the app's tsconfig (or jsconfig) with what it extends and references, each project once.
 *
 * @param tsconfig - a path, if it is not the default in `root`
 * @returns an empty array if the app has no such file
 */
export function readAppConfigs(
  root: string,
  tsconfig: string | undefined = ['tsconfig.json', 'jsconfig.json']
    .map((name) => join(root, name))
    .find((path) => existsSync(path)),
): AppConfig[] {
  const configs: AppConfig[] = []
  const paths = new Set(tsconfig === undefined ? [] : [tsconfig])
  // The iteration includes references that are added during it.
  for (const path of paths) {
    const config = readConfig(path)
    configs.push(config)
    for (const reference of config.references ?? [])
      paths.add(ts.resolveProjectReferencePath(reference))
  }
  return configs
}

/** Errors such as "cannot find" and "cannot read", after which the compiler stops. */
const FATAL: ReadonlySet<number> = new Set([5083, 6053, 18000])

function readConfig(path: string): AppConfig {
  const refuse = ({ messageText }: ts.Diagnostic): never => {
    const reason = ts.flattenDiagnosticMessageText(messageText, ' ')
    throw new PromptsError('TSCONFIG_INVALID', { path, reason })
  }
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: refuse }
  const parsed = ts.getParsedCommandLineOfConfigFile(
    path,
    undefined,
    host,
    undefined,
    undefined,
    COMPONENT_EXTENSIONS,
  )
  const { errors = [], fileNames = [], options = {}, projectReferences: references } = parsed ?? {}
  const fatal = errors.find(({ code }) => FATAL.has(code))
  if (fatal !== undefined) refuse(fatal)
  return { path, fileNames, options: analysisOptions(options), references }
}

/** The first is internal, and editors set it, too: files of a program may have other extensions. */
const ALWAYS = {
  allowNonTsExtensions: true,
  disableSourceOfProjectReferenceRedirect: false,
  noCheck: false,
  noEmit: true,
  noImplicitAny: true,
} as const

/**
 * Returns the app's options without output. All code of the app is always checked, JavaScript too, referenced
 * projects from their sources, and access to missing properties always reported. Existing errors are ignored,
 * because only new ones count.
 */
function analysisOptions(options: ts.CompilerOptions): ts.CompilerOptions {
  const { allowJs = options.checkJs ?? false, ...rest } = options
  return {
    ...rest,
    ...ALWAYS,
    allowJs,
    checkJs: allowJs,
    incremental: false,
    composite: false,
    declaration: false,
    declarationMap: false,
    isolatedDeclarations: false,
    stripInternal: false,
  }
}

/**
 * The configuration of files that no tsconfig includes: lenient, because they were never checked, and with the
 * aliases of the first tsconfig that has some.
 */
export function strayConfig(configs: readonly AppConfig[]): AppConfig {
  const { paths, baseUrl, pathsBasePath } =
    configs.find(({ options }) => options.paths ?? options.baseUrl)?.options ?? {}
  const aliases = { paths, baseUrl, pathsBasePath }
  return {
    path: undefined,
    fileNames: [],
    references: undefined,
    options: {
      ...Object.fromEntries(Object.entries(aliases).filter(([, value]) => value !== undefined)),
      ...ALWAYS,
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.Preserve,
      jsx: ts.JsxEmit.Preserve,
      allowJs: true,
      checkJs: true,
      allowImportingTsExtensions: true,
      strict: false,
      skipLibCheck: true,
      types: [],
    },
  }
}
