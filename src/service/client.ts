import { keyEnvironment } from '../config/api-key.ts'
import { parseBaseUrl } from '../config/base-url.ts'
import type { Environment } from '../core/prompt.ts'
import { chooseProxy } from './proxy.ts'
import type { PromptList, PromptService, ServedPrompt } from '../core/service.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { type AttemptResult, succeeded, type RequestContext } from './attempt-result.ts'
import { type HttpResponse, getHeader } from './exchange.ts'
import { clip, createMask } from './mask.ts'
import { LIST_PATH, promptPath } from './prompt-path.ts'
import { Requests, type RequestsOptions } from './requests.ts'
import { type Clock, systemClock } from './retry.ts'
import type { PromptServiceOptions } from './client-options.ts'
import { readList, readPrompt } from './wire.ts'

export type { PromptServiceOptions, RetryEvent } from './client-options.ts'

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
  return new HostedPromptService(
    options,
    new Requests({ ...options, ...resolveRoute(options), clock }),
  )
}

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

function resolveRoute({
  workspace,
  baseUrl,
  proxyEnv,
  key,
}: PromptServiceOptions): Pick<RequestsOptions, 'base' | 'proxy'> {
  const base = parseBaseUrl(baseUrl)
  if (base.kind === 'unusable') {
    throw new PromptsError('BASE_URL_INVALID', { problem: createMask(key)(base.problem) })
  }
  const proxy = chooseProxy(base, proxyEnv)
  if (proxy.kind === 'unusable') {
    const details = { url: base.origin, reason: proxy.problem, attempts: 0, workspace }
    throw new PromptsError('SERVICE_UNREACHABLE', details)
  }
  return { base, proxy: proxy.kind === 'proxy' ? proxy : undefined }
}

const MEBIBYTE = 1024 * 1024
const LIST_LIMIT = 64 * MEBIBYTE
const PROMPT_LIMIT = 32 * MEBIBYTE
const STATUS_HEADER = 'x-service-plan-status'

class HostedPromptService implements PromptService {
  readonly environment: Environment
  readonly #options: Pick<PromptServiceOptions, 'onWarning'>
  readonly #requests: Requests
  #warned = false

  constructor(options: PromptServiceOptions, requests: Requests) {
    this.environment = options.environment
    this.#options = options
    this.#requests = requests
  }

  async list(): Promise<PromptList> {
    const readers = { 200: readListAndStatus }
    const read = { path: LIST_PATH, limit: LIST_LIMIT, readers }
    const { list, status } = await this.#requests.send(read)
    this.#compareStatus(status, list.planStatus)
    return list
  }

  async get(slug: string): Promise<ServedPrompt | undefined> {
    const requested = { slug, environment: this.environment }
    return await this.#requests.send<ServedPrompt | undefined>({
      path: promptPath(slug, this.#requests.mask),
      limit: PROMPT_LIMIT,
      readers: {
        200: (answer, context) => readPrompt(answer, context, requested),
        404: () => succeeded(undefined),
      },
    })
  }

  async close(): Promise<void> {
    await this.#requests.close()
  }

  /** The body has precedence over the header, because the types are about the body. */
  #compareStatus(header: string | undefined, body: string): void {
    if (header === undefined || this.#warned || isSameStatus(header, body)) return
    this.#warned = true
    const [inHeader, inBody] = [header, body].map((status) => clip(status, this.#requests.mask))
    this.#options.onWarning?.(
      `The service reports different plan statuses: “${inHeader}” in the header ${STATUS_HEADER}, “${inBody}” in the body. The body is used.`,
    )
  }
}

interface ListAndStatus {
  readonly list: PromptList
  /** The header with the value of `planStatus`. */
  readonly status: string | undefined
}

function readListAndStatus(
  answer: HttpResponse,
  context: RequestContext,
): AttemptResult<ListAndStatus> {
  const list = readList(answer, context)
  const status = getHeader(answer, STATUS_HEADER)
  return list.kind === 'failed' ? list : succeeded({ list: list.value, status })
}

/** Headers lose surrounding white space, and are decoded as Latin-1 even if they are UTF-8. */
function isSameStatus(header: string, body: string): boolean {
  const decoded = Buffer.from(header, 'latin1').toString('utf8')
  return [header, decoded].includes(body.trim())
}
