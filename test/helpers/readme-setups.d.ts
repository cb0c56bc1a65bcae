/** What a reader would copy from a section of a page to set up one tool. */
export interface Setup {
  /** The first word of the section's heading, such as `rsbuild`. */
  readonly name: string
  /** By the path in the first comment of each. */
  readonly files: Readonly<Record<string, string>>
  /** In their order. */
  readonly commands: readonly string[]
}

/** Returns the setups of src/docs/setup, and those of the page about tests. */
export function readmeSetups(): Setup[]
