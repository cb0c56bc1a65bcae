/** Thrown by `render` if values are missing or have another type; names all of these variables. */
export class PromptVariableError extends Error {
  override name = 'PromptVariableError'
  /** Slug of the prompt. */
  declare readonly slug: string
  /** Label of the pinned version. */
  declare readonly version: string
  /** The variables whose value is missing or not a string, number, boolean or bigint. */
  declare readonly missing: readonly string[]

  constructor(slug: string, version: string, missing: readonly string[]) {
    super(`${slug} ${version}: missing or invalid ${missing}`)
    this.slug = slug
    this.version = version
    this.missing = missing
  }
}
