/**
 * A prompt service that two functions of the project read. Their answers pass the checks of the built-in
 * one.
 */
import type { ResolvedOptions } from '../config/resolve-options.ts'
import type { CustomService, FetchJson, ServiceContext } from '../config/options.ts'
import { describePart } from '../core/prompt.ts'
import type { PromptService } from '../core/service.ts'
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
  const variable = service.secrets.find((name) => !env[name])
  if (variable !== undefined) throw new PromptsError('KEY_MISSING', { variable })
  const mask = createMask(options.secrets)
  const send = createFetchJson(options)
  const warnings = new Set<string>()

  function warn(message: string): void {
    const text = clip(message, mask, MAX_REASON)
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
      signal: AbortSignal.any([signal, late.signal]),
    }
    const details = { url: service.name, milliseconds: timeout, attempts: 1 }
    let pending = 0
    const timer = clock.timer(timeout, () => {
      if (pending > 0) timer.refresh()
      else late.abort(new PromptsError('SERVICE_TIMEOUT', details))
    })
    async function fetchJson(...request: Parameters<FetchJson>): Promise<unknown> {
      pending++
      return send(...request).finally(() => {
        pending--
        timer.refresh()
      })
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
    list: () => run('list', async (context) => readCustomList(await service.list(context))),
    get: (part) =>
      run(`get ${describePart(part)}`, async (context) => {
        const { slug, environment, version } = part
        const answer: unknown = await service.get(slug, { ...context, environment, version })
        if (answer === null) return undefined
        const prompt = readCustomPrompt(answer, part)
        return 'refused' in prompt ? { refused: clip(prompt.refused, mask, MAX_REASON) } : prompt
      }),
  }
}

/** How many characters are shown of a warning, a refusal or an error of the two functions. */
const MAX_REASON = 400

/**
 * The error for what a function threw, or answered. Only an error of this package is its cause: it is
 * masked, and knows what to do.
 */
function adapterError(service: string, what: string, error: unknown, mask: Mask): PromptsError {
  const details = (reason: string) => ({ service, problems: [`${what}: ${reason}`] })
  if (!isPromptsError(error)) {
    const reason = clip(errorMessage(error), mask, MAX_REASON)
    return new PromptsError('SERVICE_ADAPTER_FAILED', details(reason))
  }
  const { code, why, fix } = error
  // Functions have addresses of their own.
  const advice = fix.includes('`baseUrl`')
    ? 'Check the network, and the address in `service`.'
    : fix
  const caused = { ...details(`[${code}] ${why}`), advice }
  return new PromptsError('SERVICE_ADAPTER_FAILED', caused, { cause: error })
}

/** The package's own client, for any address: one set of connections for each origin. */
function createFetchJson(
  options: CustomOptions,
): (...request: Parameters<FetchJson>) => Promise<unknown> {
  const senders = new Map<string, Send>()
  const { name, secrets } = options.service
  const keySource = secrets.join(' or ') || name
  return async (url, { retry, allowHttp, ...request } = {}) => {
    const { pathname, search } = new URL(url)
    const baseUrl = new URL('/', url).href
    const id = `${baseUrl} ${allowHttp}`
    const send = senders.get(id) ?? createSender(options, baseUrl, allowHttp)
    senders.set(id, send)
    const isRepeatable = retry ?? (request.method ?? 'GET') === 'GET'
    const outgoing = { ...request, path: pathname + search, keySource, isRepeatable }
    let status: number | undefined
    const answer = send(outgoing, (response, sent) => {
      status = response.status
      return readJson(response, sent)
    })
    return answer.catch((error: unknown) => {
      throw error instanceof Error ? Object.assign(error, { status }) : error
    })
  }
}
