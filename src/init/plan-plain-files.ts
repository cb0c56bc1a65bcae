import { join } from 'node:path'
import { readText } from '../io/files.ts'
import { addExampleVariables, ignoreLocalEnv } from './plain-files.ts'
import type { Bundler } from './bundlers.ts'
import type { ProjectFiles } from './project-files.ts'
import type { ManualStep, PlannedPart } from './step.ts'

type Folder = Pick<ProjectFiles, 'root' | 'names'>

/**
 * Plans the variables in `.env.example`; never a key.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function planExample({ root }: Folder): Promise<PlannedPart> {
  const name = '.env.example'
  const current = await readText(join(root, name))
  const text = addExampleVariables(current ?? '')
  if (text === current) return {}
  const kind = current === undefined ? 'created' : 'updated'
  return { change: { name, kind, text, what: 'PROMPTS_BASE_URL and PROMPTS_API_KEY, empty' } }
}

/**
 * Plans that git ignores `.env.local`, where there is a `.gitignore`.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function planIgnore({ root }: Folder): Promise<PlannedPart> {
  const name = '.gitignore'
  const current = await readText(join(root, name))
  if (current === undefined) return {}
  const text = ignoreLocalEnv(current)
  return text === current ? {} : { change: { name, kind: 'updated', text, what: '.env.local' } }
}

/**
 * Plans a `prompts.config.ts` where TypeScript would not see declarations in the project's folder.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function planTypes(
  { root, names }: Folder,
  bundler: Bundler | undefined,
): Promise<PlannedPart> {
  const configured = [...names].some((name) => /^prompts\.config\.m?[jt]s$/.test(name))
  if (configured || !(names.has('tsconfig.json') || names.has('jsconfig.json'))) return {}
  const { declarationsFolder } = await import('../declarations-place.ts')
  const folder = declarationsFolder(root) ?? bundler?.declarations ?? ''
  if (folder === '') return {}
  const dts = `${folder}/prompts.d.ts`
  const what = `declarations in ${folder}, where TypeScript sees them`
  return {
    change: { name: 'prompts.config.ts', kind: 'created', text: configText(dts), what },
    ...(names.has('prompts.d.ts') ? { manual: leftBehind(dts) } : {}),
  }
}

function leftBehind(dts: string): ManualStep {
  return {
    what: `Remove the declarations that ${dts} takes the place of:`,
    lines: ['rm prompts.d.ts prompts.d.ts.map'],
  }
}

function configText(dts: string): string {
  return `import { defineConfig } from 'unplugin-prompts'\n\nexport default defineConfig({\n  dts: '${dts}',\n})\n`
}
