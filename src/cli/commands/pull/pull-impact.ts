import { contractChanges } from '../../../core/classify-change.ts'
import { sanitize } from '../../../core/text/sanitize.ts'
import { isPromptsError } from '../../../errors/prompts-error.ts'
import {
  findImpact,
  type ImpactFinding,
  type ImpactReport,
} from '../../../features/usage/impact.ts'
import type { Project } from '../../../features/project/project.ts'
import type { PullDraft } from '../../../features/pull/pull.ts'
import type { CommandContext } from '../../args/command.ts'
import { codeLocation, printImpact } from '../../output/impact-view.ts'
import type { Terminal } from '../../output/terminal.ts'

/** Options that decide whether a breaking pull is written. */
export interface PullApprovalOptions {
  /** Write without asking. */
  readonly yes?: boolean
  /** Write nothing. */
  readonly dryRun?: boolean
  readonly tsconfig?: string | undefined
}

/** What a pull breaks in the app, and whether it may be written. */
export interface PullReview {
  readonly approved: boolean
  /** `null` if the app could not be analysed. */
  readonly findings: readonly ImpactFinding[] | null
  /** The command that writes the update anyway, if the terminal isn't interactive. */
  readonly next?: readonly string[]
}

/**
 * Prints what a pull would break in the app, and asks whether to write it. Without an interactive
 * terminal `--yes` is required. The app is type-checked only if the variables of a prompt change or
 * a prompt is removed.
 */
export async function reviewPull(
  project: Project,
  context: CommandContext,
  { draft, choice }: { readonly draft: PullDraft; readonly choice: PullApprovalOptions },
): Promise<PullReview> {
  if (contractChanges(draft.changes).length === 0) return { approved: true, findings: [] }
  const { messages } = context.terminal
  messages.line()
  messages.line(messages.style('dim', 'Checking what the update breaks…'))
  const impact = await impactOfDraft(project, context, { draft, choice }).catch((error: unknown) =>
    warnNotAnalysed(error, messages),
  )
  if (impact === undefined) return { approved: true, findings: null }
  if (impact.files === 0) messages.line(`${messages.style('yellow', '▲')} No code uses prompts.`)
  else printImpact(impact, messages)
  const { findings } = impact
  if (findings.length === 0 || choice.yes || choice.dryRun) return { approved: true, findings }
  return { ...(await ask(context)), findings }
}

function impactOfDraft(
  project: Project,
  context: CommandContext,
  { draft, choice }: { readonly draft: PullDraft; readonly choice: PullApprovalOptions },
): Promise<ImpactReport> {
  const location = codeLocation(project, context, { tsconfig: choice.tsconfig })
  return findImpact({ ...location, before: draft.before, after: draft.lock })
}

/** A failed analysis is only a warning, so a pull can still repair the lock. */
function warnNotAnalysed(error: unknown, messages: Terminal['messages']): undefined {
  const reason = isPromptsError(error) ? error.why : sanitize(String(error))
  messages.line(
    `${messages.style('yellow', '▲')} The app was not checked for breaking changes: ${reason}`,
  )
}

async function ask({ terminal, argv }: CommandContext): Promise<Omit<PullReview, 'findings'>> {
  const { interactive } = terminal
  if (interactive === undefined) return { approved: false, next: addYesOption(argv) }
  const { askYesNo } = await import('../../ask.ts')
  return {
    approved: await askYesNo('Write the lock anyway?', interactive, { initialValue: false }),
  }
}

/** The same command line with `--yes`. */
function addYesOption(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return ['prompts', ...argv.toSpliced(end === -1 ? argv.length : end, 0, '--yes')]
}
