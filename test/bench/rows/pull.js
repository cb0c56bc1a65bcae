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

/** The allowed ratio to the time of the latency alone, from the first request to the last answer. */
const LIMITS = new Map([
  [20, 1.2],
  [50, 1.1],
])
/** The allowed ratio to plain undici's own process. */
const WHOLE = 1.15

const PROMPTS = 1000
const LATENCIES = [0, 20, 50]

export async function run({ work, rounds: count }) {
  const rows = []
  const root = await work.app('pull')
  const served = join(root, 'served.json')
  await writeLock(served, makePrompts(PROMPTS))
  for (const latency of LATENCIES) {
    const service = await startService(work, { lock: served, latency })
    const contestants = contestantsFor(work, { root, service })
    const samples = await inTurn(count, contestants).finally(service.close)
    const name = `${PROMPTS} at ${latency} ms`
    const rowsOf = latency === 0 ? besidePlain : besideBound
    rows.push(...rowsOf(name, samples, latency))
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

function besidePlain(name, { plain, pull }) {
  return [
    shown(`${name}: plain undici, whole process`, field(plain, 'ms')),
    compared(`${name}: pull, whole process`, field(pull, 'ms'), {
      against: field(plain, 'ms'),
      most: 1.5,
    }),
    shown(`${name}: plain undici, first request to last answer`, field(plain, 'span')),
    compared(`${name}: pull, first request to last answer`, field(pull, 'span'), {
      against: field(plain, 'span'),
      most: 1.5,
    }),
    shown(`${name}: plain undici, processor time`, field(plain, 'cpu')),
    compared(`${name}: pull, processor time`, field(pull, 'cpu'), { against: field(plain, 'cpu') }),
    shown(`${name}: peak memory`, field(pull, 'peak'), megabytes),
    inFlight(name, pull),
  ]
}

/** For comparison: the overhead of plain undici is that of the client, the service and the machine. */
function besideBound(name, { plain, pull }, latency) {
  const bound = (2 + Math.ceil(PROMPTS / CONCURRENCY)) * latency
  const against = pull.map(() => bound)
  const most = LIMITS.get(latency)
  const of = milliseconds(bound)
  const whole = `${name}: pull, whole process`
  const reading = `${name}: pull, first request to last answer`
  return [
    compared(`${name}: plain undici, whole process`, field(plain, 'ms'), { against, of }),
    compared(whole, field(pull, 'ms'), { against: field(plain, 'ms'), most: WHOLE }),
    compared(`${name}: plain undici, first request to last answer`, field(plain, 'span'), {
      against,
      of,
    }),
    compared(reading, field(pull, 'span'), { against, most, of }),
    inFlight(name, pull),
  ]
}

function inFlight(name, pull) {
  const most = Math.max(...field(pull, 'most'))
  return limited(`${name}: most in flight`, most, { most: CONCURRENCY })
}
