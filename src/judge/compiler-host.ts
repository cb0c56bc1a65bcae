import { isComponentFile } from '../fs/paths.ts'
import { LIB_FOLDER, readLib, ts } from './compiler.ts'
import { declareReactive, readCode, resolveModule, scriptKindOf } from './components.ts'

/** Texts that replace files, by absolute path. */
export type Overlay = ReadonlyMap<string, string>

/** Creates the hosts of an app's programs. They share what they read and parse, and write nothing. */
export class CompilerHosts {
  /** TypeScript's own declarations. They stay for the process: a fix opens its app twice. */
  static readonly #libFiles = new Map<string, ts.SourceFile>()
  /** Texts of the disk, by path. They stay with the app, so that all its programs see one state. */
  readonly #texts = new Map<string, string | undefined>()
  /** Parsed code, by path, language version and replacing text. It stays with the app. */
  readonly #parsed = new Map<string, ts.SourceFile>()

  /**
   * Creates a host that reads the overlay, then the disk.
   *
   * @param generated - returns the text of a generated file, which need not exist. Default: there are none
   */
  create(
    options: ts.CompilerOptions,
    overlay: Overlay,
    generated: (path: string) => string | undefined = () => undefined,
  ): ts.CompilerHost {
    const replacing = (path: string): string | undefined => overlay.get(path) ?? generated(path)
    const base = ts.createCompilerHost(options)
    const cache = ts.createModuleResolutionCache('', base.getCanonicalFileName, options)
    // Editors use an internal method, so that referenced projects are read from sources and need no build.
    const host: ts.CompilerHost & { useSourceOfProjectReferenceRedirect(): boolean } = {
      ...base,
      readFile: (path) => replacing(path) ?? this.#readText(path),
      getSourceFile: (path, version) => {
        if (!isComponentFile(path) || typeof version !== 'object')
          return this.#parse(path, version, replacing(path))
        // Whether its imports are those of CommonJS, as for a module beside it.
        const beside = `${path}.ts`
        const packages = cache.getPackageJsonInfoCache()
        const format = ts.getImpliedNodeFormatForFile(beside, packages, host, options)
        return this.#parse(path, { ...version, impliedNodeFormat: format }, replacing(path))
      },
      fileExists: (path) =>
        replacing(path) !== undefined || (!path.startsWith(LIB_FOLDER) && ts.sys.fileExists(path)),
      directoryExists: (path) =>
        ts.sys.directoryExists(path) ||
        [...overlay.keys()].some((file) => file.startsWith(`${path}/`)),
      getDefaultLibLocation: () => LIB_FOLDER,
      getDefaultLibFileName: (libOptions) =>
        `${LIB_FOLDER}/${ts.getDefaultLibFileName(libOptions)}`,
      jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeErrors,
      getModuleResolutionCache: () => cache,
      resolveModuleNameLiterals: (names, importer, redirect, own, file) =>
        names.map((name) => {
          const mode = ts.getModeForUsageLocation(file, name, own)
          return resolveModule(name.text, importer, own, host, cache, redirect, mode)
        }),
      writeFile: () => undefined,
      useSourceOfProjectReferenceRedirect: () => true,
    }
    return host
  }

  #parse(
    path: string,
    version: ts.ScriptTarget | ts.CreateSourceFileOptions,
    replacement: string | undefined,
  ): ts.SourceFile | undefined {
    const key = JSON.stringify([path, version, replacement])
    const files = path.startsWith(LIB_FOLDER) ? CompilerHosts.#libFiles : this.#parsed
    const previous = files.get(key)
    if (previous !== undefined) return previous
    const text = replacement ?? this.#readText(path)
    if (text === undefined) return undefined
    const parsed = ts.createSourceFile(path, text, version, undefined, scriptKindOf(path))
    const file = declareReactive(withoutSuppressions(parsed))
    // Replaced declarations are long and differ in every program.
    if (replacement === undefined || !path.endsWith('.d.ts')) files.set(key, file)
    return file
  }

  #readText(path: string): string | undefined {
    if (!this.#texts.has(path))
      this.#texts.set(path, path.startsWith(LIB_FOLDER) ? readLib(path) : readCode(path))
    return this.#texts.get(path)
  }
}

/** Internal fields that list the suppressed errors of a file. */
interface SuppressionFields {
  checkJsDirective?: unknown
  commentDirectives?: readonly { readonly type: number }[] | undefined
}

/** TypeScript's number for `@ts-expect-error`. */
const EXPECT_ERROR = 0

/**
 * Removes `@ts-nocheck` and `@ts-ignore` from a file, because the hidden errors still fail at run time.
 * `@ts-expect-error` stays, because it reports an error if there is none.
 */
function withoutSuppressions(file: ts.SourceFile): ts.SourceFile {
  const suppressing = file as ts.SourceFile & SuppressionFields
  suppressing.checkJsDirective = undefined
  suppressing.commentDirectives = suppressing.commentDirectives?.filter(
    ({ type }) => type === EXPECT_ERROR,
  )
  return file
}
