/**
 * A prompt service that two functions of the project read. Their answers pass the checks of the built-in
 * one.
 */
import { findWrapping } from '../config/api-key.ts'
import type { ResolvedOptions } from '../config/resolve-options.ts'
import type { CustomService, FetchJson, ServiceContext } from '../config/options.ts'
import { describePart, partKey } from '../core/prompt.ts'
import {
  type ListedPart,
  type PromptService,
  type Remarks,
  SERVICE_CLOSED,
} from '../core/service.ts'
import { errorMessage, isPromptsError, PromptsError } from '../errors/prompts-error.ts'
import { rejectOnAbort } from './http.ts'
import { clip, createMask, type Mask } from './mask.ts'
import { clock } from './retry.ts'
import { createSender, type Send, type SenderOptions } from './sender.ts'
import { readCustomList, readCustomPrompt, readJson } from './wire.ts'

interface CustomOptions extends SenderOptions, Pick<ResolvedOptions, 'env' | 'staging'> {
  readonly service: CustomService
}

/** Opens the service. Nothing is called before the first read. */
export function openCustomService(options: CustomOptions): PromptService {
  const { service, env, staging, timeout, signal } = options
  for (const variable of service.secrets) assertSecret(variable, env[variable])
  const mask = createMask(options.secrets)
  const send = createFetchJson(options)
  const warnings = new Set<string>()
  const remarks = new Map<string, Remarks>()
  const readPart = partReader({ service, mask, remarks })
  const interrupted = untilClosed(signal)

  function warn(message: unknown): void {
    const text = shorten(message, mask)
    if (!warnings.has(text)) options.onWarning?.(`${service.name}: ${text}`)
    warnings.add(text)
  }

  /** Runs a function until it has sent nothing for as long as one request may take. */
  async function run<T>(what: string, work: (context: ServiceContext) => Promise<T>): Promise<T> {
    const late = new AbortController()
    const context: ServiceContext = {
      env,
      fetchJson: fetchJson as FetchJson,
      warn,
      signal: AbortSignal.any([interrupted, late.signal]),
    }
    const details = { url: service.name, milliseconds: timeout, attempts: 1 }
    let pending = 0
    const timer = clock.timer(timeout, () => {
      if (pending > 0) timer.refresh()
      else late.abort(new PromptsError('SERVICE_TIMEOUT', details))
    })
    function fetchJson(...request: Parameters<FetchJson>): Promise<unknown> {
      pending++
      const answer = send(...request).finally(() => {
        pending--
        timer.refresh()
      })
      return unawaited(signal, answer)
    }
    try {
      signal.throwIfAborted()
      return await Promise.race([work(context), rejectOnAbort(context.signal)])
    } catch (error) {
      signal.throwIfAborted()
      throw adapterError(service.name, mask(what), error, mask)
    } finally {
      timer.close()
    }
  }

  return {
    readable: { live: 'all', staging },
    remarks,
    list: () => run('list', async (context) => readCustomList(await service.list(context))),
    get: (part) => run(`get ${describePart(part)}`, (context) => readPart(part, context)),
  }
}

interface PartReader {
  readonly service: CustomService
  readonly mask: Mask
  /** Gets what is said of each part. */
  readonly remarks: Map<string, Remarks>
}

function partReader({ service, mask, remarks }: PartReader) {
  return async (part: ListedPart, context: ServiceContext) => {
    const { slug, environment, version } = part
    const said = new Set<string>()
    const warn = (message: unknown): void => void said.add(shorten(message, mask))
    const answer: unknown = await service.get(slug, { ...context, warn, environment, version })
    if (answer === null) return undefined
    const prompt = readCustomPrompt(answer, part, mask)
    if ('refused' in prompt) return { refused: [shorten(prompt.refused, mask), ...said].join('; ') }
    const note = shorten(Object(answer).note ?? '', mask) || null
    remarks.set(partKey(part), { note, warnings: [...said] })
    return prompt
  }
}

function shorten(message: unknown, mask: Mask): string {
  return clip(errorMessage(message), mask, MAX_REASON)
}

/** Aborted as a signal is, but not when the service is closed: a function may still have requests of its own. */
function untilClosed(signal: AbortSignal): AbortSignal {
  const aborter = new AbortController()
  signal.addEventListener('abort', () => {
    if (signal.reason !== SERVICE_CLOSED) aborter.abort(signal.reason)
  })
  return aborter.signal
}

/** A promise that ends nothing if nobody awaits it: its rejection is handled, and none comes from closing the service. */
function unawaited(signal: AbortSignal, answer: Promise<unknown>): Promise<unknown> {
  const result = answer.catch((error: unknown) => {
    if (signal.reason === SERVICE_CLOSED) return new Promise(() => undefined)
    throw error
  })
  result.catch(() => undefined)
  return result
}

/** Throws if a secret is missing, or was taken with what is around it. One of several lines may end with one. */
function assertSecret(variable: string, value: string | undefined): void {
  if (!value) throw new PromptsError('KEY_MISSING', { variable })
  const wrapping = findWrapping(value)
  if (wrapping === undefined || (wrapping === 'a line end' && value.trim().includes('\n'))) return
  throw new PromptsError('KEY_MALFORMED', { source: variable, wrapping })
}

/** How many characters are shown of a note, a warning, a refusal or an error of the two functions. */
const MAX_REASON = 400

/**
 * The error for what a function threw, or answered. Only an error of this package is its cause: it is
 * masked, and knows what to do.
 */
function adapterError(service: string, what: string, error: unknown, mask: Mask): PromptsError {
  const details = (reason: string) => ({ service, problems: [`${what}: ${reason}`] })
  if (!isPromptsError(error)) {
    return new PromptsError('SERVICE_ADAPTER_FAILED', details(shorten(error, mask)))
  }
  const { code, why, fix } = error
  // Functions have addresses of their own.
  const subject = code === 'SERVICE_UNREACHABLE' ? 'the network' : 'the request'
  const advice = fix.includes('`baseUrl`') ? `Check ${subject}, and the URL in \`service\`.` : fix
  const caused = { ...details(`[${code}] ${why}`), advice }
  return new PromptsError('SERVICE_ADAPTER_FAILED', caused, { cause: error })
}

/** The package's own client, for any address: one set of connections for each origin. */
function createFetchJson(
  options: CustomOptions,
): (...request: Parameters<FetchJson>) => Promise<unknown> {
  const senders = new Map<string, Send>()
  const { env, service } = options
  const keySource = service.secrets.join(' or ') || service.name
  return async (url, { retry, allowHttp, ...request } = {}) => {
    if (!URL.canParse(url)) throw new Error(describeAddress(url, env))
    const { pathname, search } = new URL(url)
    const baseUrl = new URL('/', url).href
    const id = `${baseUrl} ${allowHttp}`
    const send = senders.get(id) ?? createSender(options, baseUrl, allowHttp)
    senders.set(id, send)
    const isRepeatable = retry ?? (request.method ?? 'GET') === 'GET'
    const outgoing = { ...request, path: pathname + search, keySource, isRepeatable }
    return send(outgoing, (response, sent) => {
      try {
        return readJson(response, sent)
      } catch (failure) {
        throw Object.assign(Object(failure), { status: response.status })
      }
    })
  }
}

/** Says why an address is none, without what may be secret in it. */
function describeAddress(url: string, env: CustomOptions['env']): string {
  for (const [variable, value = ''] of Object.entries(env))
    if (findWrapping(value) === 'quotes' && url.includes(value.trim()))
      return `${variable} has quotes around it`
  return 'Invalid URL'
}
