import { join } from 'node:path'
import { configFileNames } from '../../config/config-file.ts'
import { readText } from '../../fs/files.ts'
import { findIgnored } from '../../fs/git.ts'
import { addExampleVariables, ignoresExample, missingIgnores } from './plain-files.ts'
import { appendLines, planEdit } from './plan-edit.ts'
import type { Bundler } from './bundlers.ts'
import type { ProjectFiles } from './project-files.ts'
import type { FileChange, ManualStep, PlannedPart } from './step.ts'

type Folder = Pick<ProjectFiles, 'root' | 'names'>

/**
 * Plans the variables in `.env.example`, without a key.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function planExample({ root }: Folder): Promise<PlannedPart> {
  const change = await planEdit(root, {
    name: '.env.example',
    what: 'PROMPTS_BASE_URL and PROMPTS_API_KEY, empty',
    edit: addExampleVariables,
  })
  if (change === undefined) return {}
  const gitignore = (await readText(join(root, '.gitignore'))) ?? ''
  return ignoresExample(gitignore) ? { change, manual: EXAMPLE_IGNORED } : { change }
}

const EXAMPLE_IGNORED: ManualStep = {
  what: 'Git ignores .env.example. To commit it, add this line to .gitignore:',
  lines: ['!.env.example'],
}

/**
 * Plans that git ignores `.env.local` and the declaration map, if there is a `.gitignore`.
 *
 * @param holdsKey - whether `.env.local` gets a key: then a `.gitignore` is created if git, with those
 *   of the folders above, does not ignore it yet
 * @throws PromptsError FILE_UNREADABLE
 */
export async function planIgnore(
  { root }: Pick<Folder, 'root'>,
  holdsKey: boolean,
): Promise<PlannedPart> {
  const name = '.gitignore'
  const current = await readText(join(root, name))
  if (current === undefined && !(holdsKey && (await commitsEnv(root)))) return {}
  const missing = missingIgnores(current ?? '')
  if (missing.length === 0) return {}
  const text = appendLines(current ?? '', missing)
  const kind = current === undefined ? 'created' : 'updated'
  return { change: { name, kind, text, what: missing.join(' and ') } }
}

async function commitsEnv(root: string): Promise<boolean> {
  const ignored = await findIgnored(root, ['.env.local'])
  return ignored?.has('.env.local') !== true
}

/**
 * Plans a `prompts.config.ts` if no tsconfig includes declarations in the root, or if there is no
 * plugin that could resolve the declared module.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function planTypes(
  project: Folder,
  bundler: Bundler | undefined,
): Promise<PlannedPart> {
  const { root, names } = project
  if (bundler?.declarations === false) return {}
  if (configFileNames('prompts').some((name) => names.has(name))) return {}
  if (!(names.has('tsconfig.json') || names.has('jsconfig.json'))) return {}
  const { declarationsFolder } = await import('../generate/declarations-location.ts')
  const folder = declarationsFolder(root) ?? bundler?.declarations ?? ''
  if (folder === '') return {}
  const dts = `${folder}/prompts.d.ts`
  const change = configFile(dts, `declarations in ${folder}, where TypeScript sees them`)
  if (!names.has('prompts.d.ts')) return { change }
  const what = `Remove the old declarations, which ${dts} replaces:`
  return { change, manual: { what, lines: ['rm prompts.d.ts prompts.d.ts.map'] } }
}

function configFile(dts: string, what: string): FileChange {
  const text = `import { defineConfig } from 'unplugin-prompts'\n\nexport default defineConfig({\n  dts: '${dts}',\n})\n`
  return { name: 'prompts.config.ts', kind: 'created', text, what }
}
