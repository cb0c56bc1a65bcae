import { join } from 'node:path'
import { internals } from '../tools/internals.js'
import { runNode } from '../tools/process.js'
import { makePrompts, writeLock } from '../tools/prompts.js'
import { compared, megabytes, shown } from '../tools/report.js'
import { field, inTurn } from '../tools/statistics.js'

export const title = 'Reading and verifying a lock of 10,000 prompts'
export const rounds = 7

const CHILD = join(import.meta.dirname, '../children/read-lock.js')

export async function run({ work, rounds: count }) {
  const root = await work.app('lock')
  const path = join(root, 'prompts.lock.json')
  await writeLock(path, makePrompts(10_000))
  const { lock } = await internals(work)
  const samples = await inTurn(count, {
    json: () => runNode(CHILD, ['json', path]),
    verified: () => runNode(CHILD, ['verified', path, lock]),
  })
  const both = (name) => [field(samples.json, name), field(samples.verified, name)]
  const [cold, ourCold] = both('cold')
  const [warm, ourWarm] = both('warm')
  return [
    shown('reading the file and JSON.parse, first time in a process', cold),
    compared('reading and verifying, first time', ourCold, { against: cold, most: 2 }),
    shown('reading the file and JSON.parse, warm', warm),
    compared('reading and verifying, warm', ourWarm, { against: warm, most: 2 }),
    shown('peak memory of seven readings', field(samples.verified, 'peak'), megabytes),
  ]
}
