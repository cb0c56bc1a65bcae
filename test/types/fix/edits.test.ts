import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { compareLocks } from '../../../src/core/compare.ts'
import type { Lock } from '../../../src/core/prompt.ts'
import { planFix } from '../../../src/plan/fix/plan-fix.ts'
import { readRenames } from '../../../src/plan/fix/renames.ts'
import runtime from '../../../src/runtime/index.ts?text'
import { APP_TSCONFIG, locatedApp } from '../../helpers/app-folder.ts'
import { folderWith } from '../../helpers/cli.ts'
import { importNatively } from '../../helpers/native-import.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { printModules } from '../../helpers/run-modules.ts'

type Form = readonly [title: string, head: string, inside: string, code: string]

/** How code gets a prompt: statements of the module and of the function, and the expression. */
const ACCESSES: readonly Form[] = [
  ['a member', '', '', 'prompts.XName'],
  ['a quoted slug', '', '', "prompts['X']"],
  ['a quoted identifier', '', '', 'prompts["XName"]'],
  ['a template key', '', '', 'prompts[`X`]'],
  ['parentheses', '', '', '(prompts.XName)'],
  ['a constant', 'const p = prompts.XName', '', 'p'],
  ['an exported constant', 'export const p = prompts.XName', '', 'p'],
  ['a pattern', '', 'const { XName } = prompts', 'XName'],
  ['a renaming pattern', '', 'const { XName: p } = prompts', 'p'],
  ['a quoted pattern', '', "const { 'X': p } = prompts", 'p'],
  ['an alias', 'const all = prompts', '', 'all.XName'],
  ['a namespace', "import * as ns from 'virtual:prompts'", '', 'ns.prompts.XName'],
  ['an aliased import', "import { prompts as q } from 'virtual:prompts'", '', 'q.XName'],
  ['a dynamic import', '', "const { prompts: q } = await import('virtual:prompts')", 'q.XName'],
  ['an awaited import', '', '', "(await import('virtual:prompts')).prompts.XName"],
  ['shadowing', '', '{ const prompts = { XName: 1 }; void prompts.XName }', 'prompts.XName'],
]

/** How code passes values to `P`, the prompt. */
const VALUES: readonly Form[] = [
  ['a literal', '', '', "P.render({ ticket: 'T', kept: 'K' })"],
  ['a quoted key', '', '', `P.render({ 'ticket': 'T', "kept": 'K' })`],
  ['shorthand', '', "const ticket = 'T'; const kept = 'K'", 'P.render({ kept, ticket })'],
  ['a comment', '', '', "P.render({ /* a */ ticket /* b */: /* c */ 'T', // d\n kept: 'K' })"],
  [
    'an effect',
    'let n = 0; const next = () => ++n',
    '',
    'P.render({ kept: next(), ticket: next() })',
  ],
  [
    'an adapter with options',
    "import { toAnthropic } from 'virtual:prompts'",
    '',
    "toAnthropic(P, { ticket: 'T', kept: 'K' }, { cache: true })",
  ],
  [
    'an adapter and a nested call',
    '',
    '',
    "toOpenAI(P, { ticket: P.render({ ticket: '1', kept: '2' }).text, kept: 'K' })",
  ],
]

/** A module of an app that renders a prompt of its own in `run`. In every other one, the prompt is renamed too. */
interface Site {
  readonly title: string
  readonly file: string
  /** In `Form`, `X` is the slug and `XName` the identifier of the prompt. */
  readonly code: string
  readonly old: string
  readonly now: string
}

/** Every access with every way to pass values, in files of several kinds. */
const SITES: readonly Site[] = ACCESSES.flatMap((access) =>
  VALUES.map((values) => [access, values] as const),
).map(([[access, head, before, prompt], [way, variables, inside, call]], index) => {
  const [old, now] = [`x-${index}`, index % 2 === 0 ? `x-${index}` : `new-${index}`]
  const names: Readonly<Record<string, string>> = { XName: `x${index}`, X: old }
  const code = `import { prompts, toOpenAI } from 'virtual:prompts'
${head}
${variables}
export const run = async (): Promise<unknown> => {
  void toOpenAI
  ${before}
  ${inside}
  const sent: any = ${call.replaceAll(/\bP\b/g, prompt)}
  return sent.system ?? sent.messages
}
`.replaceAll(/\b(?:XName|X)\b/g, (name) => names[name] ?? name)
  return {
    title: `${access}, ${way}`,
    file: `src/s${index}.${['ts', 'tsx', 'mts', 'ts'][index % 4]}`,
    code: index % 5 === 0 ? code.replaceAll('\n', '\r\n') : code,
    old,
    now,
  }
})

function lockOf(name: 'old' | 'now', variable: string): Lock {
  const version = name === 'old' ? 'v22' : 'v23'
  const system = `Sort {{ ${variable} }} for {{ kept }}`
  return liveLock(...SITES.map((site) => ({ slug: site[name], system, version })))
}

test('every call site that a fix can edit is edited, and sends the same to a model as before', async () => {
  const files = Object.fromEntries(SITES.map(({ file, code }) => [file, code]))
  const { compilerOptions, include } = JSON.parse(APP_TSCONFIG) as Record<string, object>
  const options = { ...compilerOptions, jsx: 'react', lib: ['es2023'] }
  const tsconfig = JSON.stringify({ compilerOptions: options, include })
  const location = await locatedApp({ 'tsconfig.json': tsconfig, ...files })
  const [before, after] = [lockOf('old', 'ticket'), lockOf('now', 'message')]
  const changes = compareLocks(before, after)
  const values = SITES.flatMap(({ old, now }) => [
    `${now}:ticket=message`,
    ...(old === now ? [] : [`${old}=${now}`]),
  ])
  const request = { renames: readRenames(values, changes), allowDirty: true }
  const plan = await planFix(before, changes, location, request)
  const left = new Set(plan.left.map(({ change }) => change.slug))
  expect(SITES.filter(({ old }) => left.has(old)).map(({ title }) => title)).toEqual([])
  const fixed = Object.fromEntries(
    plan.edits.map(({ path, after: text }) => [relative(location.root, path), text]),
  )
  expect(await sentTexts({ ...files, ...fixed }, after)).toEqual(await sentTexts(files, before))
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
