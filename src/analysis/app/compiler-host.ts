import { LIB_FOLDER, libReader, ts } from './compiler.ts'
import { isComponent, readCode } from './components.ts'

/** Texts that stand in for files, by absolute path. */
export type Overlay = ReadonlyMap<string, string>

/** Makes hosts that share what they have parsed, however many projects and versions there are. */
export interface HostFactory {
  /**
   * A host that sees the disk, but for the overlay. It writes nothing.
   */
  host(options: ts.CompilerOptions, overlay: Overlay): ts.CompilerHost
}

/** Makes a factory of hosts; it reads each file at most once. */
export function createHostFactory(): HostFactory {
  const readLib = libReader()
  const texts = new Map<string, string | undefined>()
  const parsed = new Map<string, ts.SourceFile>()
  const readText = (path: string): string | undefined => {
    if (!texts.has(path)) {
      texts.set(path, path.startsWith(LIB_FOLDER) ? readLib(path) : readCode(path))
    }
    return texts.get(path)
  }
  return {
    host(options, overlay) {
      const read = (path: string): string | undefined => overlay.get(path) ?? readText(path)
      const getSourceFile: ts.CompilerHost['getSourceFile'] = (path, version) => {
        const key = JSON.stringify([path, version])
        const known = overlay.has(path) ? undefined : parsed.get(key)
        if (known !== undefined) return known
        const text = read(path)
        if (text === undefined) return undefined
        const file = withoutSuppressions(ts.createSourceFile(path, text, version))
        if (!overlay.has(path)) parsed.set(key, file)
        return file
      }
      return { ...baseHost(options), readFile: read, getSourceFile, ...exists(overlay) }
    },
  }
}

/** By what a file silences the compiler; the public types leave it out. */
interface SuppressionFields {
  checkJsDirective?: unknown
  commentDirectives?: readonly { readonly type: number }[] | undefined
}

/** TypeScript's number for `@ts-expect-error`. */
const EXPECT_ERROR = 0

/**
 * A file without its `@ts-nocheck` and `@ts-ignore`: what these hide still fails at run time. An
 * error that is expected stays, since it is one itself once there is none.
 */
function withoutSuppressions(file: ts.SourceFile): ts.SourceFile {
  const suppressing = file as ts.SourceFile & SuppressionFields
  suppressing.checkJsDirective = undefined
  suppressing.commentDirectives = suppressing.commentDirectives?.filter(
    ({ type }) => type === EXPECT_ERROR,
  )
  return file
}

function baseHost(options: ts.CompilerOptions): ts.CompilerHost & UseSource {
  return {
    ...ts.createCompilerHost(options),
    getDefaultLibLocation: () => LIB_FOLDER,
    getDefaultLibFileName: (given) => `${LIB_FOLDER}/${ts.getDefaultLibFileName(given)}`,
    jsDocParsingMode: ts.JSDocParsingMode.ParseForTypeErrors,
    writeFile: () => undefined,
    useSourceOfProjectReferenceRedirect: () => true,
  }
}

/**
 * What editors use and the public types leave out: a referenced project is read from its sources,
 * so that it need not be built.
 */
interface UseSource {
  useSourceOfProjectReferenceRedirect(): boolean
}

function exists(overlay: Overlay): Pick<ts.CompilerHost, 'fileExists'> {
  return {
    fileExists: (path) =>
      overlay.has(path) ||
      (!path.startsWith(LIB_FOLDER) && (ts.sys.fileExists(path) || isComponent(path))),
  }
}
