import type { ProjectFiles } from './project-files.ts'
import type { PlannedPart } from './step.ts'

/** Plans the scripts in package.json. */
export async function planManifest({
  manifest,
}: Pick<ProjectFiles, 'manifest'>): Promise<PlannedPart> {
  const lines = Object.entries(SCRIPTS).map(([name, command]) => `"${name}": "${command}",`)
  const manual = { what: 'Add these scripts to package.json:', lines }
  if (manifest === undefined) return { manual }
  const { addScripts } = await import('./edit-manifest.ts')
  const text = addScripts(manifest, SCRIPTS)
  if (text === undefined) return { manual }
  if (text === manifest) return {}
  const what = `scripts ${Object.keys(SCRIPTS).join(', ')}`
  return { change: { name: 'package.json', kind: 'updated', text, what } }
}

const SCRIPTS = { 'prompts:pull': 'prompts pull', 'prompts:check': 'prompts check' }
