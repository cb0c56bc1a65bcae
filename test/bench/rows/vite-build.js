import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildApp } from '../tools/builds.js'
import { preparePeers } from '../tools/peers.js'
import { identifierOf, makePrompts, VARIABLES, writeLock } from '../tools/prompts.js'
import { compared, shown } from '../tools/report.js'
import { field, inTurn } from '../tools/statistics.js'

export const title =
  'A Vite build of one module with 10 prompts, processor time by the size of the lock, and beside other ways'
export const rounds = 11

const USED = 10

/** The aimed ratio to a build without the plugin, by the number of prompts in the lock. */
const AIMS = new Map([
  [100, 1.15],
  [1000, 1.25],
  [5000, 2],
])

/** The number of texts in the other ways. The same lock must not cost more than an import of them as JSON. */
const COMPARED = 1000

export async function run({ work, rounds: count }) {
  const build = (plugin, root) => () => buildApp(work, { bundler: 'vite', plugin, root })
  const plain = await prepare(work, { name: 'vite-plain', prompts: makePrompts(USED) })
  const contestants = { plain: build('none', plain) }
  for (const size of AIMS.keys()) {
    const root = await prepare(work, {
      name: `vite-${size}`,
      prompts: makePrompts(size),
      isPinned: true,
    })
    contestants[size] = build('prompts', root)
  }
  const texts = makePrompts(COMPARED)
  contestants.json = build('none', await prepareJson(work, texts))
  const { collections, paraglide } = await preparePeers(work, texts)
  contestants.collections = build('own', collections)
  const first = await build('own', paraglide)()
  contestants.paraglide = build('own', paraglide)
  const samples = await inTurn(count, contestants)
  const cpu = (name) => field(samples[name], 'cpu')
  const against = cpu('plain')
  const beside = (name, samplesOf) => compared(name, samplesOf, { against })
  return [
    shown(`without the plugin, ${USED} prompts by hand`, against),
    ...[...AIMS].map(([size, most]) =>
      compared(`${size} prompts in the lock`, cpu(size), { against, most }),
    ),
    beside(`${COMPARED} texts imported as JSON`, cpu('json')),
    compared(`${COMPARED} prompts in the lock, to that`, cpu(COMPARED), {
      against: cpu('json'),
      most: 1,
    }),
    beside(`${COMPARED} texts in content-collections`, cpu('collections')),
    beside(`${COMPARED} texts in paraglide, built before`, cpu('paraglide')),
    shown(`${COMPARED} texts in paraglide, the first build`, [first.cpu]),
  ]
}

/** What a team would write without any package: the texts in a file, of which the bundler drops the unused ones. */
async function prepareJson(work, prompts) {
  const root = await work.app('vite-json')
  const texts = prompts.map(({ slug, system, user }) => [identifierOf(slug), { system, user }])
  await writeFile(
    join(root, 'src/texts.json'),
    JSON.stringify(Object.fromEntries(texts), undefined, 2),
  )
  const names = texts.slice(0, USED).map(([name]) => name)
  const calls = names.map((name) => `console.log(${name})\n`)
  const main = `import { ${names.join(', ')} } from './texts.json'\n${calls.join('')}`
  await writeFile(join(root, 'src/main.js'), main)
  return root
}

async function prepare(work, { name, prompts, isPinned = false }) {
  const root = await work.app(name)
  const names = prompts.slice(0, USED).map(({ slug }) => identifierOf(slug))
  const line = isPinned ? `{ prompts } from 'virtual:prompts'` : `* as prompts from './prompts.js'`
  const method = isPinned ? '.render' : ''
  const calls = names.map((used) => `console.log(prompts.${used}${method}(globalThis.values))\n`)
  await writeFile(join(root, 'src/main.js'), `import ${line}\n${calls.join('')}`)
  if (isPinned) await writeLock(join(root, 'prompts.lock.json'), prompts)
  else await writeFile(join(root, 'src/prompts.js'), HEAD + prompts.map(byHand).join(''))
  return root
}

const HEAD = `
function usable(value) {
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'bigint'
}

function refuse(values) {
  const missing = Object.keys(values).filter((name) => !usable(values[name]))
  throw new Error('no usable value for ' + missing.join(', '))
}
`

/** What a person would write for a prompt without this package, with the check of its variables. */
function byHand({ slug, system, user }) {
  const names = VARIABLES.join(', ')
  return `
export function ${identifierOf(slug)}({ ${names} }) {
  if (!(${VARIABLES.map((variable) => `usable(${variable})`).join(' && ')})) refuse({ ${names} })
  const system = ${concatenation(system)}
  const user = ${concatenation(user)}
  return {
    system,
    user,
    text: system + '\\n\\n' + user,
    messages: [{ role: 'system', content: system }, { role: 'user', content: user }],
  }
}
`
}

function concatenation(text) {
  return text
    .split(/\{\{\s*(\w+)\s*\}\}/)
    .map((part, index) => (index % 2 === 0 ? JSON.stringify(part) : part))
    .join(' + ')
}
