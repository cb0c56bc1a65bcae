import { join } from 'node:path'
import { build } from 'esbuild'
import { REPOSITORY } from './workspace.js'

/** Parts of the package that it does not export, each by the source file that holds them. */
const PARTS = {
  lock: 'src/fs/lock-store.ts',
  declarations: 'src/codegen/declarations.ts',
  plan: 'src/codegen/plan-module.ts',
  generate: 'src/features/generate/declarations.ts',
  digest: 'src/fs/digest.ts',
}

/**
 * Bundles parts of the package, to measure them alone.
 *
 * @returns the paths of the modules
 */
export async function internals(work) {
  const outdir = join(work.root, 'internals')
  await build({
    absWorkingDir: REPOSITORY,
    entryPoints: PARTS,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    outExtension: { '.js': '.mjs' },
  })
  return Object.fromEntries(Object.keys(PARTS).map((name) => [name, join(outdir, `${name}.mjs`)]))
}
