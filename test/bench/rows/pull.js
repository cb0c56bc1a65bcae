import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runNode } from '../tools/process.js'
import { makePrompts, writeLock } from '../tools/prompts.js'
import { compared, limited, megabytes, milliseconds, shown } from '../tools/report.js'
import { startService } from '../tools/service.js'
import { field, inTurn } from '../tools/statistics.js'

export const title = '`pull` of a whole workspace into an empty project'
export const rounds = 5

const CONCURRENCY = 16
const CHILD = join(import.meta.dirname, '../children/plain-undici.js')

/**
 * The allowed ratios, by the milliseconds of an answer: of the whole process to that of plain undici, and
 * from the first request to the last answer.
 */
const LIMITS = new Map([
  [0, { whole: 1.5, reading: 1.5 }],
  [20, { whole: 1.15, reading: 1.2 }],
])

const PROMPTS = 1000

export async function run({ work, rounds: count }) {
  const rows = []
  const root = await work.app('pull')
  const served = join(root, 'served.json')
  await writeLock(served, makePrompts(PROMPTS))
  for (const latency of LIMITS.keys()) {
    const service = await startService(work, { lock: served, latency })
    const contestants = contestantsFor(work, { root, service })
    const samples = await inTurn(count, contestants).finally(service.close)
    rows.push(...rowsOf(samples, latency))
  }
  return rows
}

function contestantsFor(work, { root, service }) {
  const observed = async (running) => {
    const result = await running
    return { ...result, ...(await service.observe()) }
  }
  const pull = async () => {
    for (const file of ['prompts.lock.json', 'prompts.d.ts'])
      await rm(join(root, file), { force: true })
    return observed(runNode(work.cli, ['pull', '--json'], { cwd: root, env: service.env }))
  }
  const args = [service.url, service.key, String(CONCURRENCY), join(root, 'plain.json')]
  const plain = () => observed(runNode(CHILD, args, { cwd: work.root }))
  return { plain, pull }
}

/** With a latency, the reading is compared with the time of the latency alone. */
function rowsOf({ plain, pull }, latency) {
  const name = `${PROMPTS} at ${latency} ms`
  const { whole, reading } = LIMITS.get(latency)
  const bound = (2 + Math.ceil(PROMPTS / CONCURRENCY)) * latency
  const spans = field(plain, 'span')
  const read =
    bound === 0 ? { against: spans } : { against: pull.map(() => bound), of: milliseconds(bound) }
  return [
    shown(`${name}: plain undici, whole process`, field(plain, 'ms')),
    compared(`${name}: pull, whole process`, field(pull, 'ms'), {
      against: field(plain, 'ms'),
      most: whole,
    }),
    shown(`${name}: plain undici, first request to last answer`, spans),
    compared(`${name}: pull, first request to last answer`, field(pull, 'span'), {
      ...read,
      most: reading,
    }),
    shown(`${name}: pull, peak memory`, field(pull, 'peak'), megabytes),
    limited(`${name}: most in flight`, Math.max(...field(pull, 'most')), { most: CONCURRENCY }),
  ]
}
