import { join } from 'node:path'
import type { TransformOptions } from 'rolldown'
import { expect, test } from 'vitest'
import { newApp, numberedLock, promptsIn, readCode, runBundle } from './app.ts'
import { buildVite, buildWith } from './bundlers.ts'
import { type Job, jobIn, viteConfig } from './configs.ts'

/** What a bundler puts into modules when all plugins have seen them. */
const DEFINED = { ANOTHER: 'mine.prompt2', TEXT: '"mine.prompt3"' }

const IMPORT = `import { prompts as mine } from 'virtual:prompts'\n`
const PROVIDING = `${IMPORT}console.log(JSON.stringify([mine.prompt1.slug, everything.prompt2.slug]))\n`
const DEFINING = `${IMPORT}console.log(JSON.stringify([mine.prompt1.slug, ANOTHER.slug, TEXT]))\n`

const SAID = ['prompt-1', 'prompt-2', 'mine.prompt3']

async function appOf(main: string): Promise<Job> {
  const root = await newApp({ 'main.js': main }, numberedLock(4))
  return jobIn(root)
}

test.each([
  ['define', DEFINING, SAID, { define: DEFINED }],
  [
    'inject',
    PROVIDING,
    SAID.slice(0, 2),
    { inject: { everything: ['virtual:prompts', 'prompts'] } },
  ],
] as const)('%s of Rolldown counts as a use', async (_, main, said, transform) => {
  const job = await appOf(main)
  await buildWith('Rolldown', job, { transform: transform as TransformOptions })
  expect(await runBundle(join(job.outDir, 'main.mjs'))).toEqual(said)
})

test('define of Vite counts as a use, and only what it names', async () => {
  const job = await appOf(DEFINING)
  await buildVite(await viteConfig(job, { define: DEFINED }))
  expect(await runBundle(join(job.outDir, 'main.mjs'))).toEqual(SAID)
  expect(promptsIn(await readCode(job.outDir))).toEqual([1, 2])
})
