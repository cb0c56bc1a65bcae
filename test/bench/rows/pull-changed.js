import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runNode } from '../tools/process.js'
import { makePrompts, writeLock } from '../tools/prompts.js'
import { compared, exact, shown } from '../tools/report.js'
import { startService } from '../tools/service.js'
import { field, inTurn } from '../tools/statistics.js'

export const title = '`pull --changed` with 3 of 10,000 prompts changed'
export const rounds = 3

const COUNT = 10_000
const CHANGED = new Set([17, 4711, 9876])

export async function run({ work, rounds: count }) {
  const root = await work.app('pull-changed')
  const [before, served] = [join(root, 'before.json'), join(root, 'served.json')]
  await writeLock(before, makePrompts(COUNT))
  await writeLock(served, makePrompts(COUNT, change))
  const service = await startService(work, { lock: served })
  const pull = async (...args) => {
    await copyFile(before, join(root, 'prompts.lock.json'))
    await service.observe()
    const result = await runNode(work.cli, ['pull', '--json', ...args], {
      cwd: root,
      env: service.env,
    })
    return { ...result, ...(await service.observe()), ...JSON.parse(result.stdout) }
  }
  const samples = await inTurn(count, {
    whole: () => pull(),
    changed: () => pull('--changed'),
  }).finally(service.close)
  const [{ lists, reads, changes }] = samples.changed
  return [
    shown('pull', field(samples.whole, 'ms')),
    compared('pull --changed', field(samples.changed, 'ms'), {
      against: field(samples.whole, 'ms'),
    }),
    exact('lists at the service', lists, 2),
    exact('reads at the service', reads, CHANGED.size),
    exact('prompts changed in the lock', changes.length, CHANGED.size),
  ]
}

function change(prompt, index) {
  if (!CHANGED.has(index)) return prompt
  const system = `${prompt.system}\nBe brief.`
  return { ...prompt, version: 'v99', system, source: `${system}\n\n${prompt.user}` }
}
