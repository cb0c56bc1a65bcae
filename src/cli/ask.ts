import { confirm, isCancel, password, select, text } from '@clack/prompts'
import { Interruption } from './interruption.ts'
import type { InteractiveStreams } from './output/terminal.ts'

/**
 * Asks a yes-or-no question.
 *
 * @param initialValue - the answer on Enter Only this file imports `@clack/prompts`. Import it
 *   lazily, and only on an interactive terminal.
 *
 * @throws Interruption on Ctrl-C
 */
export async function askYesNo(
  message: string,
  { input, output }: InteractiveStreams,
  { initialValue = true }: { readonly initialValue?: boolean } = {},
): Promise<boolean> {
  return throwIfCancelled(await confirm({ message, initialValue: initialValue, input, output }))
}

/**
 * Asks for one of several values. The first is preselected.
 *
 * @throws Interruption on Ctrl-C
 */
export async function askChoice<Value extends string>(
  message: string,
  options: readonly { readonly value: Value; readonly label: string; readonly hint: string }[],
  { input, output }: InteractiveStreams,
): Promise<Value> {
  const choices = options.map(({ value, label, hint }) => ({ value, label, hint }))
  const chosen = await select<string>({ message, options: choices, input, output })
  return throwIfCancelled(chosen) as Value
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
