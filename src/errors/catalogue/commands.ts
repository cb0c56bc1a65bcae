import { type Explanation, type InWorkspace, bullets } from './phrases.ts'
import { suggestModule } from '../did-you-mean.ts'
import { formatCommand } from '../../core/suggested-command.ts'

export const commandErrors = {
  BUNDLER_UNSUPPORTED: (d: { bundler: string; version: string; lowest: string }): Explanation => ({
    why: `${d.bundler} ${d.version} is not supported.`,
    fix: `Install ${d.bundler} ${d.lowest} or newer. Or import real files, which need no plugin: write \`{ "outDir": "prompts", "dts": false }\` to prompts.config.json (\`node_modules/unplugin-prompts/dist/docs/setup/tsc.md\`).`,
  }),
  MODULE_REFUSED: (d: { found: string; position: number }): Explanation => ({
    why: `The generated module contains ${d.found} at position ${d.position}, which is not allowed. Nothing was written.`,
    fix: 'This is a bug in unplugin-prompts or an attack by a prompt. Please report it with the lock.',
  }),
  MODULE_UNKNOWN: (d: { id: string; module: string }): Explanation => ({
    why: `There is no module '${d.id}'.`,
    fix: `Import '${d.module}' or '${d.module}/all'.${suggestModule(d.id, d.module)}`,
  }),
  NAME_TAKEN: (d: { name: string }): Explanation => ({
    why: `Two calls of \`prompts()\` in one build have the workspace name \`${d.name}\`.`,
    fix: 'Remove one call, or set another `name`.',
  }),
  TEST_IN_PRODUCTION: (d: { path: string }): Explanation => ({
    why: `This production build uses staging prompts (${d.path}).`,
    fix: "Set `environment: 'live'` for the live prompts, or `production: 'allow'`.",
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
  WORKSPACE_INVALID: (d: { path: string; problems: readonly string[] }): Explanation => ({
    why: `${d.path} is not a valid workspace file:${bullets(d.problems)}`,
    fix: 'Correct the file. `prompts serve --example` writes an example if there is no file.',
  }),
  PAGE_READS_LIMITED: (d: InWorkspace & { limit: number }): Explanation => ({
    why: `The page has reached its limit of ${d.limit} reads per minute, because services commonly count reads.`,
    fix: `Wait a minute, or compare all prompts at once with \`${formatCommand(d.workspace, 'diff')}\`.`,
  }),
  PORT_UNAVAILABLE: (d: { port: number; reason: string }): Explanation => ({
    why: `Port ${d.port} can't be used: ${d.reason}.`,
    fix: 'Choose another port with `--port`, or leave `--port` out for the next free one.',
  }),
  OUTPUT_UNWRITABLE: (d: { stream: string; reason: string }): Explanation => ({
    why: `${d.stream} can't be written: ${d.reason}.`,
    fix: 'Check the file or device of the redirection.',
  }),
  EDITOR_FAILED: (d: { reason: string }): Explanation => ({
    why: `The text was not edited: ${d.reason}.`,
    fix: 'Set EDITOR to a command that waits until the files are closed, such as `code --wait`, or name a file with `--system-file` or `--user-file`.',
  }),
  REVISION_UNREADABLE: (d: { revision: string; reason: string }): Explanation => ({
    why: `The git revision ${d.revision} can't be read: ${d.reason}.`,
    fix: adviceFor(d.reason),
  }),
  PACKAGE_MISSING: (d: { package: string }): Explanation => ({
    why: `This needs the package ${d.package}, which is not installed.`,
    fix: 'It is an optional dependency: install again without `--omit=optional`. Builds and `node --import` from a current lock need none of them.',
  }),
  USAGE: (d: { problem: string; command: string }): Explanation => ({
    why: d.problem,
    fix: `Run \`npx prompts ${d.command}--help\` for usage.`,
  }),
  UNEXPECTED: (d: { reason: string }): Explanation => ({
    why: `Unexpected error: ${d.reason}`,
    fix: 'This is a bug in unplugin-prompts. Please report it with the lines above.',
  }),
}

function adviceFor(reason: string): string {
  // As git begins it.
  if (reason.startsWith('not a git repository')) return 'Run this in a clone of the repository.'
  return reason.startsWith(SHALLOW)
    ? 'Check the name, and fetch the other revisions with `git fetch --unshallow`, in GitHub Actions with `fetch-depth: 0`.'
    : 'Name another branch, tag or commit.'
}

/** How the reason begins if the clone may lack the revision. */
export const SHALLOW = 'this clone is shallow'
