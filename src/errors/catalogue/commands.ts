import type { Explanations } from './explanations.ts'
import { bullets } from './phrases.ts'
import { formatCommand } from '../suggested-command.ts'

/** Details of the errors of the local service, the page and the command line. */
export interface CommandErrors {
  WORKSPACE_INVALID: { path: string; problems: readonly string[] }
  PAGE_READS_LIMITED: { limit: number; workspace: string }
  PORT_UNAVAILABLE: { port: number; reason: string }
  OUTPUT_UNWRITABLE: { stream: string; reason: string }
  REVISION_UNREADABLE: { revision: string; reason: string }
  PACKAGE_MISSING: { package: string }
  USAGE: { problem: string; command: string }
  UNEXPECTED: { reason: string }
}

/** Errors of the local service, the page and the command line. */
export const commandErrors: Explanations<CommandErrors> = {
  WORKSPACE_INVALID: (d) => ({
    why: `${d.path} is not a valid workspace file:${bullets(d.problems)}`,
    fix: 'Fix the file. `prompts serve --example` writes an example if there is no file.',
  }),
  PAGE_READS_LIMITED: (d) => ({
    why: `The page has reached its limit of ${d.limit} reads per minute, because services commonly count reads.`,
    fix: `Wait a minute, or compare all prompts at once with \`${formatCommand(d.workspace, 'diff')}\`.`,
  }),
  PORT_UNAVAILABLE: (d) => ({
    why: `Port ${d.port} can't be used: ${d.reason}.`,
    fix: 'Choose another port with `--port`.',
  }),
  OUTPUT_UNWRITABLE: (d) => ({
    why: `${d.stream} can't be written: ${d.reason}.`,
    fix: 'Check the file or device of the redirection.',
  }),
  REVISION_UNREADABLE: (d) => ({
    why: `The git revision ${d.revision} can't be read: ${d.reason}.`,
    fix: 'Check the name. A shallow clone has few revisions: fetch more of them, in GitHub Actions with `fetch-depth: 0`.',
  }),
  PACKAGE_MISSING: (d) => ({
    why: `The package ${d.package} is not installed, and this needs it.`,
    fix: 'It is an optional dependency: install again without `--omit=optional`. Builds and `node --import` from a current lock need none of them.',
  }),
  USAGE: (d) => ({
    why: d.problem,
    fix: `Run \`prompts ${d.command}--help\` for usage.`,
  }),
  UNEXPECTED: (d) => ({
    why: `Unexpected error: ${d.reason}`,
    fix: 'This is a bug in unplugin-prompts. Please report it with the lines above.',
  }),
}
