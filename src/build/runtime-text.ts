import { build } from 'esbuild'

const QUERY = '?text'

/** The part of a Rollup plugin that is used here: tsdown and Vitest both take it. */
interface TextPlugin {
  readonly name: string
  load(id: string): Promise<{ code: string; moduleType: 'js' } | undefined>
}

/**
 * Lets the tool import the app's runtime as text: `import runtime from '../runtime/index.ts?text'`
 * gives `src/runtime` bundled to one JavaScript module, which `virtual:prompts` then carries into
 * the app. One plugin serves the package's build and the tests.
 */
export function runtimeText(): TextPlugin {
  return {
    name: 'runtime-text',
    async load(id) {
      if (!id.endsWith(QUERY)) return undefined
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
