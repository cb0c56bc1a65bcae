/** What commands do with the app's code: find it, and analyse it. */
import { resolve } from 'node:path'
import type { ImpactReport } from '../../judge/analyse-impact.ts'
import type { UsageReport } from '../../judge/analyse-usage.ts'
import type { AppLocation } from '../../judge/app.ts'
import { IMPACT_TEXTS } from '../../core/impact.ts'
import type { Lock } from '../../core/prompt.ts'
import {
  type AnalysisArgs,
  type AnalysisName,
  type AnalysisResult,
  runInThread,
} from '../../plan/thread/in-thread.ts'
import type { AppCode } from '../../plan/thread/judge.ts'
import type { ImpactRequest } from '../../judge/impact.ts'
import type { CommandContext } from '../shell/command.ts'
import { withProgress } from './progress.ts'
import type { ProjectContext } from './project-command.ts'

/**
 * Runs an analysis of the app's code beside the terminal, which shows that it runs. Ctrl-C ends it at once.
 *
 * @param label - what it does, such as `Checking what the update breaks`. Default: nothing is shown
 * @throws PromptsError what the analysis throws; the reason of an abort
 */
async function analyse<Name extends AnalysisName>(
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
async function codeLocation({
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
 * @throws PromptsError as {@link analyse}
 */
export async function findImpact(
  context: CodeContext,
  locks: Pick<ImpactRequest, 'before' | 'after'>,
): Promise<ImpactReport> {
  return analyse(context, 'findImpact', [{ ...(await codeLocation(context)), ...locks }])
}

/** What an analysis does, for a person who waits; `undefined` for one that others report. */
const LABELS: Readonly<Partial<Record<AnalysisName, string>>> = {
  findImpact: IMPACT_TEXTS.started,
  findBreaking: 'Checking which updates break the app',
  planFix: 'Checking which call sites can be fixed',
}

/** The code of the apps, for plans. */
export function appCode(context: CodeContext): AppCode {
  return {
    locate: () => codeLocation(context),
    run: (name, args) => analyse(context, name, args, LABELS[name]),
    signal: context.signal,
  }
}
