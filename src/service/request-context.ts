import type { Mask } from './mask.ts'

/** What errors and response readers know about one request. */
export interface RequestContext {
  /** Name of the workspace. */
  readonly workspace: string
  readonly url: string
  /** Such as `GET /api/v1/prompts/support-triage`. */
  readonly subject: string
  /** The host or the proxy, for messages. */
  readonly peer: string
  /** Source of the key, such as `PROMPTS_API_KEY in .env.local`. */
  readonly keySource: string
  /** Time limit of all attempts together, in milliseconds. */
  readonly timeout: number
  /** Maximum size of the response, in bytes. */
  readonly limit: number
  readonly mask: Mask
  /** Milliseconds since the epoch. */
  now(): number
}
