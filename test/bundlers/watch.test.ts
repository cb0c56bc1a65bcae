import { EventEmitter, once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { printLock } from '../../src/core/lock/print-lock.ts'
import { sha256 } from '../../src/fs/files.ts'
import { liveLock } from '../helpers/pinned.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { replace, runBundle, writeApp, writeLock } from './app.ts'
import type { Extra } from './configs.ts'
import { atMoment } from './plugins/at-moment.ts'
import { type Watch, watchEsbuild, WATCHERS } from './watchers.ts'

const AT_MOMENT = join(import.meta.dirname, 'plugins/at-moment.ts')

const using = (name: string): string =>
  `import { prompts } from 'virtual:prompts'\nconsole.log(JSON.stringify(prompts.${name}.version))\n`

interface Watched {
  readonly root: string
  /** Waits until the bundle prints this. */
  says(version: string): Promise<void>
  /** Waits for the next build that fails. */
  failed(): Promise<void>
}

const LOCK = liveLock({ slug: 'greeting', version: 'v1' }, { slug: 'parting', version: 'v9' })

/** Leaves a merge conflict in the lock. */
function breakLock(root: string): Promise<void> {
  return writeFile(join(root, 'prompts.lock.json'), '<<<<<<< HEAD\n')
}

/** An app of two prompts, of which it uses the first, while it is watched. */
async function watched(watch: Watch, { isBroken = false } = {}): Promise<Watched> {
  const root = await temporaryFolder()
  await writeApp(root, { 'main.js': using('greeting') }, LOCK)
  if (isBroken) await breakLock(root)
  const app = await watchApp(watch, root)
  if (isBroken) {
    await app.failed()
    await writeLock(root, LOCK)
  }
  await app.says('v1')
  return app
}

async function watchApp(watch: Watch, root: string, extra?: Extra): Promise<Watched> {
  const outDir = join(root, 'out')
  const failures = new EventEmitter()
  // Counted, since a watch may fail before anybody waits for that.
  let failed = 0
  const onFailed = (): void => {
    failed++
    failures.emit('failure')
  }
  const start = (): ReturnType<Watch> =>
    watch({ root, outDir, entries: { main: 'main.js' }, minify: false, extra }, onFailed)
  let close = await start()
  onTestFinished(async () => void (await close()))
  return {
    root,
    says: sayer(join(outDir, 'main.mjs')),
    async failed() {
      if (failed === 0) await once(failures, 'failure')
      failed = 0
    },
  }
}

/** Waits until a bundle prints a text. Runs what it reads, since the bundle may be written again. */
function sayer(bundle: string): Watched['says'] {
  let code: string | undefined
  let said: unknown
  const look = async (version: string): Promise<void> => {
    const found = await readFile(bundle, 'utf8')
    if (found !== '' && found !== code) {
      const file = join(await temporaryFolder(), 'main.mjs')
      await writeFile(file, found)
      said = await runBundle(file)
      code = found
    }
    expect(said).toBe(version)
  }
  return (version) => vi.waitFor(() => look(version), { timeout: 40_000, interval: 50 })
}

test.each(Object.entries(WATCHERS))(
  '%s takes up a changed lock and app, and waits while the lock is broken or lacks a used prompt',
  async (name, watch) => {
    const { root, says, failed } = await watched(watch)
    await writeLock(root, liveLock({ slug: 'greeting', version: 'v2' }))
    await says('v2')
    expect(await readFile(join(root, 'prompts.d.ts'), 'utf8')).toContain(' · v2')
    await breakLock(root)
    await failed()
    await writeLock(root, liveLock({ slug: 'greeting', version: 'v3' }, { slug: 'parting' }))
    await says('v3')
    await replace(join(root, 'main.js'), using('parting'))
    await writeLock(root, liveLock({ slug: 'greeting' }, { slug: 'parting', version: 'v4' }))
    await says('v4')
    if (name === 'Bun') return
    await replace(join(root, 'main.js'), using('added'))
    await failed()
    await writeLock(root, liveLock({ slug: 'added', version: 'v5' }))
    await says('v5')
    await writeLock(root, LOCK)
    await failed()
  },
)

test.each(Object.entries(WATCHERS))(
  '%s builds when a lock that was broken at its start is fixed',
  async (_, watch) => {
    await watched(watch, { isBroken: true })
  },
)

test.each(Object.entries(WATCHERS).filter(([name]) => name !== 'Bun'))(
  '%s takes up options that are added and changed, and then follows the lock that they name',
  async (_, watch) => {
    const { root, says } = await watched(watch)
    for (const name of ['second', 'third'])
      await writeLock(root, liveLock({ slug: 'greeting', version: name }), name)
    const config = join(root, 'prompts.config.js')
    await replace(config, `export default { lock: 'second.lock.json' }`)
    await says('second')
    await replace(config, `export default { lock: 'third.lock.json' }`)
    await says('third')
    await writeLock(root, liveLock({ slug: 'greeting', version: 'v4' }), 'third')
    await says('v4')
  },
)

test.each(Object.entries(WATCHERS).filter(([name]) => name !== 'Bun'))(
  '%s builds when options that were wrong at its start are fixed',
  async (_, watch) => {
    const root = await temporaryFolder()
    const config = join(root, 'prompts.config.js')
    await writeApp(root, { 'main.js': using('greeting') }, LOCK)
    await writeFile(config, 'export default { unknown: true }')
    const { says, failed } = await watchApp(watch, root)
    await failed()
    await replace(config, 'export default {}')
    await says('v1')
    await writeLock(root, liveLock({ slug: 'greeting', version: 'v2' }))
    await says('v2')
  },
)

const MOMENTS = ['buildStart', 'transform', 'buildEnd', 'writeBundle'] as const

describe.each(Object.entries(WATCHERS).filter(([name]) => name !== 'Bun'))('%s', (_, watch) => {
  test.each(MOMENTS)(
    'builds again if the lock changes during its first build (%s)',
    async (moment) => {
      const root = await temporaryFolder()
      await writeApp(root, { 'main.js': using('greeting') }, LOCK)
      const changed = printLock(liveLock({ slug: 'greeting', version: 'v2' }), sha256)
      atMoment(moment, () => writeFileSync(join(root, 'prompts.lock.json'), changed))
      const { says } = await watchApp(watch, root, { file: AT_MOMENT, at: 'after' })
      await says('v2')
      expect(await readFile(join(root, 'prompts.d.ts'), 'utf8')).toContain(' · v2')
    },
  )
})

test.each(['webpack', 'Rspack'])(
  '%s names the command of the page once in a watch',
  async (name) => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => written.mockRestore())
    const { root, says } = await watched(WATCHERS[name] as Watch)
    await writeFile(join(root, 'main.js'), using('parting'))
    await says('v9')
    const named = written.mock.calls.filter(([text]) => String(text).includes('npx prompts ui'))
    expect(named).toHaveLength(1)
  },
)

test('esbuild builds again when a lock that was broken at its start is fixed in its first build', async () => {
  const root = await temporaryFolder()
  await writeApp(root, { 'main.js': using('greeting') })
  await breakLock(root)
  // After the start, which fails, and before esbuild reads the files that it watches.
  const fixed = printLock(LOCK, sha256)
  atMoment('transform', () => writeFileSync(join(root, 'prompts.lock.json'), fixed))
  const { says } = await watchApp(watchEsbuild, root, { file: AT_MOMENT, at: 'after' })
  await says('v1')
})
