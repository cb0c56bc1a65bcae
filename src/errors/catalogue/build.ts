import type { Explanations } from './explanations.ts'
import { bullets } from './phrases.ts'

/** Details of errors. Generated code, builds and the type check of the app. */
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

/** Generated code, builds and the type check of the app. */
export const buildErrors: Explanations<BuildErrors> = {
  MODULE_REFUSED: (d) => ({
    why: `The generated module holds ${d.found} at ${d.position}, which prompts never need; nothing was written.`,
    fix: 'This is a bug in unplugin-prompts or an attack by a prompt. Please report it with the lock.',
  }),
  MODULE_UNKNOWN: (d) => ({
    why: `There is no module ${d.id}.`,
    fix: `Import '${d.module}' or '${d.module}/all'.`,
  }),
  NAME_TAKEN: (d) => ({
    why: `Two calls of prompts() in one build are both for the workspace called ${d.name}.`,
    fix: 'Remove one, or give the other workspace a `name` of its own.',
  }),
  REQUIRE_REFUSED: (d) => ({
    why: `\`require('${d.id}')\` is not served: it is an ES module.`,
    fix: `Use \`import\`, or \`await import('${d.id}')\` in CommonJS.`,
  }),
  TEST_IN_PRODUCTION: (d) => ({
    why: `This production build takes its prompts from the test environment (${d.path}).`,
    fix: "Build with the live lock, or set `production: 'allow'`.",
  }),
  PROMPTS_IN_CLIENT: (d) => ({
    why: `Code for the browser imports prompts, so anyone can read them:${bullets(d.chain)}`,
    fix: "Move the import to server code, or set `client: 'allow'`.",
  }),
  TSCONFIG_INVALID: (d) => ({
    why: `${d.path} can't be used: ${d.reason}`,
    fix: 'Fix it, or choose another one with --tsconfig.',
  }),
  TYPES_NOT_FOUND: (d) => ({
    why: `${d.path} imports types from unplugin-prompts, which can't be found from there.`,
    fix: 'Install unplugin-prompts as a dependency of the app itself.',
  }),
}
