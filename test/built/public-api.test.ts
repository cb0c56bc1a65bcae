import { mkdtemp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { snapshotApiPerEntry } from 'tsnapi/vitest'
import { afterAll, describe } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Copies the package in the form in which tsnapi 1.3 finds declarations that several entry points
 * share: it looks for those of `./options.js` under `./options.mjs`, and otherwise has only names.
 */
async function copyPackage(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'public-api-'))
  await mkdir(join(root, 'dist'))
  const names = (await readdir(join(ROOT, 'dist'))).filter((name) => /\.(?:js|d\.ts)$/.test(name))
  for (const path of ['package.json', ...names.map((name) => join('dist', name))]) {
    const text = await readFile(join(ROOT, path), 'utf8')
    const isDeclaration = path.endsWith('.d.ts')
    const copied = isDeclaration ? text.replaceAll(/(from "\.\/[^"]+\.)js"/g, '$1mjs"') : text
    await writeFile(join(root, path), copied)
  }
  return root
}

const copy = await copyPackage()
afterAll(() => rm(copy, { recursive: true }))

// TSNAPI_ALLOW_BREAKING=1 is for a change that can break users.
describe('the public API (`npm run update-docs` accepts a change)', async () => {
  await snapshotApiPerEntry(copy, { outputDir: '../golden/public-api' })
})
