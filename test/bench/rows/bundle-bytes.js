import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildApp, BUNDLERS, bundleOf } from '../tools/builds.js'
import { identifierOf, makePrompts, VARIABLES, writeLock } from '../tools/prompts.js'
import { bytes, limited, shown } from '../tools/report.js'

export const title = 'Bytes in the minified bundle, one used prompt of 100'
export const rounds = 1

/** Bytes in addition to the text: for each prompt, and once for the runtime. */
const PER_PROMPT = 250
const RUNTIME = 700

export async function run({ work }) {
  const prompts = makePrompts(100)
  const root = await work.app('bundle-bytes')
  await writeLock(join(root, 'prompts.lock.json'), prompts)
  const text = textBytes(prompts[40])
  const rows = [shown("the prompt's own text", [text], bytes)]
  for (const bundler of BUNDLERS) rows.push(...(await measure(work, { root, bundler, prompts })))
  return rows
}

async function measure(work, { root, bundler, prompts }) {
  const size = async (used) => {
    await writeFile(join(root, 'src/main.js'), appWith(used))
    await buildApp(work, { bundler, plugin: 'prompts', root })
    return Buffer.byteLength(await readFile(bundleOf(root, bundler)))
  }
  const [first, second] = [prompts[40], prompts[41]]
  const none = await size([])
  const one = await size([first])
  const two = await size([first, second])
  const own = two - one - textBytes(second) - callBytes(second)
  const runtime = one - none - textBytes(first) - callBytes(first) - own
  return [
    shown(`${bundler}: the app with the prompt`, [one], bytes),
    limited(`${bundler}: besides its text, for each prompt`, own, {
      most: PER_PROMPT,
      unit: bytes,
    }),
    limited(`${bundler}: once, for the runtime`, runtime, { most: RUNTIME, unit: bytes }),
  ]
}

function textBytes({ system, user }) {
  return Buffer.byteLength(system) + Buffer.byteLength(user)
}

/** The bytes of the app's own call; its prompt is one minified letter. */
function callBytes() {
  return Buffer.byteLength(`;console.log(a.render(globalThis.values))`)
}

function appWith(used) {
  const calls = used.map(
    ({ slug }) => `console.log(prompts.${identifierOf(slug)}.render(globalThis.values))\n`,
  )
  const from = used.length === 0 ? '' : `import { prompts } from 'virtual:prompts'\n`
  return `${from}console.log(${JSON.stringify(VARIABLES)})\n${calls.join('')}`
}
