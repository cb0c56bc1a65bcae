// Loaded with `node --import`: writes every module that is imported or required to the file in
// RECORD_IMPORTS.
import { appendFileSync } from 'node:fs'
import { createRequire, register } from 'node:module'
import process from 'node:process'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  register(import.meta.url)
  const { cache } = createRequire(import.meta.url)
  process.on('exit', () => record(Object.keys(cache)))
}

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context)
  record([resolved.url])
  return resolved
}

function record(places) {
  appendFileSync(process.env.RECORD_IMPORTS, places.map((place) => `${place}\n`).join(''))
}
