// Loaded with `node --import`: writes every module that is resolved to the file in RECORD_IMPORTS.
import { appendFileSync } from 'node:fs'
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) register(import.meta.url)

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context)
  appendFileSync(process.env.RECORD_IMPORTS, `${resolved.url}\n`)
  return resolved
}
