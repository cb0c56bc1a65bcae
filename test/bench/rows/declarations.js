import { join } from 'node:path'
import { internals } from '../tools/internals.js'
import { runNode } from '../tools/process.js'
import { makePrompts, writeLock } from '../tools/prompts.js'
import { compared, megabytes, shown } from '../tools/report.js'
import { field, inTurn } from '../tools/statistics.js'

export const title = 'Declarations alone, printed once in a fresh process'
export const rounds = 5

const CHILD = join(import.meta.dirname, '../children/print-declarations.js')

export async function run({ work, rounds: count }) {
  const modules = JSON.stringify(await internals(work))
  const rows = []
  const times = new Map()
  for (const prompts of [100, 1000, 10_000]) {
    const root = await work.app(`declarations-${prompts}`)
    const path = join(root, 'prompts.lock.json')
    await writeLock(path, makePrompts(prompts))
    const print = (way) => () => runNode(CHILD, [way, path, modules])
    const samples = await inTurn(count, { strings: print('strings'), ours: print('ours') })
    rows.push(...compare(prompts, samples))
    times.set(prompts, field(samples.ours, 'each'))
    if (prompts === 10_000) {
      const { current } = await inTurn(count, { current: print('current') })
      rows.push(shown(`${prompts}: when current`, field(current, 'each')))
    }
  }
  for (const [some, more] of [
    [100, 1000],
    [1000, 10_000],
  ]) {
    rows.push(
      compared(`from ${some} to ${more}`, times.get(more), { against: times.get(some), most: 12 }),
    )
  }
  return rows
}

function compare(prompts, { strings, ours }) {
  const against = field(strings, 'each')
  return [
    shown(`${prompts}: string building and TypeScript's parse`, against),
    compared(`${prompts}: this package`, field(ours, 'each'), { against, most: 3 }),
    shown(`${prompts}: peak memory`, field(ours, 'peak'), megabytes),
  ]
}
