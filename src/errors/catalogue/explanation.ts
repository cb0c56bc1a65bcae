/** An error's explanation: what happened and why, and how to fix it. */
export interface Explanation {
  readonly why: string
  readonly fix: string
}

/** Details of an error whose explanation names commands or variables of a workspace. */
export interface InWorkspace {
  readonly workspace: string
}
