import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { rolldown } from 'rolldown'
import { describe, expect, test } from 'vitest'
import type { Lock } from '../../src/core/prompt.ts'
import type { ModuleFormat } from '../../src/codegen/print-module.ts'
import { writeOutDir } from '../helpers/generated.ts'
import { filesIn } from '../helpers/cli.ts'
import { HOSTILE } from '../helpers/hostile.ts'
import { importNatively } from '../helpers/native-import.ts'
import { liveLock, testLock } from '../helpers/pinned.ts'
import { type RunPrompt, runLock } from '../helpers/run-modules.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const run = promisify(execFile)

/** The folder that `prompts generate --out-dir prompts` makes; returns the one that holds it. */
async function generated(
  lock: Lock,
  format: ModuleFormat = 'esm',
  staging?: Lock,
): Promise<string> {
  const root = await temporaryFolder()
  const folder = join(root, 'prompts')
  await writeOutDir(lock, { root, folder, format, testLock: staging })
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

const FORMATS = ['esm', 'cjs'] as const

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

  test.each(FORMATS)(
    'exports the same as the modules of the bundlers in %s, for hostile text in every field',
    async (format) => {
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
      const [alone, modules] = await Promise.all([load(lock, format), runLock(lock)])
      expect(Object.keys(alone).toSorted()).toStrictEqual(
        Object.keys(modules.entry.prompts).toSorted(),
      )
      for (const { slug, source, folder } of lock.prompts) {
        expect(alone[slug]).toMatchObject({ slug, source, folder })
      }
    },
  )

  test.each(FORMATS)(
    'merges without a conflict in %s on branches that pull different prompts',
    async (format) => {
      const slugs = ['a', 'c', 'e', 'g']
      const folderOf = async (...more: readonly string[]): Promise<string> => {
        const prompts = [...slugs, ...more].toSorted().map((slug) => ({ slug, user: `${slug}.` }))
        const staging = prompts.map((prompt) => ({
          ...prompt,
          version: 'bcf'.includes(prompt.slug) ? 'v23' : 'v22',
        }))
        const root = await generated(liveLock(...prompts), format, testLock(...staging))
        return join(root, 'prompts')
      }
      const [ours, base, theirs] = await Promise.all([folderOf('b'), folderOf(), folderOf('f')])
      const both = await filesIn(await folderOf('b', 'f'))
      for (const [name, text] of Object.entries(both)) {
        const paths = [ours, base, theirs].map((folder) => join(folder, name))
        const { stdout } = await run('git', ['merge-file', '-p', ...paths])
        expect(stdout).toBe(text)
      }
    },
  )

  test.each(FORMATS)(
    'has in %s one object of a prompt that is the same in staging',
    async (format) => {
      const lock = liveLock({ slug: 'changed' }, { slug: 'same' })
      const staging = testLock(
        { slug: 'changed', version: 'v23' },
        { slug: 'new' },
        { slug: 'same' },
      )
      const folder = join(await generated(lock, format, staging), 'prompts')
      const [one, other] = await Promise.all(
        ['index.js', 'staging/index.js'].map((file) => promptsIn(join(folder, file))),
      )
      expect(Object.keys(other ?? {})).toEqual(['changed', 'new', 'same'])
      expect(other?.['same']).toBe(one?.['same'])
      expect(other?.['changed']).toMatchObject({ version: 'v23', environment: 'test' })
    },
  )

  test.each(FORMATS)('is valid in %s for an empty lock too', async (format) => {
    expect(Object.keys(await load(liveLock(), format))).toStrictEqual([])
  })

  test('as CommonJS, has the prompt called __proto__ and every name for import', async () => {
    const lock = liveLock({ slug: '__proto__' }, { slug: 'my-prompt' })
    const folder = await generated(lock, 'cjs')
    const prompts = await load(lock, 'cjs')
    expect(prompts['__proto__']?.slug).toBe('__proto__')
    const all = await importNatively(pathToFileURL(join(folder, 'prompts/all.js')).href)
    expect(all).toMatchObject({ proto: { slug: '__proto__' }, myPrompt: { slug: 'my-prompt' } })
  })
})

async function load(
  lock: Lock,
  format: ModuleFormat,
): Promise<Readonly<Record<string, RunPrompt>>> {
  return promptsIn(join(await generated(lock, format), 'prompts/index.js'))
}

async function promptsIn(path: string): Promise<Readonly<Record<string, RunPrompt>>> {
  const { prompts } = (await importNatively(pathToFileURL(path).href)) as {
    readonly prompts: Readonly<Record<string, RunPrompt>>
  }
  return prompts
}
