import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { liveLock } from '../helpers/pinned.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { runBundle, writeApp, writeLock } from './app.ts'
import { type Watch, watchFarm, WATCHERS } from './watchers.ts'

const using = (name: string): string =>
  `import { prompts } from 'virtual:prompts'\nconsole.log(JSON.stringify(prompts.${name}.version))\n`

interface Watched {
  readonly root: string
  /** Waits until the bundle says this. */
  says(version: string): Promise<void>
  /** Ends the watch and begins another one. */
  restart(): Promise<void>
}

const LOCK = liveLock({ slug: 'greeting', version: 'v1' }, { slug: 'parting', version: 'v9' })

/** Leaves a merge conflict in the lock. */
function breakLock(root: string): Promise<void> {
  return writeFile(join(root, 'prompts.lock.json'), '<<<<<<< HEAD\n')
}

/** Time for a watch to see that it can't build. */
const FAILED = 1500

/** An app of two prompts, of which it uses the first, while it is watched. */
async function watched(watch: Watch, { isBroken = false } = {}): Promise<Watched> {
  const root = await temporaryFolder()
  await writeApp(root, { 'main.js': using('greeting') }, LOCK)
  if (isBroken) await breakLock(root)
  const outDir = join(root, 'out')
  const start = (): ReturnType<Watch> =>
    watch({ root, outDir, entries: { main: 'main.js' }, minify: false })
  let close = await start()
  onTestFinished(async () => void (await close()))
  const says = (version: string): Promise<void> =>
    vi.waitFor(async () => expect(await runBundle(join(outDir, 'main.mjs'))).toBe(version), {
      timeout: 40_000,
      interval: 200,
    })
  if (isBroken) {
    await delay(FAILED)
    await writeLock(root, LOCK)
  }
  await says('v1')
  const restart = async (): Promise<void> => {
    await close()
    close = await start()
  }
  return { root, says, restart }
}

test.each(Object.entries(WATCHERS))(
  '%s takes up a changed lock, and so do the declarations',
  async (_, watch) => {
    const { root, says } = await watched(watch)
    await writeLock(root, liveLock({ slug: 'greeting', version: 'v2' }))
    await says('v2')
    expect(await readFile(join(root, 'prompts.d.ts'), 'utf8')).toContain('"v2"')
    await writeLock(root, liveLock({ slug: 'greeting', version: 'v3' }, { slug: 'parting' }))
    await says('v3')
    await writeFile(join(root, 'main.js'), using('parting'))
    await writeLock(root, liveLock({ slug: 'greeting' }, { slug: 'parting', version: 'v4' }))
    await says('v4')
  },
)

test.each(Object.entries(WATCHERS))(
  '%s outlives a broken lock, and builds again when it is mended',
  async (_, watch) => {
    const { root, says } = await watched(watch)
    await breakLock(root)
    await delay(FAILED)
    await writeLock(root, liveLock({ slug: 'greeting', version: 'v2' }))
    await says('v2')
    await writeLock(root, liveLock({ slug: 'greeting', version: 'v3' }))
    await says('v3')
  },
)

test.each(Object.entries(WATCHERS).filter(([name]) => name !== 'esbuild'))(
  '%s builds when a lock that was broken at its start is mended (esbuild watches nothing then)',
  async (_, watch) => {
    await watched(watch, { isBroken: true })
  },
)

/**
 * Farm 1.7 can't update a virtual module: it asks to resolve its id below the folder of the app, and
 * its module graph panics at the answer. unplugin keeps it from trying, since it tells Farm the two
 * files of `addWatchFile` the wrong way round.
 */
test('Farm follows what an app uses, and takes up a changed lock when it is started again', async () => {
  const { root, says, restart } = await watched(watchFarm)
  await writeFile(join(root, 'main.js'), using('parting'))
  await says('v9')
  await writeLock(root, liveLock({ slug: 'parting', version: 'v10' }))
  await restart()
  await says('v10')
})
