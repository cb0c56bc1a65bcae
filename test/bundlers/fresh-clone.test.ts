import { execFile } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { writeDeclarations } from '../helpers/generated.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { numberedLock, writeApp } from './app.ts'
import { devServer } from './vite-server.ts'
import { SOON } from '../helpers/soon.ts'

const run = promisify(execFile)
const RECORDER = join(import.meta.dirname, '../helpers/record-imports.mjs')
const REPOSITORY = resolve(import.meta.dirname, '../..')
const LOCK = numberedLock(3)

function urlOf(path: string): string {
  return JSON.stringify(pathToFileURL(join(REPOSITORY, path)).href)
}

/** A build of Vite, as its command runs it. */
const BUILD = `
import prompts from ${urlOf('dist/vite.js')}
import { build } from ${urlOf('node_modules/vite/dist/node/index.js')}
const rollupOptions = { input: 'main.js' }
await build({ logLevel: 'error', plugins: [prompts({ client: 'allow' })], build: { outDir: 'out', rollupOptions } })
`

/** An app as git has it: with its lock and declarations, without their map. */
async function cloneApp(): Promise<string> {
  const root = await temporaryFolder()
  const main = `import { prompts } from 'virtual:prompts'\nconsole.log(prompts.prompt1.slug)\n`
  await writeApp(root, { 'main.js': main, 'build.mjs': BUILD }, LOCK)
  await writeDeclarations(LOCK, { root, dts: join(root, 'prompts.d.ts') })
  return root
}

/** The modules that a build loads. */
async function modulesOf(root: string): Promise<string> {
  const env = { ...process.env, NODE_ENV: 'production', RECORD_IMPORTS: join(root, 'imports.txt') }
  await run(process.execPath, ['--import', RECORDER, 'build.mjs'], { cwd: root, env })
  return readFile(env.RECORD_IMPORTS, 'utf8')
}

describe('a fresh clone', () => {
  test('is built without ts-morph, and no declaration map is written', async () => {
    const root = await cloneApp()
    const modules = await modulesOf(root)
    expect(modules).toContain('/vite/')
    expect(modules).not.toMatch(/ts-morph|sourcemap-codec/)
    expect(await readdir(root)).not.toContain('prompts.d.ts.map')
  })

  test('is built without ts-morph, also if its declarations are missing', async () => {
    const root = await cloneApp()
    await rm(join(root, 'prompts.d.ts'))
    expect(await modulesOf(root)).not.toContain('ts-morph')
    expect(await readdir(root)).toContain('prompts.d.ts')
  })

  test('gets its declaration map from the dev server', async () => {
    const root = await cloneApp()
    const { server } = await devServer(root)
    await server.ssrLoadModule('/main.js')
    await vi.waitFor(async () => expect(await readdir(root)).toContain('prompts.d.ts.map'), SOON)
  })
})
