import type { Environment, PartId, PinnedPrompt } from './prompt.ts'
import type { PromptSettings } from './settings.ts'

export interface PromptSummary {
  readonly slug: string
  readonly folder: string
  /** `undefined` if the list does not tell it. */
  readonly model?: string | undefined
  /** `null` when there is none: only a custom service has such prompts. */
  readonly liveVersion: string | null
  /** `null` when there is none. */
  readonly stagingVersion: string | null
}

/** The response to `GET /api/v1/prompts`: every prompt of the workspace. */
export interface PromptList {
  readonly prompts: readonly PromptSummary[]
  readonly planStatus: string
}

/** The response to `GET /api/v1/prompts/{slug}`. */
export interface ServedPrompt extends PromptSettings {
  readonly source: string
  readonly systemSource: string
  readonly userSource: string
  readonly environment: Environment
}

export interface ListedPart extends PartId {
  readonly folder: string
  readonly model?: string | undefined
  readonly version: string
}

/** Which parts can be read with the keys at hand. A test key reads live versions where nothing is staged. */
export interface Readable {
  readonly live: 'all' | 'unstaged' | 'none'
  readonly staging: boolean
}

/** Why a prompt does not fit, as the functions of a custom service say. */
export interface Refusal {
  readonly refused: string
}

/** A part that is listed and does not fit. */
export interface RefusedPart extends PartId, Refusal {
  readonly version: string
}

/** The reason of an abort after the last read: what goes on then is of no interest to anybody. */
export const SERVICE_CLOSED: Error = Object.assign(new Error('The prompt service was closed.'), {
  name: 'AbortError',
})

/** What is said of a part beside its change. It is printed and never pinned, and may contain remote text. */
export interface Remarks {
  /** Of the author; `null` if there is none. */
  readonly note: string | null
  /** Of the functions of a custom service. */
  readonly warnings: readonly string[]
}

export interface PromptService {
  readonly readable: Readable
  /** By the key of a part, of what `get` answered last. Default: none. */
  readonly remarks?: ReadonlyMap<string, Remarks>
  list(): Promise<PromptList>
  /** @returns `undefined` when the workspace has no such prompt */
  get(part: ListedPart): Promise<PinnedPrompt | Refusal | undefined>
}

/** The parts of a prompt that a list has. It is unstaged if it has no staging label, whatever the labels are. */
export function listedParts(entry: PromptSummary): ListedPart[] {
  const { slug, folder, model, liveVersion, stagingVersion } = entry
  const part = (environment: Environment, version: string | null): ListedPart[] =>
    version === null ? [] : [{ slug, folder, model, environment, version }]
  return [...part('live', liveVersion), ...part('test', stagingVersion)]
}

export function isReadable(
  { stagingVersion }: PromptSummary,
  { environment }: PartId,
  { live, staging }: Readable,
): boolean {
  if (environment === 'test') return staging
  return live === 'all' || (live === 'unstaged' && stagingVersion === null)
}
