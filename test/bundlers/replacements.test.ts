import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { numberedLock, promptsIn, readCode, runBundle, writeApp } from './app.ts'
import { type Job, rolldownConfig, viteConfig } from './configs.ts'

/** What a bundler puts into modules when all plugins have seen them. */
const DEFINED = { ANOTHER: 'mine.prompt2', TEXT: '"mine.prompt3"' }

const IMPORT = `import { prompts as mine } from 'virtual:prompts'\n`
const PROVIDING = `${IMPORT}console.log(JSON.stringify([mine.prompt1.slug, everything.prompt2.slug]))\n`
const DEFINING = `${IMPORT}console.log(JSON.stringify([mine.prompt1.slug, ANOTHER.slug, TEXT]))\n`

async function appOf(main: string): Promise<Job> {
  const root = await temporaryFolder()
  await writeApp(root, { 'main.js': main }, numberedLock(4))
  return { root, outDir: join(root, 'out'), entries: { main: 'main.js' }, minify: true }
}

test.each(['define', 'inject'] as const)('%s of Rolldown counts as a use', async (kind) => {
  const { rolldown } = await import('rolldown')
  const job = await appOf(kind === 'define' ? DEFINING : PROVIDING)
  const config = await rolldownConfig(job)
  const provided = { everything: ['virtual:prompts', 'prompts'] as [string, string] }
  const transform = kind === 'define' ? { define: DEFINED } : { inject: provided }
  const bundle = await rolldown({ ...config, transform })
  await bundle.write(config.output)
  await bundle.close()
  const said = ['prompt-1', 'prompt-2', ...(kind === 'define' ? ['mine.prompt3'] : [])]
  expect(await runBundle(join(job.outDir, 'main.mjs'))).toEqual(said)
})

test('define of Vite counts as a use, and only what it names', async () => {
  const { build } = await import('vite')
  const job = await appOf(DEFINING)
  await build(await viteConfig(job, { define: DEFINED }))
  expect(await runBundle(join(job.outDir, 'main.mjs'))).toEqual([
    'prompt-1',
    'prompt-2',
    'mine.prompt3',
  ])
  expect(promptsIn(await readCode(job.outDir))).toEqual([1, 2])
})
