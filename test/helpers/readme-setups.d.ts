/** A setup of README, as a reader would copy it. */
export interface Setup {
  /** The summary of its folded block. */
  readonly title: string
  /** By the path in the comment that each begins with. */
  readonly files: Readonly<Record<string, string>>
  /** In their order. */
  readonly commands: readonly string[]
}

/** The setups of README's section on bundlers and frameworks. */
export function readmeSetups(): Setup[]
