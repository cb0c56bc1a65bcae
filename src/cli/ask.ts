import { confirm, isCancel, multiselect, password, select, text } from '@clack/prompts'
import { Interruption } from './interruption.ts'
import type { InteractiveStreams } from './output/terminal.ts'

// Only this file imports `@clack/prompts`. Import it lazily, and only on an interactive terminal.

/**
 * Asks a yes-or-no question.
 *
 * @param initialValue - the answer on Enter
 * @throws Interruption on Ctrl-C
 */
export async function askYesNo(
  message: string,
  { input, output }: InteractiveStreams,
  { initialValue = true }: { readonly initialValue?: boolean } = {},
): Promise<boolean> {
  return throwIfCancelled(await confirm({ message, initialValue: initialValue, input, output }))
}

/** One of several answers. */
export interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly hint: string
}

/**
 * Asks for one of several values.
 *
 * @param initialValue - the answer on Enter. Default: the first
 * @throws Interruption on Ctrl-C
 */
export async function askChoice<Value extends string>(
  message: string,
  choices: readonly Choice<Value>[],
  {
    input,
    output,
    initialValue = choices[0]?.value,
  }: InteractiveStreams & { readonly initialValue?: Value },
): Promise<Value> {
  const options = choices.map(({ value, label, hint }) => ({ value, label, hint }))
  const preset = initialValue === undefined ? {} : { initialValue }
  const chosen = await select<string>({ message, options, ...preset, input, output })
  return throwIfCancelled(chosen) as Value
}

/**
 * Asks for any of several values.
 *
 * @param initialValues - the answer on Enter
 * @returns the chosen ones, possibly none
 * @throws Interruption on Ctrl-C
 */
export async function askChoices<Value extends string>(
  message: string,
  choices: readonly Choice<Value>[],
  {
    input,
    output,
    initialValues,
  }: InteractiveStreams & { readonly initialValues: readonly Value[] },
): Promise<Value[]> {
  const options = choices.map(({ value, label, hint }) => ({ value, label, hint }))
  const settings = { message, options, initialValues, required: false, input, output }
  return throwIfCancelled(await multiselect<string>(settings)) as Value[]
}

/** What an answer must be. */
interface AnswerRules {
  /** What is wrong with an answer; `undefined` if nothing is. */
  readonly problemOf: (answer: string) => string | undefined
}

/**
 * Asks for one line.
 *
 * @throws Interruption on Ctrl-C
 */
export async function askText(
  message: string,
  { input, output }: InteractiveStreams,
  { placeholder, problemOf }: AnswerRules & { readonly placeholder: string },
): Promise<string> {
  const validate = (answer = ''): string | undefined => problemOf(answer)
  return throwIfCancelled(await text({ message, placeholder, validate, input, output }))
}

/**
 * Asks for one line that is not shown.
 *
 * @throws Interruption on Ctrl-C
 */
export async function askSecret(
  message: string,
  { input, output }: InteractiveStreams,
  { problemOf }: AnswerRules,
): Promise<string> {
  const validate = (answer = ''): string | undefined => problemOf(answer)
  return throwIfCancelled(await password({ message, validate, input, output }))
}

function throwIfCancelled<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (isCancel(answer)) throw new Interruption('SIGINT')
  return answer as Exclude<Answer, symbol>
}
