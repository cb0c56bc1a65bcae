import { writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { liveLock, lockText } from '../helpers/pinned.ts'
import { SOON } from '../helpers/soon.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { newApp, replace, runBundle, writeLock } from './app.ts'
import { type Extra, jobIn } from './configs.ts'
import { atMoment } from './plugins/at-moment.ts'
import { FOLLOWED, MOMENTS, type Watch, WATCHERS } from './watchers.ts'

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
async function watched(watch: Watch): Promise<Watched> {
  const root = await newApp({ 'main.js': using('greeting') }, LOCK)
  const app = await watchApp(watch, root)
  await app.says('v1')
  return app
}

async function watchApp(watch: Watch, root: string, extra?: Extra): Promise<Watched> {
  // Remembered, since a watch may fail before anybody waits for that.
  let hasFailed = false
  const close = await watch(jobIn(root, { minify: false, extra }), (failure) => {
    if (failure !== '') hasFailed = true
  })
  onTestFinished(async () => void (await close()))
  return {
    root,
    says: sayer(join(root, 'out/main.mjs')),
    async failed() {
      await vi.waitFor(() => expect(hasFailed).toBe(true), SOON)
      hasFailed = false
    },
  }
}

/** Waits until a bundle prints a text. Runs what it reads, which may be half of it, since it is written again. */
function sayer(bundle: string): Watched['says'] {
  let code: string | undefined
  let said: unknown
  const look = async (version: string): Promise<void> => {
    const found = await readFile(bundle, 'utf8')
    if (found !== '' && found !== code) {
      const file = join(await temporaryFolder(), 'main.mjs')
      await writeFile(file, found)
      said = await runBundle(file, true)
      code = found
    }
    expect(said).toBe(version)
  }
  return (version) => vi.waitFor(() => look(version), SOON)
}

test.each(FOLLOWED)(
  '%s takes up a changed lock and app, and waits while the lock is broken, also at the start, or lacks a used prompt',
  async (name, watch) => {
    const root = await newApp({ 'main.js': using('greeting') })
    await breakLock(root)
    const { says, failed } = await watchApp(watch, root)
    await failed()
    await writeLock(root, LOCK)
    await says('v1')
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
    // Not `main.js` again: Rollup, also without plugins, drops a change within 50 ms of another one of that file.
    await writeLock(root, liveLock({ slug: 'greeting' }))
    await failed()
    await writeLock(root, liveLock({ slug: 'parting', version: 'v5' }))
    await says('v5')
    await writeLock(root, liveLock({ slug: 'greeting' }))
    await failed()
  },
)

const BUT_BUN = FOLLOWED.filter(([name]) => name !== 'Bun')

test.each(BUT_BUN)(
  '%s builds when options that were wrong at its start are fixed, and then follows the lock',
  async (_, watch) => {
    const wrong = 'export default { unknown: true }'
    const root = await newApp({ 'main.js': using('greeting'), 'prompts.config.js': wrong }, LOCK)
    const { says, failed } = await watchApp(watch, root)
    await failed()
    await replace(join(root, 'prompts.config.js'), 'export default {}')
    await says('v1')
    await writeLock(root, liveLock({ slug: 'greeting', version: 'v2' }))
    await says('v2')
  },
)

test.each(BUT_BUN)(
  '%s takes up options that are added and changed, and then follows the lock that they name',
  async (_, watch) => {
    const { root, says } = await watched(watch)
    for (const other of ['second', 'third']) {
      await writeLock(root, liveLock({ slug: 'greeting', version: other }), other)
      await replace(
        join(root, 'prompts.config.js'),
        `export default { lock: '${other}.lock.json' }`,
      )
      await says(other)
    }
    await writeLock(root, liveLock({ slug: 'greeting', version: 'v4' }), 'third')
    await says('v4')
  },
)

describe.each(BUT_BUN)('%s', (_, watch) => {
  test.each(MOMENTS)(
    'builds again if the lock changes during its first build (%s)',
    async (moment) => {
      const root = await newApp({ 'main.js': using('greeting') }, LOCK)
      const changed = lockText(liveLock({ slug: 'greeting', version: 'v2' }))
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

test('half of a bundle that is being written ends with an error, and the next one runs', async () => {
  const file = join(await temporaryFolder(), 'main.mjs')
  await writeFile(file, 'const version = "v1"\n')
  await expect(runBundle(file, true)).rejects.toThrow('printed nothing')
  await writeFile(file, 'const version = "v1"\nconsole.log(JSON.stringify(version))\n')
  expect(await runBundle(file, true)).toBe('v1')
})
