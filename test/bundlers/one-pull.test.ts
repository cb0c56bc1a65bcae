import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { promptsIn, readCode, runBundle, writeApp } from './app.ts'
import { type BundlerName, BUNDLERS } from './bundlers.ts'
import { testService } from '../helpers/local-service.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const PROMPTS = [0, 1, 2].map((number) => ({
  slug: `prompt-${number}`,
  version: 'v1',
  system: `Text number <${number}>`,
}))

const code = (name: string): string =>
  `import { prompts } from 'virtual:prompts'\nconsole.log(JSON.stringify(prompts.${name}.slug))\n`

/** Bun has a process of its own, in which no service can be read. */
const NAMES = (Object.keys(BUNDLERS) as BundlerName[]).filter((name) => name !== 'Bun')

test.each(NAMES)(
  'three builds of %s that start together without a lock pull once, and each ships what it uses',
  async (bundler) => {
    const service = await testService(PROMPTS, { latency: 20 })
    const { PROMPTS_BASE_URL: baseUrl = '', PROMPTS_API_KEY: apiKey = '' } = service.live
    const root = await temporaryFolder()
    const names = ['client', 'server', 'worker']
    await writeApp(
      root,
      Object.fromEntries(names.map((name, n) => [`${name}.js`, code(`prompt${n}`)])),
    )
    const buildAll = (pull: 'missing' | 'never'): Promise<unknown> =>
      Promise.all(
        names.map((name) =>
          BUNDLERS[bundler]({
            root,
            outDir: join(root, name),
            entries: { [name]: `${name}.js` },
            minify: true,
            options: { baseUrl, apiKey, pull },
          }),
        ),
      )
    await buildAll('missing')
    expect(service.asked().toSorted()).toEqual([
      'GET /api/v1/prompts 200',
      'GET /api/v1/prompts 200',
      ...PROMPTS.map(({ slug }) => `GET /api/v1/prompts/${slug} 200`),
    ])
    for (const [number, name] of names.entries()) {
      expect(await runBundle(join(root, name, `${name}.mjs`))).toBe(`prompt-${number}`)
      expect(promptsIn(await readCode(join(root, name)))).toEqual([number])
    }
    expect(await readFile(join(root, 'prompts.d.ts'), 'utf8')).toContain('"prompt-2"')
    service.forget()
    await buildAll('never')
    expect(service.asked()).toEqual([])
  },
)
