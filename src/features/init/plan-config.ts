import { join } from 'node:path'
import { readText } from '../../fs/files.ts'
import { type Bundler, configFile } from './bundlers.ts'
import { importLine, WRAPPER } from './import-line.ts'
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
  if (bundler === undefined) return { manual: stepWithoutBundler(project) }
  const specifier = `unplugin-prompts/${bundler.entryPoint}`
  const name = configFile(bundler, names)
  if (name === undefined && isPlainViteApp(project, bundler)) return { change: viteConfig(project) }
  if (name === undefined && bundler.name === 'next') return { change: nextConfig(project) }
  const current = name === undefined ? undefined : await readText(join(root, name))
  const commonJs = name !== undefined && current !== undefined && isCommonJs(name, current)
  const manual =
    bundler.path.length === 0
      ? wrapStep(name ?? bundler.title, specifier, commonJs)
      : pluginStep(bundler, name, importLine('prompts', specifier, commonJs))
  if (name === undefined || current === undefined) return { manual }
  const { addPlugin } = await import('./edit-config.ts')
  const edit = addPlugin(current, { ...bundler, name, specifier })
  if (edit.kind === 'present') return {}
  if (edit.kind === 'unknown') return { manual }
  return { change: { name, kind: 'updated', text: edit.text, what: whatIsAdded(bundler) } }
}

/** Templates such as create-vite's `vanilla-ts` have only an `index.html` and no configuration. */
function isPlainViteApp({ names }: ProjectFiles, { name }: Bundler): boolean {
  return name === 'vite' && names.has('index.html')
}

function viteConfig({ names, manifest }: ProjectFiles): FileChange {
  // In a CommonJS package, only `.mts` and `.mjs` files are ES modules.
  const isModule = /"type"\s*:\s*"module"/.test(manifest ?? '')
  const extension = (isModule ? '' : 'm') + (names.has('tsconfig.json') ? 'ts' : 'js')
  const lines = [
    "import { defineConfig } from 'vite'",
    importLine('prompts', 'unplugin-prompts/vite', false),
    '',
    'export default defineConfig({',
    '  plugins: [prompts()],',
    '})',
  ]
  const text = `${lines.join('\n')}\n`
  return { name: `vite.config.${extension}`, kind: 'created', text, what: 'Vite with the plugin' }
}

/** Next needs no configuration file. `.mjs` is an ES module in every package. */
function nextConfig({ names }: ProjectFiles): FileChange {
  const line = importLine(WRAPPER, 'unplugin-prompts/next', false)
  const text = `${line}\n\nexport default ${WRAPPER}({})\n`
  const name = names.has('tsconfig.json') ? 'next.config.ts' : 'next.config.mjs'
  return { name, kind: 'created', text, what: 'Next.js with the prompts' }
}

function stepWithoutBundler({ names, manifest, dependencies }: ProjectFiles): ManualStep {
  if (dependencies.has('wrangler')) return WRANGLER_STEP
  const isMonorepo = names.has('pnpm-workspace.yaml') || /"workspaces"\s*:/.test(manifest ?? '')
  return isMonorepo ? MONOREPO_STEP : GENERIC_STEP
}

const MONOREPO_STEP: ManualStep = {
  what: 'This is the root of a monorepo. Run this in the folder of each app that uses prompts:',
  lines: ['npx prompts init'],
}

const GENERIC_STEP: ManualStep = {
  what: 'No supported bundler found. Generate files and import those:',
  lines: ['npx prompts generate --out-dir src/prompts'],
}

/** wrangler bundles with its own esbuild, which takes aliases but no plugins. */
const WRANGLER_STEP: ManualStep = {
  what: 'Generate files, and add these aliases to the configuration of wrangler:',
  lines: [
    'npx prompts generate --out-dir prompts',
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

function wrapStep(file: string, specifier: string, commonJs: boolean): ManualStep {
  const exported = commonJs ? 'module.exports =' : 'export default'
  return {
    what: `Wrap what ${file} exports:`,
    lines: [importLine(WRAPPER, specifier, commonJs), `${exported} ${WRAPPER}(nextConfig)`],
  }
}

function pluginStep(bundler: Bundler, file: string | undefined, line: string): ManualStep {
  const { title, path, entryPoint, isModuleName } = bundler
  const entry = isModuleName ? `'unplugin-prompts/${entryPoint}'` : 'prompts()'
  const plugins = path.reduceRight(
    (inner, key) => (inner === '' ? `${key}: [${entry}]` : `${key}: { ${inner} }`),
    '',
  )
  return {
    what: `Add ${whatIsAdded(bundler)} to ${file ?? `the configuration of ${title}`}:`,
    lines: isModuleName ? [`${plugins},`] : [line, `${plugins},`],
  }
}

/** Frameworks have their own words for a plugin. */
function whatIsAdded({ path }: Bundler): string {
  const [key = 'plugins'] = path
  return `the ${key.replace(/s$/, '')}`
}
