import { loaded, PromptsError } from '../../errors/prompts-error.ts'
import type { ResolvedOptions, Setting } from '../../config/resolve-options.ts'
import type { PromptService } from '../../core/service.ts'
import { envVariable } from '../../core/workspace-name.ts'
import type { CallOptions, PromptServiceOptions } from '../../service/client.ts'

interface ServiceCall extends CallOptions, Pick<PromptServiceOptions, 'onWarning'> {}

/**
 * Opens a client of the service for one piece of work and closes it afterwards.
 *
 * @throws PromptsError KEY_MISSING and BASE_URL_MISSING before anything is sent, and what the work
 *   throws
 */
export async function withService<Result>(
  options: ResolvedOptions,
  work: (service: PromptService) => Promise<Result>,
  call: ServiceCall,
): Promise<Result> {
  const service = await connect(options, call)
  try {
    return await work(service)
  } finally {
    await service.close()
  }
}

/**
 * The API key of the options.
 *
 * @throws PromptsError KEY_MISSING, which also names the base URL if that is missing
 */
function requireKey({ apiKey, baseUrl, name }: ResolvedOptions): Setting {
  if (apiKey !== undefined) return apiKey
  const [key, address] = [envVariable(name, 'API_KEY'), envVariable(name, 'BASE_URL')]
  const variable = baseUrl === undefined ? `${key} and ${address}` : key
  throw new PromptsError('KEY_MISSING', { variable })
}

/** Loads the client and undici on the first request only. */
async function connect(options: ResolvedOptions, call: ServiceCall): Promise<PromptService> {
  const { name, baseUrl } = options
  const apiKey = requireKey(options)
  if (baseUrl === undefined)
    throw new PromptsError('BASE_URL_MISSING', { variable: envVariable(name, 'BASE_URL') })
  const { createPromptService } = await loaded(import('../../service/client.ts'))
  return createPromptService({ ...options, ...call, baseUrl, apiKey })
}
