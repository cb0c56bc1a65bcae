import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import type vitePlugin from '../../src/vite.ts'
import { liveLock } from '../helpers/pinned.ts'
import { SOON } from '../helpers/soon.ts'
import { newApp, numberedLock, promptsIn, readCode, runBundle, writeLock } from './app.ts'
import { buildAndRun, buildVite, ONE_EACH } from './bundlers.ts'
import { DIST, type Job, jobIn, viteConfig } from './configs.ts'
import { devServer } from './vite-server.ts'

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
  const root = await newApp({ 'main.js': MAIN, 'other.js': OTHER }, numberedLock(100))
  await writeLock(root, BILLING, 'billing-prompts')
  return jobIn(root, { others })
}

test.each(ONE_EACH)(
  '%s uses prompts from two workspaces in one build, each through its own module',
  async (bundler) => {
    const job = await jobWith([{ name: 'billing-prompts' }])
    const said = ['prompt-5', 'Bill Ada.', 'reminder']
    expect(await buildAndRun(bundler, job)).toMatchObject({ said, ships: [5] })
    const declared = async (name: string): Promise<string[]> => {
      const text = await readFile(join(job.root, `${name}.d.ts`), 'utf8')
      return [...text.matchAll(/declare module "(.*)"/g)].map(([, module = '']) => module)
    }
    for (const name of ['prompts', 'billing-prompts']) {
      const modules = ['', '/all', '/staging'].map((path) => `virtual:${name}${path}`)
      expect(await declared(name)).toEqual(modules)
    }
  },
)

describe('Vite, with two workspaces,', () => {
  test('follows both locks in dev', async () => {
    const lock = (slug: string, number: number): ReturnType<typeof liveLock> =>
      liveLock({ slug, version: `v${number}` })
    const code = `import { prompts } from 'virtual:prompts'\nimport { prompts as billing } from 'virtual:billing-prompts'\nexport const versions = () => [prompts.greeting.version, billing.invoice.version]\n`
    const root = await newApp({ 'main.js': code }, lock('greeting', 1))
    await writeLock(root, lock('invoice', 1), 'billing-prompts')
    const url = pathToFileURL(join(DIST, 'vite.js')).href
    const { default: prompts } = (await import(url)) as { default: typeof vitePlugin }
    const billing = prompts({ name: 'billing-prompts' })
    const { server } = await devServer(root, {}, { plugins: [billing] })
    const versions = async (): Promise<unknown> => {
      const { versions: read } = await server.ssrLoadModule('/main.js')
      return read()
    }
    expect(await versions()).toEqual(['v1', 'v1'])
    await writeLock(root, lock('invoice', 2), 'billing-prompts')
    await vi.waitFor(async () => expect(await versions()).toEqual(['v1', 'v2']), SOON)
  })

  test('provides both to its workers, next to the plugins that those have, which may be its own', async () => {
    const main =
      `globalThis.Worker ??= class extends process.getBuiltinModule('worker_threads').Worker {}\n` +
      `const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })\n` +
      `worker.on('message', (text) => console.log(JSON.stringify(text)))\n`
    const worker =
      `import { prompts } from 'virtual:prompts'\nimport { prompts as billing } from 'virtual:billing-prompts'\n` +
      `process.getBuiltinModule('worker_threads').parentPort.postMessage([prompts.prompt7.slug, billing.reminder.slug])\n`
    const root = await newApp({ 'main.js': main, 'worker.js': worker }, numberedLock(100))
    await writeLock(root, BILLING, 'billing-prompts')
    const job = jobIn(root, { others: [{ name: 'billing-prompts' }] })
    const seen: string[] = []
    const recorder = { name: 'recorder', transform: (_: string, id: string) => void seen.push(id) }
    const { plugins } = await viteConfig(job)
    for (const others of [[recorder], [recorder, plugins]])
      await buildVite(await viteConfig(job, { worker: { format: 'es', plugins: () => others } }))
    expect(seen.filter((id) => id.endsWith('worker.js'))).toHaveLength(2)
    expect(await runBundle(join(root, 'out/main.mjs'))).toEqual(['prompt-7', 'reminder'])
    expect(promptsIn(await readCode(join(root, 'out')))).toEqual([7])
  })
})
