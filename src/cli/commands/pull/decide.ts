/**
 * Decides what of a pull is written: `steps.ts` says what is done with a plan, and each step makes another one, until
 * one is written or declined.
 */
import { judge, leaveBreaking } from '../../../plan/thread/judge.ts'
import { changesOf, type JudgedPlan, type Plan } from '../../../plan/plan.ts'
import { reportOf } from '../../../judge/impact.ts'
import { appCode } from '../../project/analyse.ts'
import type { Deciding, PullContext } from './context.ts'
import { confirmFix, tryFix } from './fix.ts'
import { askStep, choosePrompts, confirmWrite, reviewTexts } from './questions.ts'
import { FIRST, nextStep, type Offer, offersFor, type State } from './steps.ts'

const ACTS = {
  async judge({ plan, ...rest }: Deciding<Plan>, context: PullContext): Promise<Deciding> {
    return { ...rest, plan: await judge(plan, appCode(context)) }
  },
  async 'skip-breaking'(
    { plan, ...rest }: Deciding<Plan>,
    context: PullContext,
  ): Promise<Deciding> {
    return { ...rest, plan: await leaveBreaking(plan, appCode(context)) }
  },
  'try-fix': tryFix,
  fix: confirmFix,
  choose: choosePrompts,
  review: reviewTexts,
}

/**
 * Shows a plan and what it breaks, and asks until one is accepted or declined.
 *
 * @param print - prints a plan
 * @throws PromptsError USAGE for a value of `--rename` that does not match the changes
 * @throws Interruption on Ctrl-C
 */
export async function decide(
  prepared: Plan,
  context: PullContext,
  print: (plan: JudgedPlan) => Promise<void>,
): Promise<Deciding & { readonly isApproved: boolean }> {
  const [first = 'judge'] = FIRST.find(([, applies]) => applies(context.values)) ?? []
  let deciding = await ACTS[first]({ plan: prepared, renames: [], hasChosen: false }, context)
  await print(deciding.plan)
  for (;;) {
    const step = await answeredStep(deciding, context)
    if (step === 'write' || step === 'cancel') return { ...deciding, isApproved: step === 'write' }
    const next = await ACTS[step](deciding, context)
    if (next.plan !== deciding.plan) await print(next.plan)
    deciding = next
  }
}

/** The next step, or what a person answers. */
async function answeredStep(deciding: Deciding, context: PullContext): Promise<Offer | 'try-fix'> {
  const state = stateOf(deciding, context)
  const step = nextStep(state)
  if (step === 'confirm') return confirmWrite(deciding, context)
  return step === 'offer' ? askStep(offersFor(state), deciding, context) : step
}

function stateOf({ plan, fixed, hasChosen }: Deciding, { values, terminal }: PullContext): State {
  return {
    ...values,
    findings: reportOf(plan.breaks).findings.length,
    changes: changesOf(plan).length,
    left: plan.left.length,
    edits: plan.edits.length,
    fixable: fixed?.edits.length,
    isDamaged: plan.before.kind === 'damaged',
    hasChosen,
    hasTerminal: terminal.interactive !== undefined,
  }
}
