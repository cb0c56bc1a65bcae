import { planModule, type PlannedPrompt } from '../../emit/plan-module.ts'
import type { Environment } from '../../core/prompt.ts'
import type { TemplatePart } from '../../core/template.ts'
import type { PromptBody } from '../../runtime/define-prompt.ts'
import { definePrompt, type Prompt } from '../../runtime/index.ts'
import type { PromptView } from '../protocol.ts'

/**
 * The prompt as the app gets it: planned and rendered by the very code that `virtual:prompts` is
 * made with, so that what is tried here is what will be sent.
 */
export function livePrompt(prompt: PromptView, environment: Environment): Prompt {
  const [planned] = planModule({ environment, prompts: [prompt] }).prompts
  if (planned === undefined) throw new TypeError('A plan has the prompts of its lock.')
  const { slug, folder, model, temperature, version } = prompt
  const names = planned.slots.map(({ name }) => name)
  return definePrompt(
    slug,
    folder,
    model,
    temperature,
    version,
    environment,
    bodyOf(planned),
    planned.slots.map(({ raw }) => raw),
    (variables) =>
      names.map((name) => (Object.hasOwn(variables, name) ? variables[name] : undefined)),
  )
}

/** The concatenations that the generated module spells out. */
function bodyOf({ system, user, whole, slots }: PlannedPrompt): PromptBody {
  const places = new Map(slots.map(({ raw }, index) => [raw, index]))
  return (values, compose) => {
    const fill = (parts: readonly TemplatePart[]): string =>
      parts
        .map((part) =>
          typeof part === 'string' ? part : String(values[places.get(part.raw) ?? -1]),
        )
        .join('')
    return whole.kind === 'join'
      ? compose(fill(system), fill(user), whole.join)
      : compose(fill(system), fill(user), '', fill(whole.source))
  }
}

/** A piece of a rendered text and where it came from. */
export interface Filled {
  readonly kind: 'text' | 'value' | 'missing'
  readonly text: string
}

/** A text with values in it, cut where the values are; missing ones stay tokens. */
export function fillIn(
  parts: readonly TemplatePart[],
  values: Readonly<Record<string, string>>,
): Filled[] {
  return parts.map((part): Filled => {
    if (typeof part === 'string') return { kind: 'text', text: part }
    const value = Object.hasOwn(values, part.name) ? values[part.name] : undefined
    return value === undefined
      ? { kind: 'missing', text: part.raw }
      : { kind: 'value', text: value }
  })
}
