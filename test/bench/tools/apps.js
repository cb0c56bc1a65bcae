import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Writes modules of about 40 lines each, as an app has next to its prompts: `src/modules.js` imports
 * them all.
 */
export async function writeModules(root, count) {
  const folder = join(root, 'src/modules')
  await mkdir(folder, { recursive: true })
  const indexes = Array.from({ length: count }, (_, index) => index)
  await Promise.all(
    indexes.map((index) => writeFile(join(folder, `m${index}.js`), printModule(index, count))),
  )
  const imports = indexes.map(
    (index) => `import { run as run${index} } from './modules/m${index}.js'`,
  )
  const calls = indexes.map((index) => `run${index}(globalThis.input)`)
  await writeFile(join(root, 'src/modules.js'), `${[...imports, ...calls].join('\n')}\n`)
}

function printModule(index, count) {
  const next = (index * 7 + 1) % count
  const functions = Array.from(
    { length: 5 },
    (_, part) => `
export function part${part}(input) {
  const found = input.items.filter((item) => item.kind === ${part} && item.name !== 'n${index}')
  const groups = new Map()
  for (const item of found) groups.set(item.group, [...(groups.get(item.group) ?? []), item])
  return [...groups].map(([group, items]) => ({ group, size: items.length, index: ${index} }))
}
`,
  )
  const parts = Array.from({ length: 5 }, (_, part) => `part${part}(input)`)
  return `import { part1 as other } from './m${next}.js'
${functions.join('')}
export function run(input) {
  globalThis.results?.push([other(input), ${parts.join(', ')}])
}
`
}
