import type { Bundler } from './bundlers.ts'
import type { ProjectFiles } from './project-files.ts'
import type { PlannedPart } from './step.ts'

/** Plans the scripts in package.json. */
export async function planManifest(
  project: Pick<ProjectFiles, 'manifest' | 'names'>,
  bundler: Bundler | undefined,
): Promise<PlannedPart> {
  const { manifest } = project
  const scripts = scriptsFor(project, bundler)
  const lines = Object.entries(scripts).map(([name, command]) => `"${name}": "${command}",`)
  const manual = { what: 'Add these scripts to package.json:', lines }
  if (manifest === undefined) return { manual }
  const { addScripts } = await import('./edit-manifest.ts')
  const text = addScripts(manifest, scripts)
  if (text === undefined) return { manual }
  if (text === manifest) return {}
  const what = `scripts ${Object.keys(scripts).join(', ')}`
  return { change: { name: 'package.json', kind: 'updated', text, what } }
}

function scriptsFor(
  project: Pick<ProjectFiles, 'names'>,
  bundler: Bundler | undefined,
): Record<string, string> {
  const scripts = { 'prompts:pull': 'prompts pull', 'prompts:check': 'prompts check' }
  if (bundler === undefined || bundler.entryPoint !== undefined) return scripts
  const generate = `prompts generate --out-dir ${generatedFolder(project)}`
  return { ...scripts, 'prompts:generate': generate }
}

/** The folder for generated files, for a framework without plugins. */
export function generatedFolder({ names }: Pick<ProjectFiles, 'names'>): string {
  return names.has('src') ? 'src/prompts' : 'prompts'
}
