import { appendLines, planEdit } from './plan-edit.ts'
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
  const variables = Object.entries({ PROMPTS_BASE_URL: baseUrl, PROMPTS_API_KEY: apiKey })
  const change = await planEdit(root, {
    name: '.env.local',
    what: 'address and key of the prompt service',
    edit: (text) => variables.reduce(setVariable, text),
  })
  return change === undefined ? {} : { change }
}

function setVariable(
  text: string,
  [name, value]: readonly [name: string, value: string | undefined],
): string {
  if (value === undefined) return text
  const line = `${name}=${value}`
  const present = new RegExp(String.raw`^[ \t]*(?:export[ \t]+)?${name}[ \t]*=.*$`, 'm')
  if (present.test(text)) return text.replace(present, () => line)
  return appendLines(text, [line])
}
