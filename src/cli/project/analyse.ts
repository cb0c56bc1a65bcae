/** What commands do with the app's code: find it, analyse it, and check what a draft breaks in it. */
import { resolve } from 'node:path'
import type { ImpactReport } from '../../analysis/app/analyse-impact.ts'
import type { UsageReport } from '../../analysis/app/analyse-usage.ts'
import type { AppLocation } from '../../analysis/app/app.ts'
import { riskyChanges } from '../../core/classify-change.ts'
import { IMPACT_TEXTS } from '../../core/impact.ts'
import type { Lock } from '../../core/prompt.ts'
import { sanitize } from '../../core/text/sanitize.ts'
import { isPromptsError } from '../../errors/prompts-error.ts'
import {
  type AnalysisArgs,
  type AnalysisName,
  type AnalysisResult,
  runInThread,
} from '../../features/background/in-thread.ts'
import type { Draft } from '../../features/pull/draft.ts'
import type { CheckedImpact, ImpactRequest } from '../../features/usage/impact.ts'
import type { CommandContext } from '../shell/command.ts'
import { withProgress } from './progress.ts'
import type { ProjectContext } from './project-command.ts'

/**
 * Runs an analysis of the app's code beside the terminal, which shows that it runs. Ctrl-C ends it at once.
 *
 * @param label - what it does, such as `Checking what the update breaks`. Default: nothing is shown
 * @throws PromptsError what the analysis throws; the reason of an abort
 */
export async function analyse<Name extends AnalysisName>(
  { terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'>,
  name: Name,
  args: AnalysisArgs<Name>,
  label?: string,
): Promise<AnalysisResult<Name>> {
  const work = (): Promise<AnalysisResult<Name>> => runInThread(name, args, signal)
  try {
    return await (label === undefined ? work() : withProgress(terminal, label, work))
  } finally {
    signal.throwIfAborted()
  }
}

/** The option of every command that looks at the app's code. */
export const codeOptions = {
  tsconfig: {
    placeholder: 'path',
    description: "The app's tsconfig (default: tsconfig.json or jsconfig.json in the root)",
  },
} as const

/** A call of a command that looks at the app's code. */
interface CodeContext extends ProjectContext {
  readonly values: { readonly tsconfig?: string | undefined }
  /** Default: the view of the declarations. */
  readonly view?: 'served'
}

/** Where a command finds the code of the apps. */
export async function codeLocation({
  project,
  cwd,
  values: { tsconfig },
  view,
}: CodeContext): Promise<AppLocation> {
  return project.locate(tsconfig === undefined ? undefined : resolve(cwd, tsconfig), view)
}

/**
 * Finds the uses of the prompts of a lock in the app.
 *
 * @throws PromptsError as {@link analyse}
 */
export async function findUsage(context: CodeContext, lock: Lock): Promise<UsageReport> {
  return analyse(context, 'findUsage', [{ ...(await codeLocation(context)), lock }])
}

/**
 * Finds the code of the app that breaks between two locks.
 *
 * @param label - as for {@link analyse}
 * @throws PromptsError as {@link analyse}
 */
export async function findImpact(
  context: CodeContext,
  { before, after }: Pick<ImpactRequest, 'before' | 'after'>,
  label?: string,
): Promise<ImpactReport> {
  const request = { ...(await codeLocation(context)), before, after }
  return analyse(context, 'findImpact', [request], label)
}

/** Checks what a draft breaks in the app, if it can break anything: that takes a type check. */
export async function checkImpact(
  context: CodeContext,
  { before, lock, changes }: Pick<Draft, 'before' | 'lock' | 'changes'>,
): Promise<CheckedImpact> {
  if (riskyChanges(changes).length === 0) return { kind: 'harmless' }
  return checkLock(context, before, lock)
}

/**
 * Checks what a lock breaks in the app.
 *
 * @param before - the lock that the app uses now; `undefined` if every error at a prompt counts
 */
export async function checkLock(
  context: CodeContext,
  before: Lock | undefined,
  lock: Lock,
): Promise<CheckedImpact> {
  try {
    const report = await findImpact(context, { before, after: lock }, IMPACT_TEXTS.started)
    return { kind: 'checked', report }
  } catch (error) {
    context.signal.throwIfAborted()
    if (isPromptsError(error, 'PACKAGE_MISSING')) throw error
    // Only a warning, so a pull can still repair the lock.
    return {
      kind: 'unchecked',
      reason: isPromptsError(error) ? error.why : sanitize(String(error)),
    }
  }
}
