import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildApp } from '../tools/builds.js'
import { runNode } from '../tools/process.js'
import { identifierOf, makePrompts, VARIABLES, writeLock } from '../tools/prompts.js'
import { compared, megabytes, shown } from '../tools/report.js'
import { field, inTurn } from '../tools/statistics.js'

export const title =
  'A Vite build of one module with 10 prompts, processor time by the size of the lock'
export const rounds = 11

const USED = 10

/** The allowed ratio to a build without the plugin, by the number of prompts in the lock. */
const LIMITS = new Map([
  [100, 1.15],
  [1000, 1.4],
  // As much more for each prompt as before.
  [5000, 3.2],
])

export async function run({ work, rounds: count }) {
  const plain = await prepare(work, { name: 'vite-plain', prompts: makePrompts(USED) })
  const contestants = {
    plain: () => buildApp(work, { bundler: 'vite', plugin: 'none', root: plain }),
  }
  for (const size of LIMITS.keys()) {
    const root = await prepare(work, {
      name: `vite-${size}`,
      prompts: makePrompts(size),
      isPinned: true,
    })
    contestants[size] = () => buildApp(work, { bundler: 'vite', plugin: 'prompts', root })
  }
  const samples = await inTurn(count, {
    ...contestants,
    bare: () => runNode('--eval', ['0'], { cwd: plain }),
    imported: () => runNode('--eval', [`import('unplugin-prompts/vite')`], { cwd: plain }),
  })
  const against = field(samples.plain, 'cpu')
  const bare = field(samples.bare, 'cpu')
  return [
    shown(`without the plugin, ${USED} prompts by hand`, against),
    ...[...LIMITS].flatMap(([size, most]) => [
      compared(`${size} prompts`, field(samples[size], 'cpu'), { against, most }),
      shown(`${size} prompts, peak memory`, field(samples[size], 'peak'), megabytes),
    ]),
    shown('a bare start of Node', bare),
    compared('a start that imports the plugin', field(samples.imported, 'cpu'), {
      against: bare,
      most: 1.2,
    }),
  ]
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
