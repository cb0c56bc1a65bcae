import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { isNewerThanSource } from '../newer-than-source.ts'
import { ASSETS } from '../../../src/page/server/page.ts'

const CONFIG = resolve(import.meta.dirname, '../../../src/page/app/vite.config.ts')

/**
 * Builds the page as the package ships it, to the folder in which its server looks for it when it
 * runs from source. Test files run in parallel, so each builds into a temporary folder and moves file
 * by file: readers always find complete, identical files. A page newer than its sources is kept.
 */
export async function buildPage(): Promise<void> {
  // The last one to be moved.
  if (isNewerThanSource(join(ASSETS, 'index.html'))) return
  await mkdir(ASSETS, { recursive: true })
  const aside = await mkdtemp(join(ASSETS, '..', 'prompts-ui-'))
  await build({
    configFile: CONFIG,
    build: { outDir: aside, emptyOutDir: true },
    logLevel: 'error',
  })
  const names = await readdir(aside)
  for (const name of names.toSorted()) await rename(join(aside, name), join(ASSETS, name))
  await rm(aside, { recursive: true })
}
