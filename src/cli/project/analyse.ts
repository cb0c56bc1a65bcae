import {
  type AnalysisArgs,
  type AnalysisName,
  type AnalysisResult,
  runInThread,
} from '../../features/background/in-thread.ts'
import type { CommandContext } from '../shell/command.ts'
import { startProgress } from '../shell/progress.ts'

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
  const progress = label === undefined ? undefined : startProgress(terminal, label)
  try {
    return await runInThread(name, args, signal)
  } finally {
    progress?.stop()
    signal.throwIfAborted()
  }
}
