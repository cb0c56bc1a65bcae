import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { liveLock } from '../helpers/pinned.ts'
import { newApp } from './app.ts'
import { BUNDLERS } from './bundlers.ts'
import { jobIn } from './configs.ts'

const MAIN = `import { prompts, toOpenAI } from 'virtual:prompts'

console.log(prompts.supportTriage.render({ ticket: 'It beeps' }).text)
console.log(toOpenAI(prompts.supportTriage, { ticket: 'It beeps' }))
`

const LOCK = liveLock(
  { slug: 'support-triage', system: 'Sort the ticket.', user: '{{ ticket }}' },
  { slug: 'unused' },
)

test.each(['Rollup', 'esbuild', 'Vite library'] as const)(
  '%s builds an app of one used prompt to the bundle in test/golden/bundles',
  async (bundler) => {
    const job = jobIn(await newApp({ 'main.js': MAIN }, LOCK), { minify: false })
    await BUNDLERS[bundler](job)
    const bundle = await readFile(join(job.outDir, 'main.mjs'), 'utf8')
    const golden = join(import.meta.dirname, `../golden/bundles/${bundler}.js`)
    // Comments name folders of this machine.
    await expect(bundle.replaceAll(/^\/\/.*\n?/gm, '')).toMatchFileSnapshot(golden)
  },
)
