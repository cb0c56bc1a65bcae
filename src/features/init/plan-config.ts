import { join } from 'node:path'
import { configFileNames } from '../../config/config-file.ts'
import { readText } from '../../fs/files.ts'
import { type Bundler, configFile, importLine, WRAPPER } from './bundlers.ts'
import type { ProjectFiles } from './project-files.ts'
import type { FileChange, ManualStep, PlannedPart } from './step.ts'

/**
 * Plans the plugin in the bundler's configuration: an edit if that is safe, a new file for a Vite
 * app without one, and a manual step otherwise. Nothing if the plugin is already there.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function planConfig(
  project: ProjectFiles,
  bundler: Bundler | undefined,
): Promise<PlannedPart> {
  const { root, names } = project
  if (bundler === undefined) return stepWithoutBundler(project)
  const name = configFile(bundler, names)
  const change = name === undefined ? newConfig(project, bundler) : undefined
  if (change !== undefined) return { change }
  const current = name === undefined ? '' : ((await readText(join(root, name))) ?? '')
  const manual = manualStep(bundler, name, name !== undefined && isCommonJs(name, current))
  if (name === undefined) return { manual }
  const { addPlugin } = await import('./edit-config.ts')
  const text = addPlugin(current, { ...bundler, name })
  if (text === current) return {}
  if (text === undefined) return { manual }
  return { change: { name, kind: 'updated', text, what: whatIsAdded(bundler) } }
}

/**
 * A new configuration for an app that works without one: of Next, and of Vite from a template such as
 * create-vite's `vanilla-ts`, which has only an `index.html`.
 */
function newConfig(
  { names, manifest }: ProjectFiles,
  { name: bundler, specifier }: Bundler,
): FileChange | undefined {
  const isTyped = names.has('tsconfig.json')
  if (bundler === 'next') {
    // `.mjs` is an ES module in every package.
    const name = isTyped ? 'next.config.ts' : 'next.config.mjs'
    const text = `${importLine(WRAPPER, specifier, false)}\n\nexport default ${WRAPPER}({})\n`
    return { name, kind: 'created', text, what: 'Next.js with the prompts' }
  }
  if (bundler !== 'vite' || !names.has('index.html')) return undefined
  // In a CommonJS package, only `.mts` and `.mjs` files are ES modules.
  const isModule = /"type"\s*:\s*"module"/.test(manifest ?? '')
  const name = `vite.config.${isModule ? '' : 'm'}${isTyped ? 'ts' : 'js'}`
  const text = `import { defineConfig } from 'vite'
${importLine('prompts', specifier, false)}

export default defineConfig({
  plugins: [prompts()],
})
`
  return { name, kind: 'created', text, what: 'Vite with the plugin' }
}

/** Real files for an app that no bundler builds, next to `src`: there, `dist` finds them too. */
function stepWithoutBundler({ names, manifest, dependencies }: ProjectFiles): PlannedPart {
  if (dependencies.has('wrangler')) return { manual: WRANGLER_STEP }
  if (names.has('pnpm-workspace.yaml') || /"workspaces"\s*:/.test(manifest ?? ''))
    return { manual: MONOREPO_STEP }
  if (configFileNames('prompts').some((name) => names.has(name))) return {}
  const name = names.has('tsconfig.json') ? 'prompts.config.ts' : 'prompts.config.mjs'
  const what = 'real files in prompts/, without a bundler'
  return { change: { name, kind: 'created', text: FILES_CONFIG, what } }
}

const FILES_CONFIG = `/** @type {import('unplugin-prompts').Options} */
export default {
  outDir: 'prompts',
  dts: false,
}
`

const MONOREPO_STEP: ManualStep = {
  what: 'This is the root of a monorepo. Run this in the folder of each app that uses prompts:',
  lines: ['npx prompts init'],
}

/** wrangler bundles with its own esbuild, which takes aliases but no plugins. */
const WRANGLER_STEP: ManualStep = {
  what: 'Generate files, and add these aliases to the configuration of wrangler:',
  lines: [
    'npx prompts generate --out-dir prompts --format esm',
    '',
    '"alias": {',
    '  "virtual:prompts": "./prompts/index.js",',
    '  "virtual:prompts/all": "./prompts/all.js"',
    '}',
  ],
}

/** A file in which an `import` would be a syntax error. */
function isCommonJs(name: string, text: string): boolean {
  if (/\.[cm][jt]s$/.test(name)) return /\.c[jt]s$/.test(name)
  return /\bmodule\.exports\b/.test(text) && !/^\s*(?:import|export)\b/m.test(text)
}

function manualStep(bundler: Bundler, file: string | undefined, commonJs: boolean): ManualStep {
  const { title, path, specifier, isModuleName } = bundler
  if (path.length === 0) {
    const exported = commonJs ? 'module.exports =' : 'export default'
    const lines = [importLine(WRAPPER, specifier, commonJs), `${exported} ${WRAPPER}(nextConfig)`]
    return { what: `Wrap what ${file ?? title} exports:`, lines }
  }
  const entry = isModuleName ? `'${specifier}'` : 'prompts()'
  const plugins = `${path.join(': { ')}: [${entry}]${' }'.repeat(path.length - 1)},`
  return {
    what: `Add ${whatIsAdded(bundler)} to ${file ?? `the configuration of ${title}`}:`,
    lines: isModuleName ? [plugins] : [importLine('prompts', specifier, commonJs), plugins],
  }
}

/** Frameworks have their own words for a plugin. */
function whatIsAdded({ path }: Bundler): string {
  const [key = 'plugins'] = path
  return `the ${key.replace(/s$/, '')}`
}
