import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newApp, numberedLock } from './app.ts'
import { BUNDLERS, failure } from './bundlers.ts'
import { jobIn } from './configs.ts'

test.each(['Vite SSR', 'Rollup', 'Rolldown', 'esbuild'] as const)(
  'a production build with %s verifies the entries that it ships, and a development build all',
  async (bundler) => {
    const code = `import { prompts } from 'virtual:prompts'\nconsole.log(prompts.prompt1.slug)\n`
    // Otherwise the first build writes them, and so reads all entries.
    const root = await newApp({ 'main.js': code, 'prompts.d.ts': '' }, numberedLock(3))
    const path = join(root, 'prompts.lock.json')
    const whole = await readFile(path, 'utf8')
    onTestFinished(() => void vi.unstubAllEnvs())
    const build = async (mode: string, edited: number): Promise<string> => {
      vi.stubEnv('NODE_ENV', mode)
      await writeFile(path, whole.replace(`number <${edited}>`, 'number'))
      return failure(BUNDLERS[bundler](jobIn(root)))
    }
    expect(await build('production', 2)).toBe('')
    expect(await build('production', 1)).toMatch(/\[LOCK_EDITED\][^]*prompt-1/)
    if (bundler !== 'Vite SSR')
      expect(await build('development', 2)).toMatch(/\[LOCK_EDITED\][^]*prompt-2/)
  },
)
