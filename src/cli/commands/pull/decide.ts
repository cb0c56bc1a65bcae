/** Decides what of a pull is written: each step makes another plan, until one is written or declined. */
import { judge, leaveBreaking } from '../../../plan/thread/judge.ts'
import type { JudgedPlan, Plan } from '../../../plan/plan.ts'
import { isSafe, reportOf } from '../../../judge/impact.ts'
import { appCode } from '../../project/analyse.ts'
import { confirmWrite } from '../../project/write.ts'
import type { EditJson } from '../../view/json.ts'
import type { Deciding, PullContext } from './context.ts'
import { confirmFix, tryFix } from './fix.ts'
import { type Answer, askStep, choosePrompts } from './questions.ts'

const ACTS = {
  judge: async ({ plan }: Deciding<Plan>, context: PullContext) => {
    return { plan: await judge(plan, appCode(context)) }
  },
  'skip-breaking': async ({ plan }: Deciding<Plan>, context: PullContext) => {
    return { plan: await leaveBreaking(plan, appCode(context)) }
  },
  'try-fix': async ({ plan }: Deciding, context: PullContext) => {
    return { plan, fix: await tryFix(plan, context) }
  },
  fix: confirmFix,
  choose: choosePrompts,
}

/**
 * Shows a plan and what it breaks, and asks until one is accepted or declined.
 *
 * @param print - prints a plan, and returns its edits as printed
 * @throws PromptsError USAGE for a value of `--rename` that does not match the changes
 * @throws Interruption on Ctrl-C
 */
export async function decide(
  prepared: Plan,
  context: PullContext,
  print: (plan: JudgedPlan) => Promise<readonly EditJson[]>,
): Promise<Deciding & { readonly edits: readonly EditJson[]; readonly isApproved: boolean }> {
  const { values } = context
  const first = values.fix ? 'fix' : values['skip-breaking'] ? 'skip-breaking' : 'judge'
  let deciding: Deciding = await ACTS[first]({ plan: prepared }, context)
  let edits = await print(deciding.plan)
  let step = values.interactive ? 'choose' : await nextStep(deciding, context)
  while (step !== 'write' && step !== 'cancel') {
    const next: Deciding = await ACTS[step](deciding, context)
    if (next.plan !== deciding.plan) edits = await print(next.plan)
    deciding = next
    step = await nextStep(deciding, context)
  }
  return { ...deciding, edits, isApproved: step === 'write' }
}

/** What is done with a judged plan, as its contents, the options or a person say. */
async function nextStep(deciding: Deciding, context: PullContext): Promise<Answer | 'try-fix'> {
  const { plan, fix } = deciding
  const { values, terminal } = context
  const { interactive } = terminal
  const isDamaged = plan.before.kind === 'damaged'
  if (isSafe(plan.breaks) && plan.edits.length === 0 && !isDamaged) return 'write'
  if (values.yes || values['dry-run']) return 'write'
  if (interactive === undefined) return 'cancel'
  if (reportOf(plan.breaks).findings.length === 0) {
    terminal.messages.line()
    return (await confirmWrite(plan, interactive, context)) ? 'write' : 'cancel'
  }
  if (fix === undefined && plan.left.length === 0 && !isDamaged) return 'try-fix'
  return askStep(deciding, interactive, context)
}
