import type { Setting } from '../config/resolve-options.ts'
import type { Environment, PinnedPrompt } from '../core/prompt.ts'
import type { PromptList } from '../core/service.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { clip, createMask, type Mask } from './mask.ts'
import { createSender, MEBIBYTE, type OutgoingRequest, type SenderOptions } from './sender.ts'
import { readList, readPrompt } from './wire.ts'

export interface ClientOptions extends SenderOptions {
  readonly baseUrl: string
  readonly onWarning?: ((message: string) => void) | undefined
}

export interface Key extends Setting {
  readonly environment: Environment
}

export interface Client {
  list(): Promise<PromptList>
  /** @returns `undefined` when the workspace has no prompt with that slug (404) */
  get(slug: string): Promise<Omit<PinnedPrompt, 'environment'> | undefined>
}

/**
 * The client of the hosted prompt service for one key. It sends nothing before the first call, and its
 * connections do not keep the process alive.
 *
 * Both operations reject with a PromptsError that never contains a key, or with the reason of an
 * abort.
 */
export function createClient(options: ClientOptions, key: Key): Client {
  const { environment } = key
  const mask = createMask(options.secrets)
  const send = createSender(options, options.baseUrl, mask)
  let hasWarned = false
  const requestFor = (path: string): OutgoingRequest => ({
    path,
    keySource: key.source,
    headers: { authorization: `Bearer ${key.value}` },
  })
  return {
    list: () =>
      send({ ...requestFor(LIST_PATH), limit: 64 * MEBIBYTE }, (response, request) => {
        const list = readList(response, request)
        const header = response.header(STATUS_HEADER) ?? list.planStatus
        if (header !== list.planStatus && !hasWarned) {
          hasWarned = true
          options.onWarning?.(describeStatuses(clip(header, mask), clip(list.planStatus, mask)))
        }
        return list
      }),
    get: async (slug) =>
      send(requestFor(promptPath(slug, mask)), (response, request) =>
        response.status === 404 ? undefined : readPrompt(response, request, { slug, environment }),
      ),
  }
}

const STATUS_HEADER = 'x-service-plan-status'

/** The body has precedence, because the types are about the body. */
function describeStatuses(inHeader: string, inBody: string): string {
  return `The service reports different plan statuses: “${inHeader}” in the header ${STATUS_HEADER}, “${inBody}” in the body. The body is used.`
}

/** Path of the list, relative to the base address. */
const LIST_PATH = '/api/v1/prompts'

/** Returns the path of one prompt, with its slug as one encoded segment. Do not pass it to a URL parser. */
function promptPath(slug: string, mask: Mask): string {
  // URL parsers and servers remove these segments, percent-encoded or not.
  if (slug === '.' || slug === '..') throw new PromptsError('SLUG_UNSAFE', { slugs: [slug] })
  if (/\p{Surrogate}/u.test(slug)) {
    const problems = [`the slug ${clip(JSON.stringify(slug), mask)}`]
    throw new PromptsError('TEXT_UNPAIRED_SURROGATE', { problems })
  }
  return `${LIST_PATH}/${encodeURIComponent(slug)}`
}
