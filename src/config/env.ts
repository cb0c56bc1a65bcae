/** Variables that a bundler puts into the code of the app. */
export interface PublicVariables {
  /** The setting that says so, such as `envPrefix`. */
  readonly setting: string
  /** What their names begin with. */
  readonly prefixes: readonly string[]
}

/** A place that environment variables come from, for errors that say which. */
export interface EnvSource {
  /** Such as `.env.local`. */
  readonly name: string
  readonly values: Readonly<Record<string, string | undefined>>
}
