import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { comparePrompts } from '../../../src/core/compare.ts'
import type { Lock } from '../../../src/core/prompt.ts'
import type { FixPlan } from '../../../src/features/fix/plan-fix.ts'
import { planFix } from '../../../src/features/fix/plan-fix.ts'
import { readRenames } from '../../../src/features/fix/read-renames.ts'
import runtime from '../../../src/runtime/index.ts?text'
import { APP_TSCONFIG, appFolder } from '../../helpers/app-folder.ts'
import { folderWith } from '../../helpers/cli.ts'
import { importNatively } from '../../helpers/native-import.ts'
import { printModules } from '../../helpers/run-modules.ts'
import { AFTER, BEFORE, RENAMES } from './locks.ts'

const GOLDEN = join(import.meta.dirname, '../../golden/fix')

const TSCONFIG = JSON.parse(APP_TSCONFIG) as { compilerOptions: object; include: string[] }
const OPTIONS = { allowJs: true, checkJs: true, allowImportingTsExtensions: true, lib: ['es2023'] }
const JSX = { jsx: 'react', jsxFactory: 'h' }

const before = await filesOf('before')
const names = Object.keys(before)
let planned: Promise<FixPlan> | undefined

/** The plan for the whole app, made once. */
function fixed(): Promise<FixPlan> {
  return (planned ??= planGolden())
}

async function planGolden(): Promise<FixPlan> {
  const compilerOptions = { ...TSCONFIG.compilerOptions, ...OPTIONS, ...JSX }
  const root = await appFolder({
    'tsconfig.json': JSON.stringify({ ...TSCONFIG, compilerOptions }),
    ...Object.fromEntries(names.map((name) => [`src/${name}`, before[name] ?? ''])),
  })
  const draft = { before: BEFORE, changes: comparePrompts(BEFORE.prompts, AFTER.prompts) }
  const renames = readRenames(RENAMES, draft)
  const location = { root, dts: `${root}/src/prompts.d.ts` }
  return planFix(draft, location, { renames, allowDirty: true })
}

async function fixedFiles(): Promise<Record<string, string>> {
  const { files } = await fixed()
  return Object.fromEntries(files.map(({ file, after }) => [file.slice('src/'.length), after]))
}

describe('call sites of every form', () => {
  test('are all fixed', async () => {
    const plan = await fixed()
    expect(plan.skipped).toEqual([])
    expect(plan.files.map(({ file }) => file)).toEqual(names.map((name) => `src/${name}`))
  })

  test.each(names)('%s is edited at its names and nowhere else', async (name) => {
    const { [name]: after } = await fixedFiles()
    await expect(after).toMatchFileSnapshot(join(GOLDEN, 'after', name))
  })

  test.each(names)('%s renders the same values as before', async (name) => {
    const old = await textsOf(name, { files: before, lock: BEFORE })
    const now = await textsOf(name, { files: await fixedFiles(), lock: AFTER })
    // The update removes what is in brackets.
    expect(now).toEqual(old.map(([key, text]) => [key, text.replaceAll(/\[.*?\]/g, '')]))
    expect(old.length).toBeGreaterThan(0)
  })
})

async function filesOf(folder: string): Promise<Record<string, string>> {
  const found = (await readdir(join(GOLDEN, folder))).toSorted()
  const files = found.map(
    async (name) => [name, await readFile(join(GOLDEN, folder, name), 'utf8')] as const,
  )
  return Object.fromEntries(await Promise.all(files))
}

/** The texts that a file of an app exports, or that its exported functions return, by name. */
async function textsOf(
  name: string,
  { files, lock }: { readonly files: Readonly<Record<string, string>>; readonly lock: Lock },
): Promise<[string, string][]> {
  const folder = await folderWith({ ...files, ...printModules(lock), 'runtime.mjs': runtime })
  const outfile = join(folder, 'bundle.mjs')
  await build({
    entryPoints: [join(folder, name)],
    outfile,
    bundle: true,
    format: 'esm',
    jsxFactory: 'h',
    alias: {
      'virtual:prompts/all': join(folder, 'all.mjs'),
      'virtual:prompts': join(folder, 'entry.mjs'),
    },
  })
  const exported = Object.entries((await importNatively(pathToFileURL(outfile).href)) as object)
  const values = exported.map(async ([key, value]): Promise<[string, unknown]> => {
    const isCallable = typeof value === 'function' && value.length === 0
    return [key, isCallable ? await (value as () => unknown)() : (value as unknown)]
  })
  const texts = (await Promise.all(values)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return texts.toSorted(([a], [b]) => (a < b ? -1 : 1))
}
