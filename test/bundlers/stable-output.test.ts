import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PinnedPrompt } from '../../src/core/prompt.ts'
import { liveLock } from '../helpers/pinned.ts'
import { type Files, newApp, writeLock } from './app.ts'
import { BUNDLER_NAMES, BUNDLERS, type BundlerName } from './bundlers.ts'
import { jobIn } from './configs.ts'

const use = (name: string): string =>
  `import { prompts } from 'virtual:prompts'\nexport const text = prompts.${name}.slug\n`

/** Routes of which two share a prompt, and one that has none. */
const FILES: Files = {
  'main.js': `const routes = [() => import('./p0.js'), () => import('./q.js'), () => import('./p1.js'), () => import('./none.js')]\nglobalThis.routes = routes\n`,
  'p0.js': use('prompt000'),
  'q.js': `${use('prompt000')}export const other = 1\n`,
  'p1.js': use('prompt001'),
  'none.js': `export const text = 'none'\n`,
}

type Fields = Partial<PinnedPrompt> & Pick<PinnedPrompt, 'slug'>

/** More than the locks in which webpack and Rspack have a module for each prompt. */
const COUNT = 210

const PROMPTS: readonly Fields[] = Array.from({ length: COUNT }, (_, index) => ({
  slug: `prompt-${`${index}`.padStart(3, '0')}`,
  system: `Text ${index}.`,
}))

/** Prompts that no code uses: before and after those that it uses. */
const CHANGES: readonly [title: string, prompts: readonly Fields[]][] = [
  ['added', [{ slug: 'aaa' }, ...PROMPTS]],
  ['removed', PROMPTS.filter(({ slug }) => slug !== 'prompt-100')],
  ['edited', PROMPTS.with(100, { slug: 'prompt-100', system: 'Edited {{ here }}.' })],
]

/** The code that a build writes, by the names of its files. */
async function build(
  bundler: BundlerName,
  root: string,
  prompts: readonly Fields[],
  name: string,
): Promise<Map<string, string>> {
  await writeLock(root, liveLock(...prompts))
  const outDir = join(root, name)
  await BUNDLERS[bundler](jobIn(root, { outDir }))
  const files = (await readdir(outDir)).filter((file) => file.endsWith('js'))
  const codes = files.map(
    async (file) => [file, await readFile(join(outDir, file), 'utf8')] as const,
  )
  return new Map(await Promise.all(codes))
}

test.each(BUNDLER_NAMES)(
  'in a build with %s, a prompt that no code uses changes neither names nor code when it is added, removed or edited',
  async (bundler) => {
    const root = await newApp(FILES)
    const before = await build(bundler, root, PROMPTS, 'before')
    for (const [title, prompts] of CHANGES)
      expect([title, await build(bundler, root, prompts, title)]).toEqual([title, before])
  },
)
