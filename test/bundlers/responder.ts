import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'

interface Answer {
  readonly id: number
  readonly error: string | null
  readonly result?: unknown
}

/**
 * Asks a process that answers lines of JSON. It starts once, with the first question, and ends when
 * this process closes its standard input. Each answer has the `id` of its question.
 *
 * @param start - with pipes for the standard input and output
 * @returns what resolves to the `result` of an answer, or rejects with its `error`
 */
export function responder(start: () => ChildProcess): (question: object) => Promise<unknown> {
  const waiting = new Map<number, (answer: Answer) => void>()
  let child: ChildProcess | undefined
  let asked = 0
  const begin = (): ChildProcess => {
    const begun = start()
    if (begun.stdout === null) throw new Error('The process has no standard output.')
    createInterface(begun.stdout).on('line', (line) => {
      const answer = JSON.parse(line) as Answer
      waiting.get(answer.id)?.(answer)
      waiting.delete(answer.id)
    })
    begun.on('exit', () => {
      child = undefined
      for (const [id, end] of waiting) end({ id, error: `${begun.spawnfile} has ended.` })
    })
    return begun
  }
  return async (question) => {
    const { stdin } = (child ??= begin())
    const id = asked++
    const { error, result } = await new Promise<Answer>((answered) => {
      waiting.set(id, answered)
      stdin?.write(`${JSON.stringify({ id, ...question })}\n`)
    })
    if (error !== null) throw new Error(error)
    return result
  }
}
