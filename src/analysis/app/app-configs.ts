import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PromptsError } from '../../errors/prompts-error.ts'
import { ts } from './compiler.ts'
import { toCompiledName, COMPONENT_EXTENSIONS } from './components.ts'
import type { FilePatterns } from './config-patterns.ts'

/** One tsconfig of the app, or what stands in for it where the app has none. */
export interface AppConfig {
  /** Its file, absolute; `undefined` for the files that no tsconfig of the app includes. */
  readonly path: string | undefined
  /** The names under which its files are compiled. */
  readonly fileNames: readonly string[]
  /** What it says of its files, what it extends included. */
  readonly patterns: FilePatterns
  readonly options: ts.CompilerOptions
  /** What the app's own compiler would report; the analysis looks further. */
  readonly reports: CompilerReports
  readonly references: readonly ts.ProjectReference[] | undefined
}

/** What an app lets its compiler report, of what the analysis always asks for. */
export interface CompilerReports {
  /** Errors in JavaScript. */
  readonly javaScript: boolean
  /** An access that gives `any`, such as `prompts['gone']`. */
  readonly implicitAny: boolean
}

/**
 * Reads the app's tsconfig (or jsconfig) with what it extends and references, each project once.
 *
 * @param given - a path, where it is not the usual one in `root`
 * @returns none where the app has no such file
 * @throws PromptsError TSCONFIG_INVALID
 */
export function readAppConfigs(root: string, given?: string): AppConfig[] {
  const usual = ['tsconfig.json', 'jsconfig.json'].map((name) => join(root, name))
  const first = given ?? usual.find((path) => existsSync(path))
  const configs = new Map<string, AppConfig>()
  if (first !== undefined) readInto(configs, first)
  return [...configs.values()]
}

function readInto(configs: Map<string, AppConfig>, path: string): void {
  if (configs.has(path)) return
  const config = readConfig(path)
  configs.set(path, config)
  for (const reference of config.references ?? []) {
    readInto(configs, ts.resolveProjectReferencePath(reference))
  }
}

/** "Cannot find", "cannot read": what keeps even the compiler from going on. */
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
  const fatal = parsed?.errors.find(({ code }) => FATAL.has(code))
  if (fatal !== undefined) refuse(fatal)
  const { options = {} } = parsed ?? {}
  return {
    path,
    fileNames: (parsed?.fileNames ?? []).map(toCompiledName),
    patterns: (parsed?.raw as FilePatterns | undefined) ?? {},
    options: analysisOptions(options),
    reports: {
      javaScript: options.checkJs ?? false,
      implicitAny: options.noImplicitAny ?? options.strict ?? true,
    },
    references: parsed?.projectReferences,
  }
}

/**
 * The app's options, but for those that are about output. JavaScript that the app lets in is
 * always checked, and access to what is not there always reported: only what is new counts, so
 * what the app gets wrong today makes no noise.
 */
function analysisOptions(options: ts.CompilerOptions): ts.CompilerOptions {
  const { allowJs = options.checkJs ?? false, ...rest } = options
  return {
    ...rest,
    allowJs,
    checkJs: allowJs,
    noImplicitAny: true,
    noEmit: true,
    incremental: false,
    composite: false,
    declaration: false,
    declarationMap: false,
    isolatedDeclarations: false,
  }
}

/** Files that no tsconfig includes: checked leniently, since nobody has ever checked them. */
export const STRAY_CONFIG: Omit<AppConfig, 'fileNames'> = {
  path: undefined,
  patterns: {},
  reports: { javaScript: false, implicitAny: false },
  references: undefined,
  options: {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.Preserve,
    jsx: ts.JsxEmit.Preserve,
    allowJs: true,
    checkJs: true,
    allowImportingTsExtensions: true,
    strict: false,
    noImplicitAny: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  },
}
