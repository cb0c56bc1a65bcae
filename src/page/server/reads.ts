import { containsKey } from '../../config/api-key.ts'
import type { PinnedPrompt } from '../../core/prompt.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import type { Project } from '../../features/project/project.ts'
import { createCache } from './cache.ts'

/** The maximum number of reads per minute. A user never makes more; a script could. */
export const READS_PER_MINUTE = 30

const MINUTE = 60_000

/** How long a read is reused while the list entry of the prompt is unchanged, in milliseconds. */
const FRESH = 5 * MINUTE

/** A request to read one prompt. */
export interface ReadRequest {
  readonly slug: string
  /** The last list entry of the prompt, as text. */
  readonly listed: string
  /** Whether to ignore a recent read. */
  readonly fresh: boolean
}

/** Reads single prompts. Plans commonly meter reads, so they are cached and limited. */
export interface Reads {
  /**
   * @returns `undefined` if the project's workspace has no such prompt, or the options exclude it
   * @throws PromptsError PAGE_READS_LIMITED, TEXT_HOLDS_KEY and the errors of the service
   */
  read(project: Project, request: ReadRequest): Promise<PinnedPrompt | undefined>
}

/** Creates the reads of one page. */
export function createReads(now: () => number): Reads {
  const kept = createCache<PinnedPrompt | undefined>(now)
  let times: number[] = []
  const countRead = (workspace: string): void => {
    times = times.filter((time) => now() - time < MINUTE)
    if (times.length >= READS_PER_MINUTE)
      throw new PromptsError('PAGE_READS_LIMITED', { limit: READS_PER_MINUTE, workspace })
    times.push(now())
  }
  return {
    async read(project, { slug, listed, fresh }) {
      const { environment, name } = project.options
      const use = { stamp: listed, maxAge: fresh ? 0 : FRESH }
      return kept.get(JSON.stringify([environment, slug]), use, () => {
        countRead(name)
        return readOne(project, slug)
      }).value
    },
  }
}

async function readOne(project: Project, slug: string): Promise<PinnedPrompt | undefined> {
  const served = await project.withService((service) => service.get(slug))
  if (served === undefined || !project.options.isSelected(served)) return undefined
  const { folder, model, temperature, version, source, systemSource, userSource } = served
  const texts = { system: systemSource, user: userSource, source }
  const key = project.options.apiKey?.value
  const leaking = Object.entries(texts).filter(([, text]) => containsKey(text, key))
  if (leaking.length > 0) {
    throw new PromptsError('TEXT_HOLDS_KEY', {
      problems: leaking.map(([field]) => `${slug}: ${field}`),
    })
  }
  return { slug, folder, model, temperature, version, ...texts }
}
