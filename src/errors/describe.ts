import { type ErrorCode, type ErrorDetails, catalogue } from './catalogue.ts'
import type { Explanation } from './catalogue/explanation.ts'

/** Details whose name as a placeholder would not complete the sentence. */
const SAMPLES: Readonly<Record<string, string | number | readonly string[]>> = {
  problems: ['‹problem›'],
  slugs: ['‹slug›'],
  differences: ['‹difference›'],
  chain: [],
  paths: ['‹path›'],
  attempts: 1,
  excerpt: '',
  wait: '',
  command: '',
  held: 'the lock has ‹number›',
  option: 'live',
  kind: 'test',
  workspace: 'prompts',
}

/** Every other detail is a placeholder with its name: `‹path›`. */
const placeholders = new Proxy({}, { get: (_, name: string) => SAMPLES[name] ?? `‹${name}›` })

/**
 * Explains an error code in general: details are placeholders such as
 * `‹path›`.
 */
export function describeError(code: ErrorCode): Explanation {
  const explain = catalogue[code] as (details: ErrorDetails[ErrorCode]) => Explanation
  return explain(placeholders as ErrorDetails[ErrorCode])
}
