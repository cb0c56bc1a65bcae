// Reads the whole service as a short script with undici would: no checks, no retries.
import { writeFile } from 'node:fs/promises'
import process from 'node:process'
import { Pool } from 'undici'

const [url, key, concurrency, out] = process.argv.slice(2)
const pool = new Pool(url, { connections: Number(concurrency) })
const headers = { authorization: `Bearer ${key}` }

async function get(path) {
  const { body } = await pool.request({ path, method: 'GET', headers })
  return body.json()
}

const { prompts } = await get('/api/v1/prompts')
const results = []
const queue = prompts.entries()
async function work() {
  for (const [index, { slug }] of queue) {
    results[index] = await get(`/api/v1/prompts/${encodeURIComponent(slug)}`)
  }
}
await Promise.all(Array.from({ length: Number(concurrency) }, work))
await get('/api/v1/prompts')
await writeFile(out, JSON.stringify(results, undefined, 2))
await pool.close()
