import { LIB_FOLDER, readLib, ts } from './compiler.ts'
import { isComponent, readCode } from './components.ts'

/** Texts that replace files, by absolute path. */
export type Overlay = ReadonlyMap<string, string>

/** Creates a host that reads the overlay, then the disk. It writes nothing. */
export type CreateHost = (options: ts.CompilerOptions, overlay: Overlay) => ts.CompilerHost

/** TypeScript's own declarations, parsed once per process: a fix opens its app twice. */
const libFiles = new Map<string, ts.SourceFile>()

/** Creates a factory of hosts that share what they read and parse. */
export function createHostFactory(): CreateHost {
  const texts = new Map<string, string | undefined>()
  const parsed = new Map<string, ts.SourceFile>()
  const readText = (path: string): string | undefined => {
    if (!texts.has(path)) {
      texts.set(path, path.startsWith(LIB_FOLDER) ? readLib(path) : readCode(path))
    }
    return texts.get(path)
  }
  return (options, overlay) => {
    const readFile = (path: string): string | undefined => overlay.get(path) ?? readText(path)
    const getSourceFile: ts.CompilerHost['getSourceFile'] = (path, version) => {
      const replacement = overlay.get(path)
      const key = JSON.stringify([path, version, replacement])
      // Declarations are long and differ in every program.
      const isReused = replacement === undefined || !path.endsWith('.d.ts')
      const files = path.startsWith(LIB_FOLDER) ? libFiles : parsed
      const previous = isReused ? files.get(key) : undefined
      if (previous !== undefined) return previous
      const text = readFile(path)
      if (text === undefined) return undefined
      const file = withoutSuppressions(ts.createSourceFile(path, text, version))
      if (isReused) files.set(key, file)
      return file
    }
    const host: ts.CompilerHost & UseSource = {
      ...ts.createCompilerHost(options),
      readFile,
      getSourceFile,
      fileExists: (path) =>
        overlay.has(path) ||
        (!path.startsWith(LIB_FOLDER) && (ts.sys.fileExists(path) || isComponent(path))),
      directoryExists: (path) =>
        ts.sys.directoryExists(path) ||
        [...overlay.keys()].some((file) => file.startsWith(`${path}/`)),
      getDefaultLibLocation: () => LIB_FOLDER,
      getDefaultLibFileName: (libOptions) =>
        `${LIB_FOLDER}/${ts.getDefaultLibFileName(libOptions)}`,
      jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeErrors,
      writeFile: () => undefined,
      useSourceOfProjectReferenceRedirect: () => true,
    }
    return host
  }
}

/**
 * An internal method that editors use: referenced projects are read from their sources and need not be
 * built.
 */
interface UseSource {
  useSourceOfProjectReferenceRedirect(): boolean
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
