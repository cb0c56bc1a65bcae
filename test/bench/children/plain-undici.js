// Reads the whole service as a short script with undici would: no checks, no retries.
import { writeFile } from 'node:fs/promises'
import process from 'node:process'
import { Pool } from 'undici'

/** The default of the option `concurrency`. */
const CONNECTIONS = 16

const { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: key } = process.env
const pool = new Pool(url, { connections: CONNECTIONS })
const headers = { authorization: `Bearer ${key}` }

async function get(path) {
  const { body } = await pool.request({ path, method: 'GET', headers })
  return body.json()
}

const { prompts } = await get('/api/v1/prompts')
const answers = []
const queue = prompts.entries()
async function work() {
  for (const [index, { slug }] of queue)
    answers[index] = await get(`/api/v1/prompts/${encodeURIComponent(slug)}`)
}
await Promise.all(Array.from({ length: CONNECTIONS }, work))
await get('/api/v1/prompts')
await writeFile('prompts.json', JSON.stringify(answers, undefined, 2))
await pool.close()
