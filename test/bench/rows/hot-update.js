import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { cleanEnvironment } from '../tools/process.js'
import { identifierOf, makePrompts, printLock } from '../tools/prompts.js'
import { limited } from '../tools/report.js'
import { field, inTurn } from '../tools/statistics.js'

export const title =
  'Hot update of one prompt in Vite dev, processor time until it is sent, by the size of the lock'
export const rounds = 11

const CHILD = join(import.meta.dirname, '../children/dev-server.js')
const USED = 10

/** The allowed milliseconds, by the number of prompts in the lock. */
const LIMITS = new Map([
  [100, 15],
  [1000, 25],
  [5000, 250],
])

export async function run({ work, rounds: count }) {
  const rows = []
  for (const [size, most] of LIMITS) {
    const samples = await measureAll(work, size, count)
    rows.push(limited(`${size} prompts`, field(samples, 'cpu'), most))
  }
  return rows
}

async function measureAll(work, size, count) {
  const root = await prepare(work, size)
  const child = fork(CHILD, [root, work.dist], { env: cleanEnvironment({}) })
  await once(child, 'message')
  try {
    const update = (round) => measure(child, root, changedLock(size, round))
    // One before measuring: the first change finds cold code.
    await update(-1)
    return (await inTurn(count, { update })).update
  } finally {
    child.disconnect()
  }
}

/** Loads the page, writes a lock, and waits until the server has sent the update. */
async function measure(child, root, lock) {
  await delay(1000)
  child.send('cpu')
  const [{ cpu: before }] = await once(child, 'message')
  const update = nextUpdate(child)
  await writeFile(join(root, 'prompts.lock.json'), lock)
  const { cpu } = await update
  return { cpu: cpu - before }
}

async function nextUpdate(child) {
  for (;;) {
    const [{ sent, ...used }] = await once(child, 'message')
    const [payload] = sent ?? []
    if (payload?.type === 'update') return used
    if (payload?.type === 'full-reload') throw new Error('The page is reloaded, not updated.')
  }
}

async function prepare(work, size) {
  const root = await work.app(`hot-update-${size}`)
  await writeFile(join(root, 'prompts.lock.json'), changedLock(size, -2))
  const calls = makePrompts(USED).map(
    ({ slug }) => `console.log(prompts.${identifierOf(slug)}.render(globalThis.values))\n`,
  )
  const main = `import { prompts } from 'virtual:prompts'\n${calls.join('')}\nimport.meta.hot.accept()\n`
  await writeFile(join(root, 'src/main.js'), main)
  return root
}

function changedLock(size, round) {
  const edit = (prompt) => ({ ...prompt, system: `${prompt.system}\nRound ${round}.` })
  return printLock(makePrompts(size, (prompt, index) => (index === 3 ? edit(prompt) : prompt)))
}
