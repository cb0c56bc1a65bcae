// Reads a lock one way and sends what it took: the first time, and once the code is warm.
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

const [way, path, module] = process.argv.slice(2)

const WAYS = {
  async json() {
    return async () => JSON.parse(await readFile(path, 'utf8')).prompts
  },
  async verified() {
    const { createLockStore } = await import(pathToFileURL(module).href)
    return async () => (await createLockStore(path, dirname(path)).read()).prompts
  },
}

const read = await WAYS[way]()
const times = []
for (let turn = 0; turn < 7; turn++) {
  const started = performance.now()
  const { length } = await read()
  times.push(performance.now() - started)
  if (length === 0) throw new Error('The lock is empty.')
}
const [cold, ...warm] = times
process.send({ cold, warm: warm.toSorted((a, b) => a - b)[warm.length >> 1] })
