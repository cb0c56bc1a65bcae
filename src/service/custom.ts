/**
 * A prompt service that two functions of the project read. Their answers pass the checks of the built-in
 * one.
 */
import type { ResolvedOptions } from '../config/resolve-options.ts'
import type { CustomService, FetchJson, ServiceContext } from '../config/options.ts'
import { describePart } from '../core/prompt.ts'
import type { PromptService } from '../core/service.ts'
import { errorMessage } from '../errors/error-code.ts'
import { isPromptsError, PromptsError } from '../errors/prompts-error.ts'
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
  const variable = service.secrets.find((name) => (env[name] ?? '') === '')
  if (variable !== undefined) throw new PromptsError('KEY_MISSING', { variable })
  const mask = createMask(options.secrets)
  const send = createFetchJson(options, mask)

  /** Runs a function until it has sent nothing for as long as one request may take. */
  async function run<T>(what: string, work: (context: ServiceContext) => Promise<T>): Promise<T> {
    const late = new AbortController()
    const context = { env, fetchJson, signal: AbortSignal.any([signal, late.signal]) }
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
        return answer === null ? undefined : readCustomPrompt(answer, part)
      }),
  }
}

/**
 * The error for what a function threw, or answered. Only an error of this package is its cause: it is
 * masked.
 */
function adapterError(service: string, what: string, error: unknown, mask: Mask): PromptsError {
  const isOurs = isPromptsError(error)
  const reason = isOurs ? `[${error.code}] ${error.why}` : clip(errorMessage(error), mask, 400)
  const details = { service, problems: [`${what}: ${reason}`] }
  return new PromptsError('SERVICE_ADAPTER_FAILED', details, isOurs ? { cause: error } : {})
}

/** The package's own client, for any address: one set of connections for each origin. */
function createFetchJson(options: CustomOptions, mask: Mask): FetchJson {
  const senders = new Map<string, Send>()
  const keySource = options.service.secrets.join(' or ')
  return async (url, { retry, ...request } = {}) => {
    const { origin, pathname, search } = new URL(url)
    const send = senders.get(origin) ?? createSender(options, origin, mask)
    senders.set(origin, send)
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
