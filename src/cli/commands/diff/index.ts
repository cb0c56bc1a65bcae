import { classifyChanges } from '../../../core/classify-change.ts'
import type { Command, ExitCode } from '../../args/command.ts'
import { codeOptions } from '../../output/impact-view.ts'
import { defineProjectCommand } from '../../project-command.ts'
import { printReport } from './diff-report.ts'
import { diffJson } from './json-diff.ts'
import { type DiffInvocation, diffOptions } from './options.ts'
import { type Comparison, readComparison } from './read-comparison.ts'

/** `prompts diff`. */
export const diff: Command = defineProjectCommand({
  name: 'diff',
  argument: { placeholder: '[slug…]', description: 'Compare only these prompts' },
  details: [
    'Compares the lock with what the service serves, and writes nothing. With --environment test and a test key it compares the live lock with staging: what publishing would change. With --base it compares the lock in git with the lock on disk, without a key or a request.',
    'A change is breaking if a variable is new or renamed or a prompt is removed; with --impact, if a line of the app stops compiling.',
    'On stdout, hidden characters are shown by name and CI commands are escaped. Use --output for exact bytes.',
  ],
  options: { ...diffOptions, ...codeOptions },
  conflicts: [
    ['unified', 'json'],
    ['unified', 'format markdown'],
    ['json', 'format markdown'],
  ],
  needs: [
    ['usage', 'json'],
    ['output', 'unified', 'format markdown'],
  ],
  examples: [
    ['prompts diff', 'everything that a pull would change'],
    ['prompts diff support-triage --unified', 'one prompt, as a patch'],
    ['prompts diff --environment test', 'staging against the live lock'],
    ['prompts diff --impact', 'also the lines of the app that would break'],
    ['prompts diff --base origin/main', 'what this branch changes, without a key'],
    ['prompts diff --base origin/main --fail-on breaking', 'a gate for a pull request'],
    ['prompts diff --unified --output prompts.patch', 'a patch that applies, in CI too'],
    ['prompts diff --impact --format markdown --output report.md', 'a comment for a pull request'],
  ],
  async run(invocation) {
    const compared = await readComparison(invocation)
    invocation.terminal.json(diffJson(compared))
    await printReport(compared, invocation)
    return exitCodeOf(compared, invocation.values)
  },
})

function exitCodeOf({ report, impact }: Comparison, values: DiffInvocation['values']): ExitCode {
  const classified = classifyChanges(report.changes)
  const isBreaking =
    impact === undefined
      ? classified.some((change) => change.class === 'breaking')
      : impact.findings.length > 0
  const fails = values['fail-on'] === 'breaking' ? isBreaking : classified.length > 0
  return fails && (values['exit-code'] || values['fail-on'] !== undefined) ? 3 : 0
}
