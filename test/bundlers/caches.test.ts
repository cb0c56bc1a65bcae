import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Configuration } from '@rspack/core'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { PinnedPrompt } from '../../src/core/prompt.ts'
import { liveLock, lockOf } from '../helpers/pinned.ts'
import { newApp, promptsIn, readCode, runBundle, writeLock } from './app.ts'
import { type Build, buildWith } from './bundlers.ts'
import { type Job, jobIn, rspackConfig } from './configs.ts'

/** The bundlers that keep modules on the disk from one build to the next. */
const BUILDS: Readonly<Record<string, Build>> = {
  webpack: (job) =>
    buildWith('webpack', job, {
      cache: { type: 'filesystem', cacheDirectory: join(job.root, 'cache') },
    }),
  Rspack: (job) => buildWith('Rspack', job, { cache: cacheOfRspack(job) }),
}

function cacheOfRspack({ root }: Job): Exclude<Configuration['cache'], undefined> {
  const storage = { type: 'filesystem' as const, directory: join(root, 'cache') }
  // An app may say so. The folder is also that of unplugin's virtual files, which are new in each build.
  const snapshot = { immutablePaths: [/node_modules/] }
  return { type: 'persistent', storage, snapshot }
}

/** The first build of a watch or a dev server. */
async function startRspack(job: Job): Promise<void> {
  const { rspack } = await import('@rspack/core')
  const compiler = rspack({ ...(await rspackConfig(job)), cache: cacheOfRspack(job) })
  const error = await new Promise<Error | null>((resolve) => compiler.watch({}, resolve))
  await new Promise<void>((resolve) => compiler.close(() => resolve()))
  if (error) throw error
}

/** A lock of three prompts in a version. */
function locked(version: string): ReturnType<typeof liveLock> {
  const prompt = (number: number): Partial<PinnedPrompt> => ({
    slug: `prompt-${number}`,
    version,
    system: `Text number <${number}> of ${version}.`,
  })
  return liveLock(prompt(0), prompt(1), prompt(2))
}

const main = (...names: string[]): string => {
  const texts = names.map((name) => `prompts.${name}.render().text`)
  return `import { prompts } from 'virtual:prompts'\nconsole.log(JSON.stringify([${texts.join()}]))\n`
}

test.each(Object.entries(BUILDS))(
  '%s with a warm cache builds from the lock and the app as they are, whatever the time of the lock',
  async (_, build) => {
    const root = await newApp({ 'main.js': main('prompt1') }, locked('v1'))
    let builds = 0
    const says = async (texts: string[], ships: number[]): Promise<void> => {
      const outDir = join(root, `out-${builds++}`)
      await build(jobIn(root, { outDir }))
      expect(await runBundle(join(outDir, 'main.mjs'))).toEqual(texts)
      expect(promptsIn(await readCode(outDir))).toEqual(ships)
      expect(await readdir(join(root, 'cache'))).not.toEqual([])
    }
    /** Writes a lock of the size and the time of the one before. */
    const keepTime = async (version: string): Promise<void> => {
      await writeLock(root, locked(version))
      await utimes(join(root, 'prompts.lock.json'), 1_700_000_000, 1_700_000_000)
    }
    await says(['Text number <1> of v1.'], [1])
    await says(['Text number <1> of v1.'], [1])
    await writeLock(root, locked('v2'))
    await says(['Text number <1> of v2.'], [1])
    await writeFile(join(root, 'main.js'), main('prompt2'))
    await says(['Text number <2> of v2.'], [2])
    await keepTime('v3')
    await says(['Text number <2> of v3.'], [2])
    await keepTime('v4')
    await says(['Text number <2> of v4.'], [2])
    // One module is in the cache, and one is new.
    await writeFile(join(root, 'main.js'), main('prompt1', 'prompt2'))
    await keepTime('v5')
    await says(['Text number <1> of v5.', 'Text number <2> of v5.'], [1, 2])
  },
)

test.each([...Object.entries(BUILDS), ['A watch of Rspack', startRspack] as const])(
  '%s with one warm cache builds both views of a lock, in turn',
  async (_, build) => {
    const lock = lockOf({ live: locked('v1').parts, staging: locked('v2').parts })
    const root = await newApp({ 'main.js': main('prompt1') }, lock)
    onTestFinished(() => void vi.unstubAllEnvs())
    for (const [index, view] of ['live', 'test', undefined].entries()) {
      vi.stubEnv('PROMPTS_ENVIRONMENT', view)
      const outDir = join(root, `out-${index}`)
      await build(jobIn(root, { outDir }))
      const said = await runBundle(join(outDir, 'main.mjs'))
      const version = view === 'test' ? 'v2' : 'v1'
      expect(said, `build ${index}`).toEqual([`Text number <1> of ${version}.`])
    }
  },
)

test.each(Object.entries(BUILDS))(
  '%s with a warm cache fails for a name that the view lacks, until it is corrected',
  async (_, build) => {
    const root = await newApp({ 'main.js': main('prompt1') }, locked('v1'))
    const job = jobIn(root)
    await build(job)
    await writeFile(join(root, 'main.js'), main('prompt4'))
    for (const attempt of [1, 2])
      await expect(build(job), `build ${attempt}`).rejects.toThrow('[PROMPT_UNKNOWN]')
    await writeFile(join(root, 'main.js'), main('prompt2'))
    await build(job)
    await writeLock(root, { ...locked('v1'), parts: locked('v1').parts.slice(0, 2) })
    await expect(build(job)).rejects.toThrow('[PROMPT_UNKNOWN]')
  },
)
