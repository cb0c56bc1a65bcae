import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { withService } from '../../nightly/apps/lock.js'
import { runNode } from '../tools/process.js'
import { makePrompts, writeLock } from '../tools/prompts.js'
import { compared, shown } from '../tools/report.js'
import { field, inTurn } from '../tools/statistics.js'

export const title =
  'The first pull of 1,000 prompts beside the same requests by undici, elapsed time with 20 ms for each answer'
export const rounds = 11

const PROMPTS = 1000
const LATENCY = 20
const CHILD = join(import.meta.dirname, '../children/plain-undici.js')

export async function run({ work, rounds: count }) {
  const cwd = await work.app('pull')
  const served = join(work.root, 'served.json')
  await writeLock(served, makePrompts(PROMPTS))
  const contestants = (env) => ({
    plain: () => runNode(CHILD, [], { cwd, env }),
    async pull() {
      for (const name of ['prompts.lock.json', 'prompts.d.ts', 'prompts.d.ts.map'])
        await rm(join(cwd, name), { force: true })
      return runNode(work.cli, ['pull'], { cwd, env })
    },
  })
  const job = (env) => inTurn(count, contestants(env))
  const { plain, pull } = await withService(served, job, '--latency', String(LATENCY))
  const against = field(plain, 'elapsed')
  return [
    shown('undici', against),
    compared('pull', field(pull, 'elapsed'), { against, most: 1.25 }),
  ]
}
