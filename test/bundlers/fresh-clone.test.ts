import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { writeDeclarations } from '../helpers/generated.ts'
import { newApp, numberedLock } from './app.ts'
import { devServer } from './vite-server.ts'
import { SOON } from '../helpers/soon.ts'

const run = promisify(execFile)
const RECORDER = join(import.meta.dirname, '../helpers/record-imports.mjs')
const REPOSITORY = resolve(import.meta.dirname, '../..')
const LOCK = numberedLock(3)

function urlOf(path: string): string {
  return JSON.stringify(pathToFileURL(join(REPOSITORY, path)).href)
}

/** Two builds of Vite, as its command runs them: without declarations, and with those of the first. */
const BUILDS = `
import prompts from ${urlOf('dist/vite.js')}
import { build } from ${urlOf('node_modules/vite/dist/node/index.js')}
const rollupOptions = { input: 'main.js' }
for (const outDir of ['first', 'second'])
  await build({ logLevel: 'error', plugins: [prompts({ client: 'allow' })], build: { outDir, rollupOptions } })
`

const MAIN = `import { prompts } from 'virtual:prompts'\nconsole.log(prompts.prompt1.slug)\n`

describe('a fresh clone', () => {
  test('is built without ts-morph, also if its declarations are missing, and no declaration map is written', async () => {
    const root = await newApp({ 'main.js': MAIN, 'builds.mjs': BUILDS }, LOCK)
    const RECORD_IMPORTS = join(root, 'imports.txt')
    const env = { ...process.env, NODE_ENV: 'production', RECORD_IMPORTS }
    await run(process.execPath, ['--import', RECORDER, 'builds.mjs'], { cwd: root, env })
    const modules = await readFile(RECORD_IMPORTS, 'utf8')
    expect(modules).toContain('/vite/')
    expect(modules).not.toMatch(/ts-morph|sourcemap-codec/)
    const files = await readdir(root)
    expect(files).toEqual(expect.arrayContaining(['prompts.d.ts', 'second']))
    expect(files).not.toContain('prompts.d.ts.map')
  })

  test('gets its declaration map from the dev server', async () => {
    const root = await newApp({ 'main.js': MAIN }, LOCK)
    await writeDeclarations(LOCK, { root, dts: join(root, 'prompts.d.ts') })
    const { server } = await devServer(root)
    await server.ssrLoadModule('/main.js')
    await vi.waitFor(async () => expect(await readdir(root)).toContain('prompts.d.ts.map'), SOON)
  })
})
