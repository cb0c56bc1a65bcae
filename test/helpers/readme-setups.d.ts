/** A setup of src/docs/bundlers.md, as a reader would copy it. */
export interface Setup {
  /** Its heading. */
  readonly title: string
  /** By the path in the first comment of each. */
  readonly files: Readonly<Record<string, string>>
  /** In their order. */
  readonly commands: readonly string[]
}

/** Returns the setups of src/docs/bundlers.md, in their order. */
export function readmeSetups(): Setup[]
