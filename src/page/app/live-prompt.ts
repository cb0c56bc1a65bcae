import { type PlannedTexts, planTexts } from '../../codegen/plan-module.ts'
import type { TemplatePart } from '../../core/template.ts'
import type { PromptBody } from '../../runtime/define-prompt.ts'
import {
  type AnyPrompt,
  compose,
  definePrompt,
  type RenderedPrompt,
  toAISDK,
  toAnthropic,
  toOpenAI,
} from '../../runtime/index.ts'
import type { PromptView } from './entries.ts'
import { QUESTION, type SampleKind } from './code-samples.ts'

/** Values of variables, by name. */
export type Values = Readonly<Record<string, string>>

/** A prompt whose variables are known only at run time, so types can't require them. */
interface LivePrompt extends Omit<AnyPrompt, 'render'> {
  readonly render: (values: Values) => RenderedPrompt
}

/**
 * The prompt as the app gets it. The code that generates and renders `virtual:prompts` also runs
 * here, so the result is exactly what the app would send.
 */
export function livePrompt(prompt: PromptView): LivePrompt {
  const { slug, folder, model, temperature, version, environment } = prompt
  const body = bodyOf(planTexts(prompt))
  const live = definePrompt(slug, folder, model, temperature, version, environment, body)
  return live as LivePrompt
}

/** The concatenations that the generated module contains. */
function bodyOf({ texts, join }: PlannedTexts): PromptBody {
  return (values, slot) => {
    const fill = (part: TemplatePart): string => {
      if (typeof part === 'string') return part
      const { raw, name } = part
      return String(slot(raw, Object.hasOwn(values, name) ? values[name] : undefined, values))
    }
    const [system = '', user = '', source] = texts.map((parts) => parts.map(fill).join(''))
    return compose(system, user, join, source)
  }
}

const ADAPTERS = { openai: toOpenAI, anthropic: toAnthropic, aisdk: toAISDK } as const

/** What the code sample for a client sends with these values. */
export function requestOf(kind: SampleKind, live: LivePrompt, values: Values): object {
  const { model } = live
  const limits = kind === 'anthropic' ? { max_tokens: 1024 } : {}
  const needsQuestion = kind !== 'openai' && live.userSource === ''
  const question = needsQuestion ? { messages: [{ role: 'user', content: QUESTION }] } : {}
  // The adapters know variables by their types only.
  const adapt = ADAPTERS[kind] as (prompt: object) => object
  return { model, ...limits, ...adapt({ ...live, render: () => live.render(values) }), ...question }
}

/** A piece of a rendered text and where it came from. */
export interface Filled {
  readonly kind: 'text' | 'value' | 'missing'
  readonly text: string
}

/** A text with its values inserted, split at the values. Variables without a value stay tokens. */
export function fillIn(parts: readonly TemplatePart[], values: Values): Filled[] {
  return parts.map((part): Filled => {
    if (typeof part === 'string') return { kind: 'text', text: part }
    const value = Object.hasOwn(values, part.name) ? values[part.name] : undefined
    return value === undefined
      ? { kind: 'missing', text: part.raw }
      : { kind: 'value', text: value }
  })
}
