import { appendFile } from 'node:fs/promises'
import type { CheckResult } from './steps.ts'
import { describeKept, describeKeptVersion } from '../../../core/describe-change.ts'
import { describePart } from '../../../core/prompt.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { fileError } from '../../../errors/prompts-error.ts'
import { relativeInside, toForwardSlashes } from '../../../fs/paths.ts'
import type { CommandContext } from '../../shell/command.ts'
import { describeListed, describeReason } from '../../view/change-view.ts'
import { plainWords } from '../../view/markdown.ts'

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

/**
 * Appends a summary to the file that GITHUB_STEP_SUMMARY names, if it does.
 *
 * @throws PromptsError FILE_UNWRITABLE
 */
export async function writeJobSummary(result: CheckResult, context: Around): Promise<void> {
  const path = context.env['GITHUB_STEP_SUMMARY'] ?? ''
  if (path === '') return
  try {
    await appendFile(path, jobSummary(result, context))
  } catch (cause) {
    throw fileError('FILE_UNWRITABLE', path, cause)
  }
}

function jobSummary({ findings, errors, held, kept }: CheckResult, context: Around): string {
  const lines = ['## Prompts', '']
  for (const { why } of errors) lines.push(`A check failed: ${plainWords(why)}`, '')
  if (findings.length + errors.length === 0) lines.push('Lock, declarations and service agree.')
  if (findings.length > 0) lines.push('| | where | what |', '| --- | --- | --- |')
  for (const { severity, file, line, message } of findings) {
    const place = `${repositoryPath(file, context)}:${line}`
    lines.push(`| ${severity} | ${plainWords(place)} | ${plainWords(message)} |`)
  }
  for (const prompt of held) {
    const [waits, reason] = [describeListed(prompt), describeReason(prompt)].map(plainWords)
    lines.push('', `Held: ${describePart(prompt, plainWords)}, ${waits}. ${reason}`.trimEnd())
  }
  for (const part of kept) {
    const version = describeKeptVersion(part, plainWords)
    lines.push(
      '',
      `${describePart(part, plainWords)}, ${version}: ${describeKept(part, plainWords)}`,
    )
  }
  return `${lines.join('\n')}\n\n`
}
