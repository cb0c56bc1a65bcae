/** The part of a page of src/docs/setup above its first section, as a reader would copy it. */
export interface Setup {
  /** The name of the page. */
  readonly name: string
  /** By the path in the first comment of each. */
  readonly files: Readonly<Record<string, string>>
  /** In their order. */
  readonly commands: readonly string[]
}

/** Returns the setups of src/docs/setup. */
export function readmeSetups(): Setup[]
