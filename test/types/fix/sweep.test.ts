import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { applyChanges, compareLocks } from '../../../src/core/compare.ts'
import type { Lock } from '../../../src/core/prompt.ts'
import { planFix } from '../../../src/features/fix/plan-fix.ts'
import { readRenames } from '../../../src/features/fix/renames.ts'
import runtime from '../../../src/runtime/index.ts?text'
import { APP_TSCONFIG, appFolder } from '../../helpers/app-folder.ts'
import { folderWith } from '../../helpers/cli.ts'
import { importNatively } from '../../helpers/native-import.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { printModules } from '../../helpers/run-modules.ts'
import { type CallSite, callSites } from './call-sites.ts'

/** An ordinary run takes every seventh call site, and a nightly one takes all. */
const STEP = process.env['SWEEP_RUNS'] === undefined ? 7 : 1

type Site = CallSite & { readonly old: string; readonly now: string }

/** Call sites, each with a prompt of its own. In every other one, the prompt is renamed too. */
const SITES = callSites()
  .filter((_, index) => index % STEP === 0)
  .map((site, index): Site => {
    const [old, now] = [`x-${index}`, index % 2 === 0 ? `x-${index}` : `new-${index}`]
    const names: Record<string, string> = { XName: `x${index}`, X: old, Y: 'other' }
    const code = site.code.replaceAll(/\b(?:XName|X|Y)\b/g, (name) => names[name] ?? name)
    return { ...site, code, old, now }
  })

/** Code that passes on all prompts keeps every edit back, so it is an app of its own. */
const [ALL, SINGLE] = [true, false].map((isAll) => SITES.filter((site) => site.isAll === isAll))

function lockWith(sites: readonly Site[], name: 'old' | 'now', variable: string): Lock {
  const version = name === 'old' ? 'v22' : 'v23'
  return liveLock(
    { slug: 'other', system: 'Other {{ ticket }} {{ kept }}' },
    ...sites.map((site) => ({
      slug: site[name],
      system: `Sort {{ ${variable} }} for {{ kept }}`,
      version,
    })),
  )
}

test.each([
  ['of one prompt', SINGLE ?? []],
  ['that pass on all prompts', ALL ?? []],
])('call sites %s send the same to a model before and after a fix', async (_title, sites) => {
  expect(callSites().length).toBeGreaterThanOrEqual(300)
  const files = Object.fromEntries(sites.map(({ file, code }) => [file, code]))
  const { compilerOptions, include } = JSON.parse(APP_TSCONFIG) as Record<string, object>
  const options = { ...compilerOptions, jsx: 'react', lib: ['es2023'] }
  const tsconfig = JSON.stringify({ compilerOptions: options, include })
  const root = await appFolder({ 'tsconfig.json': tsconfig, ...files })
  const [before, after] = [lockWith(sites, 'old', 'ticket'), lockWith(sites, 'now', 'message')]
  const draft = { before, changes: compareLocks(before, after) }
  const values = sites.flatMap(({ old, now }) => [
    `${now}:ticket=message`,
    ...(old === now ? [] : [`${old}=${now}`]),
  ])
  const request = { renames: readRenames(values, draft), allowDirty: true }
  const plan = await planFix(draft, { root, dts: `${root}/src/prompts.d.ts` }, request)
  const left = new Set(plan.skipped.map(({ change }) => change.slug))
  const taken = applyChanges(
    before,
    draft.changes.filter(({ slug }) => !left.has(slug)),
  )
  const fixed = Object.fromEntries(plan.files.map((file) => [file.file, file.after]))
  expect(await sentTexts({ ...files, ...fixed }, taken)).toEqual(await sentTexts(files, before))
  const unexpected = sites.filter(({ isEdited, old }) => isEdited === left.has(old))
  expect(
    unexpected.map(({ title, old }) => `${title}: ${left.has(old) ? 'left' : 'taken'}`),
  ).toEqual([])
})

/** What each call site sends to a model, or the name of the error that it throws. */
async function sentTexts(
  files: Readonly<Record<string, string>>,
  lock: Lock,
): Promise<Record<string, string>> {
  const folder = await folderWith({ ...files, ...printModules(lock), 'runtime.mjs': runtime })
  const paths = Object.keys(files)
  const outfile = join(folder, 'bundle.mjs')
  const imports = paths.map((path, index) => `import * as s${index} from './${path}'`)
  await build({
    stdin: {
      contents: `${imports.join('\n')}\nexport default [${paths.map((_, index) => `s${index}`).join()}]`,
      resolveDir: folder,
    },
    outfile,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
    alias: {
      'virtual:prompts/all': join(folder, 'all.mjs'),
      'virtual:prompts': join(folder, 'entry.mjs'),
    },
  })
  const imported = (await importNatively(pathToFileURL(outfile).href)) as {
    readonly default: readonly { run(): Promise<unknown> }[]
  }
  const texts = imported.default.map(async ({ run }, index) => {
    const text = await run().then(JSON.stringify, (error: Error) => `throws ${error.name}`)
    return [paths[index] ?? '', text] as const
  })
  return Object.fromEntries(await Promise.all(texts))
}
