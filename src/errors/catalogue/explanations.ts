/** An error's explanation: what happened and why, and how to fix it. */
export interface Explanation {
  readonly why: string
  readonly fix: string
}

/** One function for each code, from the details of a case to its explanation. */
export type Explanations<Details> = {
  readonly [Code in keyof Details]: (details: Details[Code]) => Explanation
}
