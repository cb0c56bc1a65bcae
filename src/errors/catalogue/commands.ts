import type { Explanations } from './explanations.ts'
import { bullets } from './phrases.ts'
import { formatCommand } from '../suggested-command.ts'

/** Details of errors. The local service, the page and the command line. */
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

/** The local service, the page and the command line. */
export const commandErrors: Explanations<CommandErrors> = {
  WORKSPACE_INVALID: (d) => ({
    why: `${d.path} is not a valid workspace file:${bullets(d.problems)}`,
    fix: 'Correct it. README shows an example.',
  }),
  PAGE_READS_LIMITED: (d) => ({
    why: `The page has read ${d.limit} prompts of the service within a minute, which is its limit; plans commonly count reads.`,
    fix: `Wait a minute, or compare all prompts at once with \`${formatCommand(d.workspace, 'diff')}\`.`,
  }),
  PORT_UNAVAILABLE: (d) => ({
    why: `Port ${d.port} can't be used: ${d.reason}.`,
    fix: 'Choose another one with --port.',
  }),
  OUTPUT_UNWRITABLE: (d) => ({
    why: `${d.stream} can't be written: ${d.reason}.`,
    fix: 'Check the file or device that it is redirected to.',
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
    why: `This should not have happened: ${d.reason}`,
    fix: 'This is a bug in unplugin-prompts. Please report it with the lines above.',
  }),
}
