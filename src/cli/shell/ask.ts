import { setImmediate } from 'node:timers/promises'
import type * as Clack from '@clack/prompts'
import { Interruption } from './command.ts'
import type { InteractiveStreams } from './terminal.ts'

/**
 * Asks a question on an interactive terminal. Loads `@clack/prompts`, which only this file does.
 *
 * @param question - asks with a function of that package, on the given streams
 * @throws Interruption on Ctrl-C
 */
export async function ask<Answer>(
  streams: InteractiveStreams,
  question: (clack: typeof Clack, streams: InteractiveStreams) => Promise<Answer>,
): Promise<Exclude<Answer, symbol>> {
  const clack = await import('@clack/prompts')
  await discardInput(streams)
  const answer = await question(clack, streams)
  if (clack.isCancel(answer)) throw new Interruption('SIGINT')
  return answer as Exclude<Answer, symbol>
}

/** Drops what was typed before a question: it is no answer. */
async function discardInput({ input }: InteractiveStreams): Promise<void> {
  if (!('setRawMode' in input) || typeof input.setRawMode !== 'function') return
  const drop = (): void => undefined
  // In raw mode, the terminal passes on lines that were not ended.
  input.setRawMode(true)
  input.on('data', drop)
  await setImmediate()
  await setImmediate()
  input.off('data', drop).pause()
  input.setRawMode(false)
}

/**
 * Asks for one of several answers.
 *
 * @throws Interruption on Ctrl-C
 */
export function askChoice<Value>(
  question: Pick<Clack.SelectOptions<Value>, 'message' | 'options' | 'initialValue'>,
  streams: InteractiveStreams,
): Promise<Exclude<Value, symbol>> {
  return ask(streams, ({ select }, on) => select<Value>({ ...question, ...on }))
}

/**
 * Asks a yes-or-no question.
 *
 * @param initialValue - the answer on Enter
 * @throws Interruption on Ctrl-C
 */
export function askYesNo(
  message: string,
  streams: InteractiveStreams,
  initialValue = true,
): Promise<boolean> {
  return ask(streams, ({ confirm }, on) => confirm({ message, initialValue, ...on }))
}
