import type { Explanation, InWorkspace } from './explanation.ts'
import { bullets } from './phrases.ts'

/** Errors about generated code, builds and the app's own code. */
export const buildErrors = {
  BUNDLER_UNSUPPORTED: (d: { bundler: string; version: string; lowest: string }): Explanation => ({
    why: `${d.bundler} ${d.version} is not supported.`,
    fix: `Install ${d.bundler} ${d.lowest} or newer.`,
  }),
  MODULE_REFUSED: (d: { found: string; position: number }): Explanation => ({
    why: `The generated module contains ${d.found} at position ${d.position}, which is not allowed. Nothing was written.`,
    fix: 'This is a bug in unplugin-prompts or an attack by a prompt. Please report it with the lock.',
  }),
  MODULE_UNKNOWN: (d: { id: string; module: string }): Explanation => ({
    why: `There is no module '${d.id}'.`,
    fix: `Import '${d.module}' or '${d.module}/all'.`,
  }),
  NAME_TAKEN: (d: { name: string }): Explanation => ({
    why: `Two calls of \`prompts()\` in one build have the workspace name \`${d.name}\`.`,
    fix: 'Remove one call, or set another `name`.',
  }),
  TEST_IN_PRODUCTION: (d: { path: string }): Explanation => ({
    why: `This production build uses prompts of the test environment (${d.path}).`,
    fix: "Build with the live lock, or set `production: 'allow'`.",
  }),
  PROMPTS_IN_CLIENT: (d: InWorkspace & { chain: readonly string[] }): Explanation => ({
    why: `Browser code imports prompts, so everybody can read them${d.chain.length > 0 ? `:${bullets(d.chain)}` : '.'}`,
    fix: `Move the import to server code, or set \`client: 'allow'\` in ${d.workspace}.config.ts.`,
  }),
  TSCONFIG_INVALID: (d: { path: string; reason: string }): Explanation => ({
    why: `${d.path} is not valid: ${d.reason}`,
    fix: 'Correct it, or select another file with `--tsconfig`.',
  }),
  TYPES_NOT_FOUND: (d: { path: string }): Explanation => ({
    why: `${d.path} imports types from unplugin-prompts, which can't be found from there.`,
    fix: 'Install unplugin-prompts as a dependency of the app itself.',
  }),
}
