import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PageResponse, textResponse } from './respond.ts'

/** The script of the page. */
export const SCRIPT = 'app.js'

const TYPES: Readonly<Record<string, string>> = {
  'index.html': 'text/html; charset=utf-8',
  [SCRIPT]: 'text/javascript; charset=utf-8',
  'app.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
}

/**
 * The folder of the built page, next to the bundle that contains this file. When this file runs from
 * source, as in tests, a folder that builds of the package leave alone.
 */
export const ASSETS: string = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../../node_modules/.vite/prompts-ui/' : './ui/',
    import.meta.url,
  ),
)

/** One of the page's files. They are a fixed list, so no request can name a path. */
export async function assetResponse(path: string): Promise<PageResponse | undefined> {
  const name = path === '/' ? 'index.html' : path.slice(1)
  const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined
  if (type === undefined) return undefined
  const body = await readFile(join(ASSETS, name)).catch(() => undefined)
  if (body !== undefined) return { status: 200, headers: { 'content-type': type }, body }
  return textResponse(
    500,
    `The page is not built: ${join(ASSETS, name)} is missing. Run npm run build.`,
  )
}
