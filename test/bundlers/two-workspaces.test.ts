import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { liveLock } from '../helpers/pinned.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { numberedLock, promptsIn, readCode, runBundle, writeApp, writeLock } from './app.ts'
import { type BundlerName, BUNDLERS } from './bundlers.ts'
import type { Job } from './configs.ts'

const NAMES = Object.keys(BUNDLERS) as BundlerName[]

const MAIN = `import { prompts } from 'virtual:prompts'
import { prompts as billing } from 'virtual:billing-prompts'
import './other.js'
console.log(JSON.stringify([
  prompts.prompt5.slug,
  billing.prompt5.render({ customer: 'Ada' }).text,
  globalThis.other,
]))
`
const OTHER = `import * as all from 'virtual:billing-prompts/all'
globalThis.other = all.reminder.slug
`

const BILLING = liveLock(
  { slug: 'prompt-5', system: 'Bill {{ customer }}.' },
  { slug: 'reminder', system: 'Remind.' },
)

async function jobWith(others: Job['others']): Promise<Job> {
  const root = await temporaryFolder()
  await writeApp(root, { 'main.js': MAIN, 'other.js': OTHER }, numberedLock(100))
  await writeLock(root, BILLING, 'billing-prompts')
  return { root, outDir: join(root, 'out'), entries: { main: 'main.js' }, minify: true, others }
}

describe.each(NAMES)('%s', (bundler) => {
  test('takes prompts from two workspaces in one build, each by its own module', async () => {
    const job = await jobWith([{ name: 'billing-prompts' }])
    await BUNDLERS[bundler](job)
    expect(await runBundle(join(job.outDir, 'main.mjs'))).toEqual([
      'prompt-5',
      'Bill Ada.',
      'reminder',
    ])
    expect(promptsIn(await readCode(job.outDir))).toEqual([5])
    const declared = async (name: string): Promise<string[]> => {
      const text = await readFile(join(job.root, `${name}.d.ts`), 'utf8')
      return [...text.matchAll(/declare module "(.*)"/g)].map(([, module = '']) => module)
    }
    expect(await declared('prompts')).toEqual(['virtual:prompts', 'virtual:prompts/all'])
    expect(await declared('billing-prompts')).toEqual([
      'virtual:billing-prompts',
      'virtual:billing-prompts/all',
    ])
  })

  test('refuses two calls for one workspace', async () => {
    const job = await jobWith([{ name: 'billing-prompts' }, { name: 'billing-prompts' }])
    await expect(BUNDLERS[bundler](job)).rejects.toThrow('NAME_TAKEN')
  })
})
