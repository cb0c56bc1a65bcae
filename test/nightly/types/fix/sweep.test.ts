import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { applyChanges, compareLocks } from '../../../../src/core/compare.ts'
import type { Lock } from '../../../../src/core/prompt.ts'
import { planFix } from '../../../../src/features/fix/plan-fix.ts'
import { readRenames } from '../../../../src/features/fix/renames.ts'
import runtime from '../../../../src/runtime/index.ts?text'
import { APP_TSCONFIG, appFolder } from '../../../helpers/app-folder.ts'
import { folderWith } from '../../../helpers/cli.ts'
import { importNatively } from '../../../helpers/native-import.ts'
import { liveLock } from '../../../helpers/pinned.ts'
import { printModules } from '../../../helpers/run-modules.ts'

/** A module of an app that renders a prompt in `run`, and whether a fix edits it. */
interface CallSite {
  readonly title: string
  readonly file: string
  readonly isEdited: boolean
  /** Whether the code passes on all prompts. */
  readonly isAll: boolean
  /** The code; `X` is the slug and `XName` the identifier of its prompt, and `Y` is another prompt. */
  readonly code: string
}

type Form = readonly [title: string, isEdited: boolean, head: string, inside: string, code: string]

/** How code gets a prompt: statements of the module and of the function, and the expression. */
const ACCESSES: readonly Form[] = [
  ['a member', true, '', '', 'prompts.XName'],
  ['a quoted slug', true, '', '', "prompts['X']"],
  ['a quoted identifier', true, '', '', 'prompts["XName"]'],
  ['a template key', true, '', '', 'prompts[`X`]'],
  ['parentheses', true, '', '', '(prompts.XName)'],
  ['a constant', true, 'const p = prompts.XName', '', 'p'],
  ['an exported constant', true, 'export const p = prompts.XName', '', 'p'],
  ['a pattern', true, '', 'const { XName } = prompts', 'XName'],
  ['a renaming pattern', true, '', 'const { XName: p } = prompts', 'p'],
  ['a quoted pattern', true, '', "const { 'X': p } = prompts", 'p'],
  ['an alias', true, 'const all = prompts', '', 'all.XName'],
  ['a namespace', true, "import * as ns from 'virtual:prompts'", '', 'ns.prompts.XName'],
  ['an aliased import', true, "import { prompts as q } from 'virtual:prompts'", '', 'q.XName'],
  [
    'a dynamic import',
    true,
    '',
    "const { prompts: q } = await import('virtual:prompts')",
    'q.XName',
  ],
  ['an awaited import', true, '', '', "(await import('virtual:prompts')).prompts.XName"],
  ['shadowing', true, '', '{ const prompts = { XName: 1 }; void prompts.XName }', 'prompts.XName'],
  ['let', false, '', 'let p = prompts.XName', 'p'],
  ['a union', false, '', '', '(1 ? prompts.XName : prompts.Y)'],
  ['an array', false, '', '', '[prompts.XName][0]'],
  ['an object', false, '', 'const table = { p: prompts.XName }', 'table.p'],
  ['any', false, '', '', '(prompts.XName as any)'],
  ['an exclamation mark', false, '', '', 'prompts.XName!'],
  ['a computed key', false, '', 'const key = "XName" as const', 'prompts[key]'],
  ['a default', false, '', 'const { XName: p = prompts.XName } = prompts', 'p'],
  ['a rest', false, '', 'const { Y, ...rest } = prompts; void Y', 'rest.XName'],
  ['a class', false, 'class Box { p = prompts.XName }', '', 'new Box().p'],
  ['a parameter', false, 'const f = (p = prompts.XName) => p', '', 'f()'],
  ['a closure', false, 'const f = () => prompts.XName', '', 'f()'],
  ['an annotation', false, 'const p: typeof prompts.XName = prompts.XName', '', 'p'],
  ['a generic', false, 'const id = <T>(v: T): T => v', '', 'id(prompts.XName)'],
  ['satisfies', false, '', '', '(prompts.XName satisfies object)'],
]

/** How code passes values to `P`, the prompt. */
const VALUES: readonly Form[] = [
  ['a literal', true, '', '', "P.render({ ticket: 'T', kept: 'K' })"],
  ['a quoted key', true, '', '', `P.render({ 'ticket': 'T', "kept": 'K' })`],
  ['shorthand', true, '', "const ticket = 'T'; const kept = 'K'", 'P.render({ kept, ticket })'],
  [
    'a comment',
    true,
    '',
    '',
    "P.render({ /* a */ ticket /* b */: /* c */ 'T', // d\n kept: 'K' })",
  ],
  [
    'an effect',
    true,
    'let n = 0; const next = () => ++n',
    '',
    'P.render({ kept: next(), ticket: next() })',
  ],
  ['an adapter', true, '', '', "toOpenAI(P, { ticket: 'T', kept: 'K' })"],
  [
    'a nested call',
    true,
    '',
    '',
    "P.render({ ticket: P.render({ ticket: '1', kept: '2' }).text, kept: 'K' })",
  ],
  ['a spread', false, '', "const v = { ticket: 'T', kept: 'K' }", 'P.render({ ...v })'],
  [
    'a later spread',
    false,
    '',
    "const v = { message: 'U' }",
    "P.render({ ticket: 'T', kept: 'K', ...v })",
  ],
  ['a variable', false, '', "const v = { ticket: 'T', kept: 'K' }", 'P.render(v)'],
  ['an assertion', false, '', '', "P.render({ ticket: 'T', kept: 'K' } as any)"],
  ['a constant assertion', false, '', '', "P.render({ ticket: 'T', kept: 'K' } as const)"],
  [
    'a computed name',
    false,
    '',
    "const k = 'ticket' as const",
    "P.render({ [k]: 'T', kept: 'K' })",
  ],
  ['an accessor', false, '', '', "P.render({ get ticket() { return 'T' }, kept: 'K' })"],
  ['the new name too', false, '', '', "P.render({ ticket: 'T', message: 'U', kept: 'K' })"],
  ['a suppression', false, '', '// @ts-ignore', "P.render({ ticket: 'T', kept: 'K' })"],
  ['a detached render', false, '', '', "P.render.call(undefined, { ticket: 'T', kept: 'K' })"],
  ['an argument list', false, '', '', "P.render(...([{ ticket: 'T', kept: 'K' }] as const))"],
]

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

/** Every access with every way to pass values, in files of several kinds. */
function callSites(): CallSite[] {
  const extensions = ['ts', 'tsx', 'mts', 'ts']
  return ACCESSES.flatMap((access) => VALUES.map((values) => [access, values] as const)).map(
    ([access, values], index): CallSite => {
      const call = values[4].replaceAll(/\bP\b/g, access[4])
      const generic = access[2].includes('<T>')
      const extension = generic ? 'ts' : (extensions[index % extensions.length] ?? 'ts')
      const code = `import { prompts, toOpenAI } from 'virtual:prompts'
${access[2]}
${values[2]}
export const run = async (): Promise<unknown> => {
  void toOpenAI
  ${access[3]}
  ${values[3]}
  const sent: any = ${call}
  return sent.messages
}
`
      return {
        title: `${access[0]}, ${values[0]}`,
        file: `src/s${index}.${extension}`,
        isEdited: access[1] && values[1],
        isAll: ['a computed key', 'a rest'].includes(access[0]),
        code: index % 5 === 0 ? code.replaceAll('\n', '\r\n') : code,
      }
    },
  )
}

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
