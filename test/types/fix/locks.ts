import type { Lock } from '../../../src/core/prompt.ts'
import { liveLock } from '../../helpers/pinned.ts'

/** The prompts of the golden app before the update. What is in brackets is removed by it. */
export const BEFORE: Lock = liveLock(
  { slug: '42', system: 'Answer {{ ticket }}' },
  { slug: 'farewell', system: 'Bye[ {{ name }}]' },
  { slug: 'greeting', system: 'Hello {{ name }}[, {{ tone }}]' },
  { slug: 'old-summary', system: 'Sum up {{ text }}' },
  { slug: 'order-note', system: 'Note {{ note }} for {{ customer_name }}' },
  { slug: 'order-reply', system: 'Order {{ order.id }} for {{ customer }}' },
  { slug: 'second-triage', system: 'Second {{ ticket }}' },
  { slug: 'stays', system: 'Keep {{ ticket }}' },
  { slug: 'support-triage', system: 'Sort {{ ticket }} by {{ tone }}' },
)

/** The prompts after the update: the same texts with other names. */
export const AFTER: Lock = liveLock(
  { slug: '3d-answer', system: 'Answer {{ ticket }}', version: 'v23' },
  { slug: 'farewell', system: 'Bye', version: 'v23' },
  { slug: 'greeting', system: 'Hello {{ name }}', version: 'v23' },
  { slug: 'new-summary', system: 'Sum up {{ body }}', version: 'v23' },
  { slug: 'order-note', system: 'Note {{ note-text }} for {{ customer_name }}', version: 'v23' },
  { slug: 'order-reply', system: 'Order {{ orderNumber }} for {{ customer }}', version: 'v23' },
  { slug: 'second-triage', system: 'Second {{ message }}', version: 'v23' },
  { slug: 'stays', system: 'Keep {{ ticket }}' },
  { slug: 'support-triage', system: 'Sort {{ message }} by {{ tone }}', version: 'v23' },
)

/** The values of `--rename` that the update needs. */
export const RENAMES: readonly string[] = [
  '42=3d-answer',
  'old-summary=new-summary',
  'new-summary:text=body',
  'order-note:note=note-text',
  'order-reply:order.id=orderNumber',
  'second-triage:ticket=message',
  'support-triage:ticket=message',
]
