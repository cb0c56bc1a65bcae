import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { PinnedPrompt } from '../../src/core/prompt.ts'
import { liveLock } from '../helpers/pinned.ts'
import { type Files, newApp, writeLock } from './app.ts'
import { BUNDLERS, type BundlerName, ONE_EACH } from './bundlers.ts'
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

/** So many that some share a module in webpack and Rspack. */
const COUNT = 210

const PROMPTS: readonly Fields[] = Array.from({ length: COUNT }, (_, index) => ({
  slug: `prompt-${`${index}`.padStart(3, '0')}`,
  system: `Text ${index}.`,
}))

/** Prompts that no code uses are added before those that it uses, edited, and removed after them. */
const CHANGED: readonly Fields[] = [
  { slug: 'aaa' },
  { slug: 'bbb' },
  ...PROMPTS.with(100, { slug: 'prompt-100', system: 'Edited {{ here }}.' }).toSpliced(101, 1),
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

test.each(ONE_EACH)(
  'in a build with %s, prompts that no code uses change neither names nor code when they are added, removed or edited',
  async (bundler) => {
    const root = await newApp(FILES)
    const before = await build(bundler, root, PROMPTS, 'before')
    expect(await build(bundler, root, CHANGED, 'after')).toEqual(before)
  },
)
