/**
 * Decides what of a pull is written: `steps.ts` says what is done with a plan, and each step makes another one, until
 * one is written or declined.
 */
import { judge, leaveBreaking } from '../../../plan/thread/judge.ts'
import type { JudgedPlan, Plan } from '../../../plan/plan.ts'
import { reportOf } from '../../../judge/impact.ts'
import { appCode } from '../../project/analyse.ts'
import type { EditJson } from '../../view/json.ts'
import type { Deciding, PullContext } from './context.ts'
import { confirmFix, tryFix } from './fix.ts'
import { askStep, choosePrompts, confirmWrite } from './questions.ts'
import { FIRST, nextStep, type Offer, offersFor, type State } from './steps.ts'

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
  const [first = 'judge'] = FIRST.find(([, applies]) => applies(context.values)) ?? []
  let deciding: Deciding = await ACTS[first]({ plan: prepared }, context)
  let edits = await print(deciding.plan)
  for (let isFirst = true; ; isFirst = false) {
    const step = await answeredStep(deciding, stateOf(deciding, context, isFirst), context)
    if (step === 'write' || step === 'cancel')
      return { ...deciding, edits, isApproved: step === 'write' }
    const next: Deciding = await ACTS[step](deciding, context)
    if (next.plan !== deciding.plan) edits = await print(next.plan)
    deciding = next
  }
}

/** The next step, or what a person answers. */
async function answeredStep(
  deciding: Deciding,
  state: State,
  context: PullContext,
): Promise<Exclude<Offer, 'review'> | 'try-fix'> {
  const step = nextStep(state)
  if (step === 'confirm') return confirmWrite(deciding, context)
  return step === 'offer' ? askStep(offersFor(state), deciding, context) : step
}

function stateOf(
  { plan, fix }: Deciding,
  { values, terminal }: PullContext,
  isFirst: boolean,
): State {
  return {
    ...values,
    findings: reportOf(plan.breaks).findings.length,
    left: plan.left.length,
    edits: plan.edits.length,
    fixable: fix?.plan.edits.length,
    isDamaged: plan.before.kind === 'damaged',
    isFirst,
    hasTerminal: terminal.interactive !== undefined,
  }
}
