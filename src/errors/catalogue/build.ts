import type { Explanations } from './explanations.ts'
import { bullets } from './phrases.ts'

/** Details of the errors about generated code, builds and the app's own code. */
export interface BuildErrors {
  MODULE_REFUSED: { found: string; position: number }
  MODULE_UNKNOWN: { id: string; module: string }
  NAME_TAKEN: { name: string }
  REQUIRE_REFUSED: { id: string }
  TEST_IN_PRODUCTION: { path: string }
  PROMPTS_IN_CLIENT: { chain: readonly string[] }
  TSCONFIG_INVALID: { path: string; reason: string }
  TYPES_NOT_FOUND: { path: string }
}

/** Errors about generated code, builds and the app's own code. */
export const buildErrors: Explanations<BuildErrors> = {
  MODULE_REFUSED: (d) => ({
    why: `The generated module contains ${d.found} at position ${d.position}, which is not allowed. Nothing was written.`,
    fix: 'This is a bug in unplugin-prompts or an attack by a prompt. Please report it with the lock.',
  }),
  MODULE_UNKNOWN: (d) => ({
    why: `There is no module '${d.id}'.`,
    fix: `Import '${d.module}' or '${d.module}/all'.`,
  }),
  NAME_TAKEN: (d) => ({
    why: `Two calls of \`prompts()\` in one build have the workspace name \`${d.name}\`.`,
    fix: 'Remove one call, or set another `name`.',
  }),
  REQUIRE_REFUSED: (d) => ({
    why: `\`require('${d.id}')\` is not supported: it is an ES module.`,
    fix: `Use \`import\`, or \`await import('${d.id}')\` in CommonJS.`,
  }),
  TEST_IN_PRODUCTION: (d) => ({
    why: `This production build uses prompts of the test environment (${d.path}).`,
    fix: "Build with the live lock, or set `production: 'allow'`.",
  }),
  PROMPTS_IN_CLIENT: (d) => ({
    why: `Browser code imports prompts, so everyone can read them${d.chain.length > 0 ? `:${bullets(d.chain)}` : '.'}`,
    fix: "Move the import to server code, or set `client: 'allow'`.",
  }),
  TSCONFIG_INVALID: (d) => ({
    why: `${d.path} is not valid: ${d.reason}`,
    fix: 'Fix it, or select another file with `--tsconfig`.',
  }),
  TYPES_NOT_FOUND: (d) => ({
    why: `${d.path} imports types from unplugin-prompts, which can't be found from there.`,
    fix: 'Install unplugin-prompts as a dependency of the app itself.',
  }),
}
