/** A compiler and how an app is set up for it. */
export interface Compiler {
  /** Below `node_modules`. */
  readonly path: string
  readonly resolution: string
  /** Whether the declarations of packages are left unchecked. */
  readonly skipLibCheck?: boolean | undefined
  /** Whether packages are looked for from where they are linked, so that others are not found. */
  readonly preserveSymlinks?: boolean | undefined
}

/** Every compiler under every way to find modules. */
export const COMPILERS: readonly Compiler[]

/** A place that a compiler refuses. */
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
