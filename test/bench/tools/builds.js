import { join } from 'node:path'
import { runNode } from './process.js'

const CHILD = join(import.meta.dirname, '../children/build.js')

/** The bundlers that are measured. */
export const BUNDLERS = ['vite', 'webpack', 'esbuild']

/**
 * Builds an app, in a process of its own.
 *
 * @param plugin - `prompts`, `none`, or `own`: those in the `plugins.js` of the app
 */
export function buildApp(work, { bundler, plugin, root }) {
  return runNode(CHILD, [bundler, plugin, root, work.dist], { cwd: root })
}

/** The output folder of {@link buildApp}. */
export function bundleOf(root, bundler) {
  return join(root, 'out', bundler, 'main.js')
}
