import type { ResolvedOptions } from '../../config/resolve-options.ts'
import { redact } from '../../core/secrets.ts'
import { type PromptService, SERVICE_CLOSED } from '../../core/service.ts'
import { envVariable } from '../../core/workspace-name.ts'
import { asPromptsError, loaded, mapDetails, PromptsError } from '../../errors/prompts-error.ts'
import type { CallOptions, SenderOptions } from '../../service/sender.ts'

export interface ServiceCall extends CallOptions {
  /** Whether a test key is used. Default: what the option `staging` says. */
  readonly staging?: true
}

/** Opens the service for one piece of work and closes it afterwards. Its errors never contain a key. */
export async function withService<Result>(
  options: ResolvedOptions,
  work: (service: PromptService) => Promise<Result>,
  call: ServiceCall & Pick<SenderOptions, 'onWarning'>,
): Promise<Result> {
  const closing = new AbortController()
  const signal = AbortSignal.any([closing.signal, ...(call.signal ? [call.signal] : [])])
  try {
    return await work(await openService(options, { ...call, signal }))
  } catch (error) {
    const { code, details, cause } = asPromptsError(error)
    // A service may echo a key in a slug or label, and a bundler's log shows the error.
    const masked = mapDetails(details, (text) => redact(text, options.secrets))
    throw new PromptsError(code, masked, { cause })
  } finally {
    closing.abort(SERVICE_CLOSED)
  }
}

/** Loads undici, on the first read only. */
async function openService(
  options: ResolvedOptions,
  call: ServiceCall & Pick<SenderOptions, 'onWarning' | 'signal'>,
): Promise<PromptService> {
  const { keys, baseUrl, name, service } = options
  if (service !== undefined) {
    const { openCustomService } = await loaded(import('../../service/custom.ts'))
    return openCustomService({ ...options, ...call, service })
  }
  const [key, address] = [envVariable(name, 'API_KEY'), envVariable(name, 'BASE_URL')]
  if (keys.length === 0) {
    const variable = baseUrl === undefined ? `${key} and ${address}` : key
    throw new PromptsError('KEY_MISSING', { variable })
  }
  if (baseUrl === undefined) throw new PromptsError('BASE_URL_MISSING', { variable: address })
  const { openHostedService } = await loaded(import('../../service/hosted.ts'))
  return openHostedService({ ...options, ...call, baseUrl })
}
