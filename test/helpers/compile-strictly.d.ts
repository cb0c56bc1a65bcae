/** A compiler and how an app is set up for it. */
export interface Compiler {
  /** The package's folder, absolute or from `node_modules`. */
  readonly path: string
  readonly resolution: string
  /** Whether the declarations of packages are left unchecked. */
  readonly skipLibCheck?: boolean | undefined
  /** Whether packages are resolved from the link instead of its target. */
  readonly preserveSymlinks?: boolean | undefined
  /** Where declarations are emitted, from the app's folder; nothing is emitted without it. */
  readonly outDir?: string | undefined
}

/** Every compiler under every way to find modules. */
export const COMPILERS: readonly Compiler[]

/** Every compiler and every way to find modules once, where combinations add nothing. */
export const EACH_COMPILER: readonly Compiler[]

/** The older compilers of the nightly run, which only take what this package declares itself. */
export const OLDER_COMPILERS: readonly Compiler[]

export interface Refusal {
  /** `file:line` */
  readonly place: string
  /** Code and words of the compiler. */
  readonly text: string
}

/** Compiles the files of a folder strictly, none below it. */
export function compileStrictly(root: string, compiler: Compiler): Promise<Refusal[]>

/** The lines of files that must not compile, which end in `// error`, as `file:line`. */
export function linesMarkedWrong(folder: string, names: readonly string[]): Promise<string[]>
