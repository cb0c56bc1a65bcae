import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { rolldown } from 'rolldown'
import { describe, expect, test } from 'vitest'
import type { Lock } from '../../src/core/prompt.ts'
import { writeOutDir } from '../../src/features/generate/out-dir.ts'
import { filesIn } from '../helpers/cli.ts'
import { HOSTILE } from '../helpers/hostile.ts'
import { importNatively } from '../helpers/native-import.ts'
import { liveLock } from '../helpers/pinned.ts'
import { type RunPrompt, runLock } from '../helpers/run-modules.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const run = promisify(execFile)

/** The folder that `prompts generate --out-dir prompts` makes; returns the one that holds it. */
async function generated(lock: Lock): Promise<string> {
  const root = await temporaryFolder()
  await writeOutDir(lock, { root, name: 'prompts', folder: join(root, 'prompts') })
  return root
}

const HUNDRED = liveLock(
  ...Array.from({ length: 100 }, (_, index) => ({
    slug: `prompt-${index}`,
    user: `Text ${index}. {{ name }}`,
  })),
)

const BUNDLERS = {
  esbuild: async (main: string): Promise<string> => {
    const { outputFiles } = await build({
      entryPoints: [main],
      bundle: true,
      format: 'esm',
      write: false,
    })
    return outputFiles.map(({ text }) => text).join('\n')
  },
  rolldown: async (main: string): Promise<string> => {
    const bundle = await rolldown({ input: main })
    const { output } = await bundle.generate({ format: 'esm' })
    return output.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n')
  },
} as const

describe('the folder of prompts generate', () => {
  test.each([
    { bundler: 'esbuild', from: `import * as prompts from './prompts/all.js'` },
    { bundler: 'rolldown', from: `import * as prompts from './prompts/all.js'` },
    { bundler: 'rolldown', from: `import { prompts } from './prompts/index.js'` },
  ] as const)('gives $bundler one used prompt of 100 from $from', async ({ bundler, from }) => {
    const root = await generated(HUNDRED)
    const main = join(root, 'main.js')
    await writeFile(main, `${from}\nconsole.log(prompts.prompt42.render({ name: 'x' }).text)\n`)
    const code = await BUNDLERS[bundler](main)
    expect(code.match(/Text \d+/g)).toEqual(['Text 42'])
  })

  test('exports the same as the modules of the bundlers, for hostile text in every field', async () => {
    const lock = liveLock(
      ...HOSTILE.map((text, index) => ({
        slug: text === 'then' ? text : `${index}${text}`,
        folder: text,
        model: text,
        version: text,
        system: `${text}\nexport const p0 = 1\nimport { x } from "y"\n${text}`,
        user: text,
      })),
    )
    const [alone, modules] = await Promise.all([load(lock), runLock(lock)])
    expect(Object.keys(alone)).toStrictEqual(Object.keys(modules.entry.prompts))
    for (const { slug, source, folder } of lock.prompts) {
      expect(alone[slug]).toMatchObject({ slug, source, folder })
    }
  })

  test('merges without a conflict on branches that pull different prompts', async () => {
    const slugs = ['a', 'c', 'e', 'g']
    const folderOf = async (...more: readonly string[]): Promise<string> => {
      const prompts = [...slugs, ...more].toSorted().map((slug) => ({ slug, user: `${slug}.` }))
      return join(await generated(liveLock(...prompts)), 'prompts')
    }
    const [ours, base, theirs] = await Promise.all([folderOf('b'), folderOf(), folderOf('f')])
    const both = await filesIn(await folderOf('b', 'f'))
    for (const [name, text] of Object.entries(both)) {
      const paths = [ours, base, theirs].map((folder) => join(folder, name))
      const { stdout } = await run('git', ['merge-file', '-p', ...paths])
      expect(stdout).toBe(text)
    }
  })

  test('is valid for an empty lock too', async () => {
    expect(Object.keys(await load(liveLock()))).toStrictEqual([])
  })
})

async function load(lock: Lock): Promise<Readonly<Record<string, RunPrompt>>> {
  const path = join(await generated(lock), 'prompts/index.js')
  const { prompts } = (await importNatively(pathToFileURL(path).href)) as {
    readonly prompts: Readonly<Record<string, RunPrompt>>
  }
  return prompts
}
