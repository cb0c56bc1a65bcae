import { join } from 'node:path'
import { configFileNames } from '../../config/config-file.ts'
import { readText } from '../../fs/files.ts'
import { findIgnored } from '../../fs/git-ignore.ts'
import { addExampleVariables, addIgnores, ignoresExample, missingIgnores } from './plain-files.ts'
import type { Options } from '../../config/options.ts'
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
  const name = '.env.example'
  const current = await readText(join(root, name))
  const text = addExampleVariables(current ?? '')
  if (text === current) return {}
  const kind = current === undefined ? 'created' : 'updated'
  const what = 'PROMPTS_BASE_URL and PROMPTS_API_KEY, empty'
  const change = { name, kind, text, what } as const
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
  const text = addIgnores(current ?? '', missing)
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
  const change = configFile({ dts }, `declarations in ${folder}, where TypeScript sees them`)
  return {
    change,
    ...removalStep(names, `Remove the old declarations, which ${dts} replaces:`),
  }
}

function removalStep(names: Folder['names'], what: string): Pick<PlannedPart, 'manual'> {
  if (!names.has('prompts.d.ts')) return {}
  return { manual: { what, lines: ['rm prompts.d.ts prompts.d.ts.map'] } }
}

function configFile(options: Pick<Options, 'dts' | 'outDir'>, what: string): FileChange {
  const lines = Object.entries(options).map(([name, value]) => `  ${name}: ${shown(value)},\n`)
  const text = `import { defineConfig } from 'unplugin-prompts'\n\nexport default defineConfig({\n${lines.join('')}})\n`
  return { name: 'prompts.config.ts', kind: 'created', text, what }
}

function shown(value: string | boolean): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
