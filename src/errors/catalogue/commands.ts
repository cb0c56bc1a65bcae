import type { Explanation, InWorkspace } from './explanation.ts'
import { bullets } from './phrases.ts'
import { formatCommand } from '../suggested-command.ts'

/** How git begins the reason outside of a repository. */
const NO_REPOSITORY = 'not a git repository'

/** Errors of the local service, the page and the command line. */
export const commandErrors = {
  WORKSPACE_INVALID: (d: { path: string; problems: readonly string[] }): Explanation => ({
    why: `${d.path} is not a valid workspace file:${bullets(d.problems)}`,
    fix: 'Fix the file. `prompts serve --example` writes an example if there is no file.',
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
    fix: d.reason.startsWith(NO_REPOSITORY)
      ? 'Run this in a clone of the repository.'
      : 'Check the name. A shallow clone has few revisions: fetch the others with `git fetch --unshallow`, in GitHub Actions with `fetch-depth: 0`.',
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
