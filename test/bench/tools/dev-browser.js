import { Agent, request } from 'undici'

/** Chromium loads as many modules at once from one host. */
const CONNECTIONS = 6

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g

/**
 * Loads modules as a browser does: each address once, with all that it imports.
 */
export function createDevBrowser(origin) {
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 })
  const loaded = new Set()
  const get = async (url) => {
    const { statusCode, body } = await request(url, { dispatcher: agent })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${statusCode} for ${url}`)
    return text
  }
  const load = async (path) => {
    const { href } = new URL(path, origin)
    if (loaded.has(href)) return
    loaded.add(href)
    const text = await get(href)
    const imports = [...text.matchAll(IMPORT)].map(([, id]) => id)
    const local = imports.filter((id) => id.startsWith('/') || id.startsWith('.'))
    await Promise.all(
      local.map((id) => load(new URL(id, href).pathname + new URL(id, href).search)),
    )
  }
  return {
    /** @returns how many modules were fetched */
    async load(path) {
      const before = loaded.size
      await load(path)
      return loaded.size - before
    },
    close: () => agent.close(),
  }
}
