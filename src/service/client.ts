import { keyEnvironment } from '../config/api-key.ts'
import type { PromptService, ServedPrompt } from '../core/service.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import type { PromptServiceOptions } from './client-options.ts'
import { type HttpResponse, getHeader } from './http.ts'
import { clip, createMask, type Mask } from './mask.ts'
import { createRequests } from './requests.ts'
import { type Clock, systemClock } from './retry.ts'
import { readList, readPrompt } from './wire.ts'

/**
 * The client of the hosted prompt service. It sends nothing before the first call, and does
 * not keep the process alive if it is not closed.
 *
 * Both operations reject with a PromptsError that never contains the key, or with the reason of an
 * abort.
 *
 * @param clock - time and randomness, for tests
 * @throws PromptsError KEY_MALFORMED, KEY_KIND_UNKNOWN, ENVIRONMENT_MISMATCH, BASE_URL_INVALID;
 *   SERVICE_UNREACHABLE if the proxy variables are invalid
 */
export function createPromptService(
  options: PromptServiceOptions,
  clock: Clock = systemClock,
): PromptService {
  checkKey(options)
  const { environment } = options
  const mask = createMask(options.key)
  const requests = createRequests(options, mask, clock)
  const compareStatus = createStatusCheck(options, mask)
  return {
    environment,
    list: () =>
      requests.send({
        path: LIST_PATH,
        limit: LIST_LIMIT,
        readers: {
          200: (answer, context) => {
            const list = readList(answer, context)
            compareStatus(answer, list.planStatus)
            return list
          },
        },
      }),
    get: async (slug) =>
      requests.send<ServedPrompt | undefined>({
        path: promptPath(slug, mask),
        limit: PROMPT_LIMIT,
        readers: {
          200: (answer, context) => readPrompt(answer, context, { slug, environment }),
          404: () => undefined,
        },
      }),
    close: () => requests.close(),
  }
}

/** Path of the list, relative to the base address. */
const LIST_PATH = '/api/v1/prompts'

/** URL parsers and servers remove these segments, percent-encoded or not. */
const DOT_SEGMENTS = new Set(['.', '..'])

/** Octets. Servers and proxies need not accept longer paths (RFC 9110, section 4.1). */
const MAX_PATH = 8000

/**
 * Returns the path of one prompt, with its slug as one encoded segment. Do not pass it to a URL parser.
 *
 * @throws PromptsError SLUG_UNSAFE, TEXT_UNPAIRED_SURROGATE
 */
function promptPath(slug: string, mask: Mask): string {
  if (DOT_SEGMENTS.has(slug)) throw new PromptsError('SLUG_UNSAFE', { slugs: [slug] })
  if (/\p{Surrogate}/u.test(slug)) {
    const problems = [`the slug ${clip(JSON.stringify(slug), mask)}`]
    throw new PromptsError('TEXT_UNPAIRED_SURROGATE', { problems })
  }
  const path = `${LIST_PATH}/${encodeURIComponent(slug)}`
  if (path.length <= MAX_PATH) return path
  const slugs = [`${clip(slug, mask)}… (${slug.length} characters)`]
  throw new PromptsError('SLUG_UNSAFE', { slugs })
}

const MEBIBYTE = 1024 * 1024
const LIST_LIMIT = 64 * MEBIBYTE
const PROMPT_LIMIT = 32 * MEBIBYTE

/** Other characters would end a header or be removed from it. */
const HEADER_SAFE = /^[\u0021-\u007e]+$/

/** Called before anything is sent, so that a wrong key never leaves this machine. */
function checkKey({ key, keySource: source, environment }: PromptServiceOptions): void {
  if (!HEADER_SAFE.test(key)) throw new PromptsError('KEY_MALFORMED', { source })
  const kind = keyEnvironment(key)
  if (kind === undefined) throw new PromptsError('KEY_KIND_UNKNOWN', { source })
  if (kind === environment) return
  throw new PromptsError('ENVIRONMENT_MISMATCH', { option: environment, kind, source })
}

const STATUS_HEADER = 'x-service-plan-status'

/**
 * Creates the check that header and body of a list have the same plan status, with one warning. The body
 * has precedence, because the types are about the body.
 */
function createStatusCheck(
  { onWarning }: PromptServiceOptions,
  mask: Mask,
): (answer: HttpResponse, body: string) => void {
  let hasWarned = false
  return (answer, body) => {
    const header = getHeader(answer, STATUS_HEADER)
    if (header === undefined || hasWarned || isSameStatus(header, body)) return
    hasWarned = true
    const [inHeader, inBody] = [header, body].map((status) => clip(status, mask))
    onWarning?.(
      `The service reports different plan statuses: “${inHeader}” in the header ${STATUS_HEADER}, “${inBody}” in the body. The body is used.`,
    )
  }
}

/** Headers lose surrounding white space, and are decoded as Latin-1 even if they are UTF-8. */
function isSameStatus(header: string, body: string): boolean {
  const decoded = Buffer.from(header, 'latin1').toString('utf8')
  return [header, decoded].includes(body.trim())
}
