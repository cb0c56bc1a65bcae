import { join } from 'node:path'
import { readText } from '../../fs/files.ts'
import type { ProjectFiles } from './project-files.ts'
import type { PlannedPart } from './step.ts'

/** What `.env.local` gets of the prompt service. */
export interface ServiceAccess {
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
}

/**
 * Plans address and key in `.env.local`. What is there under their names is replaced, everything else
 * stays. The key is in the planned text: hide it in everything that is shown.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function planEnv(
  { root }: Pick<ProjectFiles, 'root'>,
  { baseUrl, apiKey }: ServiceAccess,
): Promise<PlannedPart> {
  const name = '.env.local'
  const current = await readText(join(root, name))
  const variables = { PROMPTS_BASE_URL: baseUrl, PROMPTS_API_KEY: apiKey }
  const text = Object.entries(variables).reduce(setVariable, current ?? '')
  if (text === (current ?? '')) return {}
  const kind = current === undefined ? 'created' : 'updated'
  return { change: { name, kind, text, what: 'address and key of the prompt service' } }
}

function setVariable(
  text: string,
  [name, value]: readonly [name: string, value: string | undefined],
): string {
  if (value === undefined) return text
  const line = `${name}=${value}`
  const present = new RegExp(String.raw`^[ \t]*(?:export[ \t]+)?${name}[ \t]*=.*$`, 'm')
  if (present.test(text)) return text.replace(present, () => line)
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`
}
