import { configFileNames } from '../../config/config-file.ts'
import type { Bundler } from './bundlers.ts'
import type { ProjectFiles } from './project-files.ts'
import type { PlannedPart } from './step.ts'

/**
 * Plans a `prompts.config.ts` if no tsconfig includes declarations in the root.
 */
export async function planTypes(
  { root, names, dependencies }: ProjectFiles,
  bundler: Bundler | undefined,
): Promise<PlannedPart> {
  if (bundler === undefined && !dependencies.has('wrangler')) return {}
  if (bundler?.declarations === false) return {}
  if (configFileNames('prompts').some((name) => names.has(name))) return {}
  if (!(names.has('tsconfig.json') || names.has('jsconfig.json'))) return {}
  const { declarationsFolder } = await import('../generate/declarations-location.ts')
  const folder = declarationsFolder(root) ?? bundler?.declarations ?? ''
  if (folder === '') return {}
  const dts = `${folder}/prompts.d.ts`
  const text = `import { defineConfig } from 'unplugin-prompts'\n\nexport default defineConfig({\n  dts: '${dts}',\n})\n`
  const added = `declarations in ${folder}, where TypeScript sees them`
  const change = { name: 'prompts.config.ts', kind: 'created', text, what: added } as const
  if (!names.has('prompts.d.ts')) return { change }
  const what = `Remove the old declarations, which ${dts} replaces:`
  return { change, manual: { what, lines: ['rm prompts.d.ts prompts.d.ts.map'] } }
}
