import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createDevBrowser } from '../tools/dev-browser.js'
import { cleanEnvironment } from '../tools/process.js'
import { identifierOf, makePrompts, printLock } from '../tools/prompts.js'
import { limited, megabytes, milliseconds, shown } from '../tools/report.js'
import { field, inTurn, median } from '../tools/statistics.js'

export const title =
  'Hot update of one prompt in Vite dev, processor time until it is sent, by the size of the lock'
export const rounds = 11

const CHILD = join(import.meta.dirname, '../children/dev-server.js')
const USED = 10

/** The allowed milliseconds, by the number of prompts in the lock. */
const LIMITS = new Map([
  [100, 15],
  [1000, 50],
  [5000, 250],
])

export async function run({ work, rounds: count }) {
  const rows = []
  for (const [size, most] of LIMITS) {
    const samples = await measureAll(work, size, count)
    const sent = field(samples, 'cpu')
    rows.push(
      limited(`${size} prompts`, median(sent), { most, unit: milliseconds }),
      shown(`${size} prompts, modules fetched`, field(samples, 'modules'), String),
      shown(`${size} prompts, peak memory of the server`, field(samples, 'peak'), megabytes),
    )
  }
  return rows
}

async function measureAll(work, size, count) {
  const root = await prepare(work, size)
  const child = fork(CHILD, [root, work.dist], { env: cleanEnvironment({}) })
  const [{ url }] = await once(child, 'message')
  const browser = createDevBrowser(url)
  try {
    await browser.load('/src/main.js')
    const update = (round) => measure(child, browser, root, changedLock(size, round))
    // One before measuring: the first change finds cold code.
    await update(-1)
    return (await inTurn(count, { update })).update
  } finally {
    await browser.close()
    child.disconnect()
  }
}

/** Writes a lock and loads what the server then sends to the page. */
async function measure(child, browser, root, lock) {
  await delay(1000)
  child.send('cpu')
  const [{ cpu: before }] = await once(child, 'message')
  const update = nextUpdate(child)
  await writeFile(join(root, 'prompts.lock.json'), lock)
  const { updates, cpu, peak } = await update
  const loaded = await Promise.all(
    updates.map(({ acceptedPath, timestamp }) => browser.load(`${acceptedPath}?t=${timestamp}`)),
  )
  return { cpu: cpu - before, peak, modules: loaded.reduce((sum, one) => sum + one, 0) }
}

async function nextUpdate(child) {
  for (;;) {
    const [{ sent, ...used }] = await once(child, 'message')
    const [payload] = sent ?? []
    if (payload?.type === 'update') return { updates: payload.updates, ...used }
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
  const page = '<!doctype html><script type="module" src="/src/main.js"></script>\n'
  await writeFile(join(root, 'index.html'), page)
  return root
}

function changedLock(size, round) {
  const prompts = makePrompts(size, (prompt, index) => {
    if (index !== 3) return prompt
    const system = `${prompt.system}\nRound ${round}.`
    return { ...prompt, system, source: `${system}\n\n${prompt.user}` }
  })
  return printLock(prompts)
}
