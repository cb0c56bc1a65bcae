import { type ErrorCode, type ErrorDetails, catalogue } from './catalogue.ts'
import type { Explanation } from './catalogue/explanation.ts'

/** Details that stay empty: lists, and parts that an explanation can do without. */
const EMPTY: Readonly<Record<string, string | readonly string[]>> = {
  problems: [],
  slugs: [],
  differences: [],
  chain: [],
  paths: [],
  excerpt: '',
  wait: '',
  command: '',
  workspace: 'prompts',
}

/** Every detail is a placeholder with its name: `‹path›`. */
const placeholders = new Proxy({}, { get: (_, name: string) => EMPTY[name] ?? `‹${name}›` })

/**
 * Explains an error code in general: details are placeholders such as
 * `‹path›`.
 */
export function describeError(code: ErrorCode): Explanation {
  const explain = catalogue[code] as (details: ErrorDetails[ErrorCode]) => Explanation
  const { why, fix } = explain(placeholders as ErrorDetails[ErrorCode])
  return { why: why.replace(/:$/, '.'), fix }
}
