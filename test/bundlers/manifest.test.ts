import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { type Files, numberedLock, promptsIn, writeApp } from './app.ts'
import { type BundlerName, BUNDLERS } from './bundlers.ts'
import { type Job, viteConfig } from './configs.ts'

const NAMES = Object.keys(BUNDLERS) as BundlerName[]
const LOCK = numberedLock(10)
const ALL = LOCK.prompts.map((_, index) => index)

const PROMPTS = `import { prompts } from 'virtual:prompts'\n`
const OTHER = 'console.log(1)\n'
const use = (number: number): string =>
  `console.log(prompts.prompt${number}.render({ name: 'A' }).text)\n`

/** An app, and the prompts that its manifest names. */
interface ManifestCase {
  readonly title: string
  readonly files: Files
  readonly lists: readonly number[]
  /** Bundlers that ship, and list, more: an importer's prompts are one object there. */
  readonly more?: Partial<Record<BundlerName, readonly number[]>>
}

const CASES: readonly ManifestCase[] = [
  {
    title: 'prompts of entries, of a lazy chunk, and of code that several entries share',
    files: {
      'main.js': `${PROMPTS}import './shared.js'\n${use(1)}import('./lazy.js')\n`,
      'other.js': `${PROMPTS}import './shared.js'\n${use(3)}`,
      'shared.js': `${PROMPTS}export const shared = 1\n${use(4)}`,
      'lazy.js': PROMPTS + use(2),
    },
    lists: [1, 2, 3, 4],
  },
  {
    title: 'all prompts, if the app looks them up by name',
    files: { 'main.js': `${PROMPTS}console.log(prompts[process.argv[2]])\n`, 'other.js': OTHER },
    lists: ALL,
  },
  {
    title: 'no prompt of a function that tree shaking removes',
    files: {
      'main.js': `${PROMPTS}import { called } from './functions.js'\n${use(1)}called()\n`,
      'functions.js': `${PROMPTS}export const called = () => ${use(2)}export const unused = () => ${use(3)}`,
      'other.js': OTHER,
    },
    lists: [1, 2],
    more: { esbuild: [3] },
  },
]

async function jobFor(files: Files): Promise<Job> {
  const root = await temporaryFolder()
  await writeApp(root, files, LOCK)
  const entries = { main: 'main.js', other: 'other.js' }
  return { root, outDir: join(root, 'out'), entries, minify: true, options: { manifest: true } }
}

/** What is compared of a manifest. */
interface Manifest {
  readonly chunks: readonly {
    readonly file: string
    readonly prompts: readonly { readonly slug: string }[]
  }[]
}

async function readManifest({ outDir }: Job): Promise<Manifest> {
  return JSON.parse(await readFile(join(outDir, 'prompts-manifest.json'), 'utf8'))
}

/** The numbers of the prompts of each file, by the manifest. */
function listed({ chunks }: Manifest): Record<string, number[]> {
  return Object.fromEntries(
    chunks.map(({ file, prompts }) => [file, prompts.map(({ slug }) => Number(slug.slice(7)))]),
  )
}

/** The numbers of the prompts of each file, by their text. */
async function shipped({ outDir }: Job): Promise<Record<string, number[]>> {
  const names = await readdir(outDir, { recursive: true })
  const scripts = names.filter((name) => /\.m?js$/.test(name))
  const found = scripts.map(async (name) => [
    name,
    promptsIn(await readFile(join(outDir, name), 'utf8')),
  ])
  const entries = (await Promise.all(found)) as [string, number[]][]
  return Object.fromEntries(entries.filter(([, numbers]) => numbers.length > 0))
}

describe.each(NAMES)('the manifest of %s', (bundler) => {
  test.each(CASES)('names $title', async ({ files, lists, more }) => {
    const job = await jobFor(files)
    await BUNDLERS[bundler](job)
    const manifest = await readManifest(job)
    expect([...new Set(Object.values(listed(manifest)).flat())].toSorted()).toEqual([
      ...lists,
      ...(more?.[bundler] ?? []),
    ])
    expect(listed(manifest)).toEqual(await shipped(job))
  })

  test('names every prompt that is shipped, and one that only a minifier removes', async () => {
    const unused = `${PROMPTS}${use(1)}const unused = prompts.prompt2\n`
    const job = await jobFor({ 'main.js': unused, 'other.js': OTHER })
    await BUNDLERS[bundler](job)
    const all = Object.values(listed(await readManifest(job))).flat()
    expect(all).toEqual(expect.arrayContaining(Object.values(await shipped(job)).flat()))
    expect([[1], [1, 2]]).toContainEqual(all)
  })

  test('replaces an older one, and never a foreign file', async () => {
    const job = await jobFor({ 'main.js': PROMPTS + use(1), 'other.js': OTHER })
    await BUNDLERS[bundler](job)
    const first = await readManifest(job)
    await BUNDLERS[bundler](job)
    expect(await readManifest(job)).toEqual(first)
    const foreign = '{ "mine": true }'
    await writeFile(join(job.outDir, 'prompts-manifest.json'), foreign)
    await expect(BUNDLERS[bundler](job)).rejects.toThrow('FILE_FOREIGN')
    expect(await readFile(join(job.outDir, 'prompts-manifest.json'), 'utf8')).toBe(foreign)
  })

  test('is only written if the option is set', async () => {
    const job = await jobFor({ 'main.js': PROMPTS + use(1), 'other.js': OTHER })
    await BUNDLERS[bundler]({ ...job, options: {} })
    expect(await readdir(job.outDir)).not.toContain('prompts-manifest.json')
  })
})

test('the manifest of Vite names the prompts of workers', async () => {
  const worker = `new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })\n`
  const files = {
    'main.js': PROMPTS + use(1) + worker,
    'worker.js': PROMPTS + use(2),
    'other.js': OTHER,
  }
  const job = await jobFor(files)
  const { build } = await import('vite')
  await build(await viteConfig(job, { worker: { format: 'es' } }))
  const manifest = await readManifest(job)
  expect(Object.values(listed(manifest))).toEqual(expect.arrayContaining([[1], [2]]))
  expect(listed(manifest)).toEqual(await shipped(job))
})
