import { maskKey } from '../../config/api-key.ts'
import { configFileNames } from '../../config/config-file.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { envVariable } from '../../core/workspace-name.ts'
import { asPromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import type { Project, ServiceCallOptions } from '../project/project.ts'
import { brokenBy, type Diagnosis } from './diagnosis.ts'

/** Which workspace is read, and where its options come from. */
export function diagnoseConfiguration(
  { options: { name, environment } }: Project,
  names: ReadonlySet<string>,
): Diagnosis {
  const file = configFileNames(name).find((each) => names.has(each))
  const source = file ?? `no ${name}.config.ts: default options`
  const message = `workspace ${name}, ${environment}, ${source}`
  return { topic: 'configuration', state: 'ok', message }
}

/** Where the key comes from, with most of it masked. */
export function diagnoseKey({ options: { apiKey, name } }: Project): Diagnosis {
  if (apiKey === undefined) {
    const message = `no ${envVariable(name, 'API_KEY')}: builds use the lock, a pull needs a key`
    return { topic: 'key', state: 'skipped', message }
  }
  const message = sanitize(`${maskKey(apiKey.value)} from ${apiKey.source}`)
  return { topic: 'key', state: 'ok', message }
}

/** Where the address comes from. It is shown without what may be a password in it. */
export function diagnoseAddress({ options }: Project): Diagnosis {
  const { baseUrl, baseUrlSource = '', name } = options
  if (baseUrl === undefined) {
    const message = `no ${envVariable(name, 'BASE_URL')}: builds use the lock, a pull needs an address`
    return { topic: 'address', state: 'skipped', message }
  }
  const shown = URL.canParse(baseUrl) ? new URL(baseUrl).origin : 'not a URL'
  return { topic: 'address', state: 'ok', message: sanitize(`${shown} from ${baseUrlSource}`) }
}

/** Whether the service answers: one list request, no metered read. */
export async function diagnoseService(
  project: Project,
  isOffline: boolean,
  call: ServiceCallOptions,
): Promise<Diagnosis> {
  const { apiKey, baseUrl } = project.options
  const skipped = { topic: 'service', state: 'skipped' } as const
  if (isOffline) return { ...skipped, message: 'not asked: --offline' }
  if (apiKey === undefined || baseUrl === undefined) {
    return { ...skipped, message: 'not asked: it needs a key and an address' }
  }
  const listed = await project.withService((service) => service.list(), call).catch(asPromptsError)
  if (isPromptsError(listed)) return brokenBy('service', listed)
  const { prompts, planStatus } = listed
  const status = planStatus === 'active' ? '' : `, plan status ${planStatus}`
  const message = sanitize(`lists ${pluralize(prompts.length, 'prompt')}${status}`)
  return { topic: 'service', state: 'ok', message }
}
