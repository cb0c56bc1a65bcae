import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { liveLock } from '../helpers/pinned.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { runBundle, writeApp, writeLock } from './app.ts'
import { WATCHERS } from './watchers.ts'

/**
 * Farm 1.7 watches from a process that it ends by itself, and `Bun.build` does not watch, so they
 * are not here.
 */
test.each(Object.entries(WATCHERS))(
  '%s takes up a changed lock, and so do the declarations',
  async (_, watch) => {
    const root = await temporaryFolder()
    const code = `import { prompts } from 'virtual:prompts'\nconsole.log(JSON.stringify(prompts.greeting.version))\n`
    await writeApp(root, { 'main.js': code }, liveLock({ slug: 'greeting', version: 'v1' }))
    const outDir = join(root, 'out')
    const close = await watch({ root, outDir, entries: { main: 'main.js' }, minify: false })
    onTestFinished(async () => void (await close()))
    const says = (version: string): Promise<void> =>
      vi.waitFor(async () => expect(await runBundle(join(outDir, 'main.mjs'))).toBe(version), {
        timeout: 20_000,
        interval: 200,
      })
    await says('v1')
    await writeLock(root, liveLock({ slug: 'greeting', version: 'v2' }))
    await says('v2')
    expect(await readFile(join(root, 'prompts.d.ts'), 'utf8')).toContain('"v2"')
    await writeLock(root, liveLock({ slug: 'greeting', version: 'v3' }, { slug: 'parting' }))
    await says('v3')
  },
)
