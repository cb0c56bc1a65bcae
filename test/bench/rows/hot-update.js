import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createDevBrowser } from '../tools/dev-browser.js'
import { cleanEnvironment } from '../tools/process.js'
import { identifierOf, makePrompts, printLock } from '../tools/prompts.js'
import { compared, limited, milliseconds, shown } from '../tools/report.js'
import { field, inTurn, median } from '../tools/statistics.js'

export const title =
  'Hot update in Vite dev, 1,000 prompts: from the write to the last module fetched'
export const rounds = 15

const CHILD = join(import.meta.dirname, '../children/dev-server.js')
const PROMPTS = 1000
const USED = 10

export async function run({ work, rounds: count }) {
  const root = await prepare(work)
  const { child, url } = await startServer(root, work)
  const browser = createDevBrowser(url)
  try {
    const started = performance.now()
    const first = { modules: await browser.load('/src/main.js'), ms: performance.now() - started }
    // One of each before measuring: the first change finds cold code.
    const update = (write) => measure(child, { browser, write })
    const contestants = {
      plain: (round) => update(() => writePlain(root, round)),
      prompt(round) {
        const text = changedLock(round)
        return update(() => writeFile(join(root, 'prompts.lock.json'), text))
      },
    }
    await inTurn(1, { plain: () => contestants.plain(-1), prompt: () => contestants.prompt(-1) })
    return report(await inTurn(count, contestants), first)
  } finally {
    await browser.close()
    child.disconnect()
  }
}

function report({ plain, prompt }, first) {
  const against = field(plain, 'ms')
  return [
    shown('first load of the page', [first.ms]),
    shown('modules of the first load', [first.modules], String),
    shown('a changed plain module', against),
    shown('modules fetched', field(plain, 'modules'), String),
    compared('one changed prompt', field(prompt, 'ms'), { against }),
    limited('one changed prompt, more than a plain module', moreThan(prompt, plain), {
      most: 30,
      unit: milliseconds,
    }),
    shown('modules fetched', field(prompt, 'modules'), String),
    shown('until the update is sent, plain', field(plain, 'sent')),
    shown('until the update is sent, prompt', field(prompt, 'sent')),
  ]
}

/** The median of the rounds' differences. */
function moreThan(prompt, plain) {
  return median(prompt.map(({ ms }, round) => ms - plain[round].ms))
}

/** Writes a file and loads what the server then sends to the page. */
async function measure(child, { browser, write }) {
  await delay(300)
  const update = nextUpdate(child)
  const started = performance.now()
  await write()
  const updates = await update
  const sent = performance.now() - started
  const loaded = await Promise.all(
    updates.map(({ acceptedPath, timestamp }) => browser.load(`${acceptedPath}?t=${timestamp}`)),
  )
  return {
    ms: performance.now() - started,
    sent,
    modules: loaded.reduce((sum, one) => sum + one, 0),
  }
}

async function nextUpdate(child) {
  for (;;) {
    const [{ sent }] = await once(child, 'message')
    const [payload] = sent ?? []
    if (payload?.type === 'update') return payload.updates
    if (payload?.type === 'full-reload') throw new Error('The page is reloaded, not updated.')
  }
}

async function startServer(root, work) {
  const child = fork(CHILD, [root, work.dist], { env: cleanEnvironment({}) })
  const [{ url }] = await once(child, 'message')
  return { child, url }
}

async function prepare(work) {
  const root = await work.app('hot-update')
  await writeFile(join(root, 'prompts.lock.json'), changedLock(-2))
  await writePlain(root, -2)
  const calls = makePrompts(USED).map(
    ({ slug }) => `console.log(prompts.${identifierOf(slug)}.render(globalThis.values))\n`,
  )
  const main = `import { prompts } from 'virtual:prompts'\nimport { plain } from './plain.js'\n${calls.join('')}
console.log(plain)
import.meta.hot.accept()
`
  await writeFile(join(root, 'src/main.js'), main)
  const page = '<!doctype html><script type="module" src="/src/main.js"></script>\n'
  await writeFile(join(root, 'index.html'), page)
  return root
}

function changedLock(round) {
  const prompts = makePrompts(PROMPTS, (prompt, index) => {
    if (index !== 3) return prompt
    const system = `${prompt.system}\nRound ${round}.`
    return { ...prompt, system, source: `${system}\n\n${prompt.user}` }
  })
  return printLock(prompts)
}

async function writePlain(root, round) {
  await writeFile(join(root, 'src/plain.js'), `export const plain = 'Round ${round}'\n`)
}
