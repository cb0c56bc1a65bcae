import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testService } from '../helpers/local-service.ts'
import { newApp, promptsIn, readCode, runBundle } from './app.ts'
import { BUNDLERS } from './bundlers.ts'
import { jobIn } from './configs.ts'

const PROMPTS = [0, 1, 2].map((number) => ({
  slug: `prompt-${number}`,
  version: 'v1',
  system: `Text number <${number}>`,
}))

const codeOf = (number: number): string =>
  `import { prompts } from 'virtual:prompts'\nconsole.log(JSON.stringify(prompts.prompt${number}.slug))\n`

// One bundler of each kind: they share who pulls.
test.each(['Vite SSR', 'webpack', 'esbuild'] as const)(
  'three builds of %s that start together without a lock pull once, and each ships what it uses',
  async (bundler) => {
    const service = await testService(PROMPTS, { latency: 20 })
    const { PROMPTS_BASE_URL: baseUrl = '', PROMPTS_API_KEY: apiKey = '' } = service.live
    const options = { pull: 'missing', baseUrl, apiKey } as const
    const files = PROMPTS.map((_, number) => [`${number}.js`, codeOf(number)])
    const root = await newApp(Object.fromEntries(files))
    const jobs = PROMPTS.map((_, number) =>
      jobIn(root, {
        outDir: join(root, `out-${number}`),
        entries: { main: `${number}.js` },
        options,
      }),
    )
    await Promise.all(jobs.map(BUNDLERS[bundler]))
    for (const [number, { outDir }] of jobs.entries()) {
      expect(await runBundle(join(outDir, 'main.mjs'))).toBe(`prompt-${number}`)
      expect(promptsIn(await readCode(outDir))).toEqual([number])
    }
    expect(service.asked().toSorted()).toEqual([
      'GET /api/v1/prompts 200',
      'GET /api/v1/prompts 200',
      ...PROMPTS.map(({ slug }) => `GET /api/v1/prompts/${slug} 200`),
    ])
    expect(await readFile(join(root, 'prompts.d.ts'), 'utf8')).toContain('"prompt-2"')
  },
)
