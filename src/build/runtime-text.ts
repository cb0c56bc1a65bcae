import { build } from 'esbuild'

const QUERY = '?text'

/** Whether a module is a text, bundled from more files than the one that its id names. */
export function isBundledAsText(id: string): boolean {
  return id.endsWith(QUERY)
}

/** The part of a Rollup plugin that tsdown and Vitest both accept. */
interface TextPlugin {
  readonly name: string
  load(id: string): Promise<{ code: string; moduleType: 'js' } | undefined>
}

/**
 * Imports the app's runtime as text: `import runtime from '../runtime/index.ts?text'` returns
 * `src/runtime` bundled into one JavaScript module, which `virtual:prompts` contains. The build of
 * the package and the tests share this plugin.
 */
export function runtimeText(): TextPlugin {
  return {
    name: 'runtime-text',
    async load(id) {
      if (!isBundledAsText(id)) return undefined
      const result = await build({
        entryPoints: [id.slice(0, -QUERY.length)],
        bundle: true,
        format: 'esm',
        target: 'es2022',
        write: false,
      })
      const text = result.outputFiles[0]?.text ?? ''
      return { code: `export default ${JSON.stringify(text)}`, moduleType: 'js' }
    },
  }
}
