/** A place that environment variables come from, for errors that say which. */
export interface EnvSource {
  /** Such as `.env.local`. */
  readonly name: string
  readonly values: Readonly<Record<string, string | undefined>>
}
