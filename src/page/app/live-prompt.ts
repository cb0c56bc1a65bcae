import { type PlannedTexts, planTexts } from '../../codegen/plan-module.ts'
import type { PinnedPrompt } from '../../core/prompt.ts'
import { settingsOf } from '../../core/settings.ts'
import { parseTemplate, type TemplatePart } from '../../core/template.ts'
import type { PromptBody } from '../../runtime/define-prompt.ts'
import { type AnyPrompt, compose, definePrompt, type RenderedPrompt } from '../../runtime/index.ts'

/** Values of variables, by name. */
export type Values = Readonly<Record<string, string>>

/** The value of a variable, whose name may be that of a method of objects. */
export function valueOf<Value>(
  values: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** A prompt whose variables are known only at run time, so types can't require them. */
export interface LivePrompt extends Omit<AnyPrompt, 'render'> {
  readonly render: (values: Values) => RenderedPrompt
}

/**
 * The prompt as the app gets it. The code that generates and renders `virtual:prompts` also runs
 * here, so the result is exactly what the app would send.
 */
export function livePrompt(prompt: PinnedPrompt): LivePrompt {
  const body = bodyOf(planTexts(prompt))
  const values = [...Object.values(settingsOf(prompt)), prompt.environment, body]
  return definePrompt(...(values as Parameters<typeof definePrompt>)) as LivePrompt
}

/** The concatenations that the generated module contains. */
function bodyOf({ texts, join }: PlannedTexts): PromptBody {
  return (values, slot) => {
    const fill = (part: TemplatePart): string => {
      if (typeof part === 'string') return part
      const { raw, name } = part
      return String(slot(raw, valueOf(values, name), values))
    }
    const [system = '', user = '', source] = texts.map((parts) => parts.map(fill).join(''))
    return compose(system, user, join, source)
  }
}

/** A piece of a rendered text and where it came from. */
export interface Filled {
  readonly kind: 'text' | 'value' | 'missing'
  readonly text: string
}

/** A text with its values inserted, split at the values. Variables without a value stay tokens. */
export function fillIn(text: string, values: Values): Filled[] {
  return parseTemplate(text).map((part): Filled => {
    if (typeof part === 'string') return { kind: 'text', text: part }
    const value = valueOf(values, part.name)
    return value === undefined
      ? { kind: 'missing', text: part.raw }
      : { kind: 'value', text: value }
  })
}
