import { maskKey } from '../../config/api-key.ts'
import { originOf } from '../../config/base-url.ts'
import { configFileNames } from '../../config/config-file.ts'
import { pluralize } from '../../core/text/pluralize.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { envVariable } from '../../core/workspace-name.ts'
import { asPromptsError, isPromptsError } from '../../errors/prompts-error.ts'
import type { Project } from '../project/project.ts'
import type { CallOptions } from '../../service/client.ts'
import { brokenBy, type Diagnosis, type ErrorTexts, ok, skipped } from './diagnosis.ts'

/** Which workspace is read, and where its options come from. */
export function diagnoseConfiguration(
  { options: { name, environment } }: Project,
  names: ReadonlySet<string>,
): Diagnosis {
  const file = configFileNames(name).find((each) => names.has(each))
  const source = file ?? `no ${name}.config.ts: default options`
  return ok('configuration', `workspace ${name}, ${environment}, ${source}`)
}

/** Where the key comes from, with most of it masked. */
export function diagnoseKey({ options: { apiKey, name } }: Project): Diagnosis {
  if (apiKey === undefined) {
    const variable = envVariable(name, 'API_KEY')
    return skipped('key', `no ${variable}: builds use the lock, a pull needs a key`)
  }
  return ok('key', sanitize(`${maskKey(apiKey.value)} from ${apiKey.source}`))
}

/** Where the address comes from. It is shown without what may be a password in it. */
export function diagnoseAddress({ options }: Project): Diagnosis {
  const { baseUrl, baseUrlSource = '', name } = options
  if (baseUrl === undefined) {
    const variable = envVariable(name, 'BASE_URL')
    return skipped('address', `no ${variable}: builds use the lock, a pull needs an address`)
  }
  return ok('address', sanitize(`${originOf(baseUrl) ?? 'not a URL'} from ${baseUrlSource}`))
}

/** Whether the service answers: one list request, no metered read. */
export async function diagnoseService(
  project: Project,
  isOffline: boolean,
  request: CallOptions & ErrorTexts,
): Promise<Diagnosis> {
  const { apiKey, baseUrl } = project.options
  if (isOffline) return skipped('service', 'not asked: --offline')
  if (apiKey === undefined || baseUrl === undefined)
    return skipped('service', 'not asked: it needs a key and an address')
  const listed = await project
    .withService((service) => service.list(), request)
    .catch(asPromptsError)
  if (isPromptsError(listed)) return brokenBy('service', listed, request)
  const { prompts, planStatus } = listed
  const status = planStatus === 'active' ? '' : `, plan status ${planStatus}`
  return ok('service', sanitize(`lists ${pluralize(prompts.length, 'prompt')}${status}`))
}
