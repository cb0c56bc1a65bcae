import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Lock } from '../../../src/core/prompt.ts'
import type { ModuleFormat } from '../../../src/codegen/print-module.ts'
import { writeOutDir } from '../../helpers/generated.ts'
import { filesIn } from '../../helpers/cli.ts'
import { HOSTILE } from '../../helpers/hostile.ts'
import { importNatively } from '../../helpers/native-import.ts'
import { liveLock, lockOf } from '../../helpers/pinned.ts'
import { type RunPrompt, runLock } from '../../helpers/run-modules.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import {
  numberedLock,
  promptsIn as numbersIn,
  reachableCode,
  readCode,
  runBundle,
  writeApp,
} from '../../bundlers/app.ts'
import { type BundlerName, BUNDLERS } from '../../bundlers/bundlers.ts'
import { jobIn } from '../../bundlers/configs.ts'

const run = promisify(execFile)

/** The folder that `prompts generate --out-dir prompts` makes; returns the one that holds it. */
async function generated(lock: Lock, format: ModuleFormat = 'esm'): Promise<string> {
  const root = await temporaryFolder()
  const folder = join(root, 'prompts')
  await writeOutDir(lock, { root, folder, format })
  return root
}

const PROMPTS = `import { prompts } from './prompts/index.js'\n`
const STAGING = `import { prompts as staging } from './prompts/staging/index.js'\n`
const SAY = "console.log(JSON.stringify(prompt5.render({ name: 'Ada' }).text))\n"

/** How an app names a prompt. */
const FORMS = {
  'a dot': `${PROMPTS}const prompt5 = prompts.prompt5\n`,
  brackets: `${PROMPTS}const prompt5 = prompts['prompt-5']\n`,
  destructuring: `${PROMPTS}const { prompt5 } = prompts\n`,
  'a flag': `${PROMPTS}${STAGING}const prompt5 = process.argv[9] ? staging.prompt5 : prompts.prompt5\n`,
  'an awaited import': `const { prompts } = await import('./prompts/index.js')\nconst { prompt5 } = prompts\nexport {}\n`,
  'a name of all.js': `import { prompt5 } from './prompts/all.js'\n`,
} as const

type Form = keyof typeof FORMS

const OF_ROLLDOWN: readonly Form[] = ['destructuring', 'an awaited import']

/** The forms with which a bundler ships all prompts. Vite and Rsbuild also stand for their other modes. */
const SHIPS_ALL = {
  Rollup: [],
  Rolldown: OF_ROLLDOWN,
  'Vite client': OF_ROLLDOWN,
  Bun: OF_ROLLDOWN,
  webpack: ['an awaited import'],
  Rspack: [],
  Rsbuild: [],
  esbuild: ['a dot', 'brackets', 'destructuring', 'a flag', 'an awaited import'],
} satisfies Partial<Record<BundlerName, readonly Form[]>>

const NAMES = Object.keys(SHIPS_ALL) as (keyof typeof SHIPS_ALL)[]

const FORMATS = ['esm', 'cjs'] as const

describe('the folder of prompts generate', () => {
  test.each(NAMES)(
    'ships in %s only the named prompt, if its tree shaking can',
    async (bundler) => {
      const live = numberedLock(10).parts
      const staging = live.map(({ slug }, index) => ({ slug, system: `Text number <10${index}>` }))
      const lock = lockOf({ live, staging })
      const shipsAll: readonly string[] = SHIPS_ALL[bundler]
      const forms = Object.keys(FORMS) as Form[]
      // Entries of one build share chunks: those that ship all would take the others with them. Rspack's do not name
      // the chunk of an awaited import.
      const groupOf = (form: Form): string =>
        form === 'an awaited import' ? form : `all: ${shipsAll.includes(form)}`
      const groups = [...new Set(forms.map(groupOf))].map((group) =>
        forms.filter((form) => groupOf(form) === group),
      )
      for (const group of groups) {
        const root = await generated(lock)
        const files = group.map((form, index) => [`${index}.js`, FORMS[form] + SAY] as const)
        await writeApp(root, Object.fromEntries(files), lock)
        const outDir = join(root, 'out')
        const entries = Object.fromEntries(files.map(([file], index) => [index, file]))
        await BUNDLERS[bundler](jobIn(root, { entries }))
        for (const [index, form] of group.entries()) {
          const built = join(outDir, `${index}.mjs`)
          expect(await runBundle(built), form).toBe('Text number <5> for Ada.')
          const named = form === 'a flag' ? [5, 105] : [5]
          const code = group.length === 1 ? readCode(outDir) : reachableCode([built])
          const shipped = numbersIn(await code)
          const all = live.map((_, number) => number)
          if (shipsAll.includes(form)) expect(shipped, form).toEqual(expect.arrayContaining(all))
          else expect(shipped, form).toEqual(named)
        }
      }
    },
  )

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
      for (const { slug, source, folder } of lock.parts) {
        expect(alone[slug]).toMatchObject({ slug, source, folder })
      }
    },
  )

  test.each(FORMATS)(
    'merges without a conflict in %s on branches that pull different prompts',
    async (format) => {
      const slugs = ['a', 'c', 'e', 'g']
      const folderOf = async (...more: readonly string[]): Promise<string> => {
        const live = [...slugs, ...more].toSorted().map((slug) => ({ slug, user: `${slug}.` }))
        const staging = live.filter(({ slug }) => 'bcf'.includes(slug))
        return join(await generated(lockOf({ live, staging }), format), 'prompts')
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
    'has in %s one object of a prompt that is the same in staging, or of all if nothing is staged',
    async (format) => {
      const both = async (lock: Lock) => {
        const folder = join(await generated(lock, format), 'prompts')
        return Promise.all(
          ['index.js', 'staging/index.js'].map((file) => promptsIn(join(folder, file))),
        )
      }
      const live = [{ slug: 'changed' }, { slug: 'same' }]
      const staging = [{ slug: 'changed', version: 'v23' }, { slug: 'new' }]
      const [one, other] = await both(lockOf({ live, staging }))
      expect(Object.keys(other ?? {})).toEqual(['changed', 'new', 'same'])
      expect(other?.['same']).toBe(one?.['same'])
      expect(other?.['changed']).toMatchObject({ version: 'v23', environment: 'test' })
      for (const lock of [liveLock({ slug: 'same' }), liveLock()]) {
        const [all, staged] = await both(lock)
        expect(staged).toBe(all)
        expect(Object.keys(all ?? {})).toEqual(lock.parts.map(({ slug }) => slug))
      }
    },
  )

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
