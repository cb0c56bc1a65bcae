/** Thrown by `render` when values are missing or can't be inserted; it names all of them. */
export class PromptVariableError extends Error {
  override name = 'PromptVariableError'
  /** Of the prompt that was to be rendered. */
  declare readonly slug: string
  /** Label of its pinned version. */
  declare readonly version: string
  /** The variables whose value is no string, number, boolean or bigint: mostly, none was given. */
  declare readonly missing: readonly string[]

  constructor(slug: string, version: string, missing: readonly string[]) {
    super(`${slug} ${version}: no usable ${missing}`)
    this.slug = slug
    this.version = version
    this.missing = missing
  }
}
