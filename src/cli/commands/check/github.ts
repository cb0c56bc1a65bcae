import type { CheckResult } from './steps.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { relativeInside, toForwardSlashes } from '../../../fs/paths.ts'
import type { CommandContext } from '../../shell/command.ts'

type Around = Pick<CommandContext, 'cwd' | 'env'>

/**
 * Findings as GitHub's workflow commands, one line each: they show up at their lines in the pull
 * request.
 *
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function annotationLines(
  { findings, errors }: Pick<CheckResult, 'findings' | 'errors'>,
  context: Around,
): string[] {
  const lines = findings.map(({ file, line, severity, message, fix }) => {
    const place = { file: repositoryPath(file, context), line: String(line) }
    return errorCommand({ ...place, title: `Prompts: ${severity}` }, `${message}\n${fix}`)
  })
  const failures = errors.map(({ why, fix }) =>
    errorCommand({ title: 'Prompts: check failed' }, `${why}\n${fix}`),
  )
  return [...lines, ...failures]
}

function errorCommand(properties: Readonly<Record<string, string>>, message: string): string {
  const pairs = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`)
  return `::error ${pairs.join(',')}::${escapeData(message)}`
}

/** Line ends of our own messages stay, encoded; remote ones were never meant to be any. */
function escapeData(text: string): string {
  return text.split('\n').map(sanitize).join('\n').replaceAll('%', '%25').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** GitHub knows files by their path from the repository's root, with forward slashes. */
function repositoryPath(file: string, { cwd, env }: Around): string {
  const workspace = env['GITHUB_WORKSPACE'] ?? ''
  const way = relativeInside(workspace === '' ? cwd : workspace, file)
  return way === undefined ? file : toForwardSlashes(way)
}
