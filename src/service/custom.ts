/** A prompt service that two functions of the project read. Their answers pass the checks of the built-in one. */
import type { CustomService, JsonRequest, ServiceContext } from '../config/service-option.ts'
import { parseBaseUrl } from '../config/base-url.ts'
import type { ListedPart, PromptService } from '../core/service.ts'
import { errorMessage } from '../errors/error-code.ts'
import { isPromptsError, PromptsError } from '../errors/prompts-error.ts'
import { rejectOnAbort } from './http.ts'
import { clip, createMask, type Mask } from './mask.ts'
import { type Clock, systemClock } from './retry.ts'
import { createSender, type Sender, type SenderOptions } from './sender.ts'
import { readCustomList, readCustomPrompt, readJson } from './wire.ts'

/** Options of {@link openCustomService}. */
export interface CustomOptions extends SenderOptions {
  readonly service: CustomService
  readonly env: ServiceContext['env']
  /** Whether staging versions are read. Default: they are. */
  readonly staging?: boolean | undefined
}

/**
 * Opens the service. Nothing is called before the first read.
 *
 * @param clock - time and randomness, for tests
 * @throws PromptsError KEY_MISSING
 */
export function openCustomService(
  options: CustomOptions,
  clock: Clock = systemClock,
): PromptService {
  const { service, env, staging = true } = options
  const missing = service.secrets.find((variable) => (env[variable] ?? '') === '')
  if (missing !== undefined) throw new PromptsError('KEY_MISSING', { variable: missing })
  const mask = createMask(options.secrets)
  const closing = new AbortController()
  const signal = AbortSignal.any([closing.signal, ...(options.signal ? [options.signal] : [])])
  const client = createJsonClient({ ...options, signal }, mask, clock)
  const call = <T>(
    what: string,
    work: (context: ServiceContext) => unknown,
    read: (answer: unknown) => T,
  ) =>
    runFunction(async (context) => read(await work(context)), {
      what,
      options,
      mask,
      signal,
      client,
      env,
    })
  return {
    readable: { live: 'all', staging },
    list: () => call('list', (context) => service.list(context), readCustomList),
    get: (part) =>
      call(
        nameOf(part),
        (context) =>
          service.get(part.slug, {
            ...context,
            environment: part.environment,
            version: part.version,
          }),
        (answer) => (answer === null ? undefined : readCustomPrompt(answer, part)),
      ),
    async close() {
      closing.abort(new DOMException('The prompt service was closed.', 'AbortError'))
      await client.close()
    },
  }
}

function nameOf({ slug, environment }: ListedPart): string {
  return `get ${slug}${environment === 'test' ? ' (staging)' : ''}`
}

interface FunctionCall {
  /** For messages. */
  readonly what: string
  readonly options: CustomOptions
  readonly mask: Mask
  readonly signal: AbortSignal
  readonly client: JsonClient
  readonly env: ServiceContext['env']
}

/**
 * Calls a function of the service. It ends if the command is aborted, or if it does nothing for as long as one
 * request may take.
 *
 * @throws PromptsError SERVICE_ADAPTER_FAILED; the reason of an abort
 */
async function runFunction<T>(
  work: (context: ServiceContext) => Promise<T>,
  { what, options, mask, signal, client, env }: FunctionCall,
): Promise<T> {
  const { name } = options.service
  const fail = (reason: string, cause?: unknown): PromptsError =>
    new PromptsError(
      'SERVICE_ADAPTER_FAILED',
      { service: name, problems: [`${mask(what)}: ${reason}`] },
      { cause },
    )
  const idle = new AbortController()
  const { timeout: milliseconds } = options
  const timeout = new PromptsError('SERVICE_TIMEOUT', { url: name, milliseconds, attempts: 1 })
  const late = fail(timeout.why, timeout)
  const startTimer = (): NodeJS.Timeout => setTimeout(() => idle.abort(late), milliseconds)
  let timer = startTimer()
  const fetchJson: ServiceContext['fetchJson'] = async (url, request) => {
    clearTimeout(timer)
    return client.fetchJson(url, request).finally(() => {
      clearTimeout(timer)
      timer = startTimer()
    })
  }
  const either = AbortSignal.any([signal, idle.signal])
  try {
    either.throwIfAborted()
    return await Promise.race([work({ env, fetchJson, signal: either }), rejectOnAbort(either)])
  } catch (error) {
    signal.throwIfAborted()
    if (error === late) throw error
    if (isPromptsError(error)) throw fail(`[${error.code}] ${error.why}`, error)
    throw fail(clip(errorMessage(error), mask, 400))
  } finally {
    clearTimeout(timer)
  }
}

interface JsonClient {
  readonly fetchJson: ServiceContext['fetchJson']
  close(): Promise<void>
}

/** The package's own client, for any address: one set of connections for each origin. */
function createJsonClient(options: CustomOptions, mask: Mask, clock: Clock): JsonClient {
  const senders = new Map<string, Sender>()
  const keySource = options.service.secrets.join(' or ')
  const open = (url: string): { sender: Sender; path: string } => {
    const [base = '', query] = url.split('?')
    const address = parseBaseUrl(base)
    if ('problem' in address)
      throw new PromptsError('BASE_URL_INVALID', { problem: address.problem })
    const { origin } = address
    const sender = senders.get(origin) ?? createSender(options, address, { mask, clock })
    senders.set(origin, sender)
    return { sender, path: address.prefix + (query === undefined ? '' : `?${query}`) }
  }
  return {
    async fetchJson(
      url,
      { method = 'GET', headers, body, retry = method === 'GET' }: JsonRequest = {},
    ) {
      const { sender, path } = open(url)
      let status: number | undefined
      const request = { path, method, headers, body, keySource, isRepeatable: retry }
      const read: Parameters<Sender['send']>[1] = (response, sent) => {
        status = response.status
        return readJson(response, sent)
      }
      return sender.send(request, read).catch((error: unknown) => {
        throw error instanceof Error ? Object.assign(error, { status }) : error
      })
    },
    async close() {
      await Promise.all([...senders.values()].map((sender) => sender.close()))
    },
  }
}
