import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import {
  type Files,
  linkPackages,
  newApp,
  numberedLock,
  promptsIn,
  reachableCode,
  readCode,
  runBundle,
  writeApp,
} from './app.ts'
import { buildBun } from './bun.ts'
import { buildAndRun, BUNDLER_NAMES, type BundlerName, BUNDLERS } from './bundlers.ts'
import { ALL, type Case, CASES, NUMBERED } from './cases.ts'
import { jobIn } from './configs.ts'

/** What came of a case: what its app said, and the prompts that were shipped. */
interface Outcome {
  readonly said: unknown
  readonly shipped: readonly number[]
}

/** Cases that are built together, as entries of one build. */
type Group = readonly Case[]

function groupsFor(bundler: BundlerName): Group[] {
  const possible = CASES.filter(({ impossible }) => impossible?.[bundler] === undefined)
  const groups = new Map<unknown, Case[]>()
  for (const each of possible) {
    const { lock = NUMBERED, extra, isAlone = false } = each
    const key = isAlone ? each : JSON.stringify([lock.parts.length, extra])
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  return [...groups.values()]
}

/** Builds the cases of a group at once, each in a folder of its own if there are several. */
async function buildGroup(bundler: BundlerName, group: Group): Promise<ReadonlyMap<Case, Outcome>> {
  const root = join(await temporaryFolder(), 'my app')
  const outDir = join(root, 'out')
  const [{ lock = NUMBERED, extra } = {}] = group
  const apps = group.map((each, index) => appOf(each, group.length === 1 ? '' : `case-${index}/`))
  await writeApp(root, Object.assign({}, ...apps.map(({ files }) => files)), lock)
  const folders = new Set(['', ...apps.map(({ folder }) => folder)])
  await Promise.all([...folders].map((folder) => linkPackages(join(root, folder))))
  const entries = Object.assign({}, ...apps.map((each) => each.entries))
  await BUNDLERS[bundler](jobIn(root, { entries, extra }))
  const built = (name: string): string => join(outDir, `${name}.mjs`)
  const said = await Promise.all(apps.map(({ folder }) => runBundle(built(`${folder}main`))))
  const outcomes = apps.map(async (app, index): Promise<[Case, Outcome]> => {
    const isAlone = group.length === 1
    const code = await (isAlone
      ? readCode(outDir)
      : reachableCode(Object.keys(app.entries).map(built)))
    return [app.case, { said: said[index], shipped: promptsIn(code) }]
  })
  return new Map(await Promise.all(outcomes))
}

/** The app of a case in a folder, which is empty or ends in a slash. */
function appOf(given: Case, folder: string) {
  const inFolder = (names: Files): Files =>
    Object.fromEntries(Object.entries(names).map(([name, path]) => [folder + name, path]))
  const files = inFolder(given.files)
  const named = Object.entries({ main: 'main.js', ...given.entries })
  const entries = inFolder(Object.fromEntries(named.map(([name, file]) => [name, folder + file])))
  return { case: given, folder, files, entries }
}

describe.each(BUNDLER_NAMES)('%s', (bundler) => {
  for (const group of groupsFor(bundler)) {
    let outcomes: ReturnType<typeof buildGroup> | undefined
    test.each(group.map((each) => [each.title, each] as const))('%s', async (_, each) => {
      const outcome = (await (outcomes ??= buildGroup(bundler, group))).get(each)
      expect(outcome?.said).toEqual(JSON.parse(JSON.stringify(each.says)))
      const { ships } = each
      if (each.shipsAll?.[bundler] !== undefined)
        expect(outcome?.shipped).toEqual(expect.arrayContaining([...ALL]))
      else if (ships !== undefined) expect(outcome?.shipped).toEqual(ships)
    })
  }
  const impossible = CASES.flatMap(({ title, impossible: reasons }) => {
    const reason = reasons?.[bundler]
    return reason === undefined ? [] : [[title, reason] as const]
  })
  test.skipIf(impossible.length > 0).each(impossible)('%s (%s)', () => undefined)
})

test.each([
  ['webpack', 4],
  ['Rspack', 10],
  ['Rsbuild', 10],
] as const)(
  '%s keeps only the module with the definition in development and without a minimizer: at most %i of 100',
  async (bundler, most) => {
    const code = `import { prompts } from 'virtual:prompts'\nconsole.log(JSON.stringify(prompts.prompt1.slug))\n`
    const root = await newApp({ 'main.js': code }, numberedLock(100))
    const { ships } = await buildAndRun(bundler, jobIn(root, { minify: false }))
    expect(ships).toContain(1)
    expect(ships.length).toBeLessThanOrEqual(most)
  },
)

test('webpack with 200 prompts in the lock has the prompt of a lazy route in its chunk alone', async () => {
  const use = (name: string): string =>
    `import { prompts } from 'virtual:prompts'\nconsole.log(JSON.stringify(prompts.${name}.render({ name: 'Ada' }).text))\n`
  const files = { 'main.js': `${use('prompt1')}import('./lazy.js')\n`, 'lazy.js': use('prompt2') }
  const root = await newApp(files, numberedLock(200))
  const job = jobIn(root)
  const { ships } = await buildAndRun('webpack', job)
  expect(ships).toEqual([1, 2])
  expect(promptsIn(await readFile(join(job.outDir, 'main.mjs'), 'utf8'))).toEqual([1])
})

/** Files that a bundler reads by their name or by tsconfig.json. Each prints a prompt. */
const SYNTAXES: Readonly<Record<string, readonly [file: string, code: string]>> = {
  'decorators of parameters': [
    'main.ts',
    `const inject = (..._: unknown[]): void => undefined
class Service {
  constructor(@inject readonly name: string) {}
}
console.log(JSON.stringify(prompts.prompt1.render(new Service('Ada')).text))
`,
  ],
  decorators: [
    'main.ts',
    `const log = (..._: unknown[]): void => undefined
class Service {
  @log render(name: string): string {
    return prompts.prompt1.render({ name }).text
  }
}
console.log(JSON.stringify(new Service().render('Ada')))
`,
  ],
  'JSX in `.js`': [
    'main.js',
    `const h = (_, { name }) => prompts.prompt1.render({ name }).text
console.log(JSON.stringify(<p name="Ada" />))
`,
  ],
}

const BUN_CODE: Files = {
  'main.ts': `import { feature } from 'bun:bundle'
import { prompts } from 'virtual:prompts'
const said = [feature('NEW') ? prompts.prompt1 : prompts.prompt2]
if (process.browser) said.push(prompts.prompt3)
else said.push(prompts.prompt4)
console.log(JSON.stringify(said.map(({ slug }) => slug)))
`,
  'macro.ts': `import { slug } from './slug.ts' with { type: 'macro' }
import { prompts } from 'virtual:prompts'
console.log(JSON.stringify([slug(), prompts.prompt1.slug]))
`,
  'slug.ts': `export const slug = (): string => 'from a macro'\n`,
}

test.each([
  ['main.ts', { features: ['NEW'] }, ['prompt-1', 'prompt-4']],
  ['main.ts', { target: 'bun' }, ['prompt-2', 'prompt-4']],
  ['main.ts', { target: 'browser' }, ['prompt-2', 'prompt-3']],
  ['macro.ts', {}, ['from a macro', 'prompt-1']],
])(
  'Bun bundles the prompts of the branches of %s that it keeps with %j',
  async (file, config, says) => {
    const root = await newApp(BUN_CODE, numberedLock(6))
    const job = jobIn(root, { entries: { main: file } })
    await buildBun(job, { ...config, naming: 'main.mjs' })
    expect(await runBundle(join(job.outDir, 'main.mjs'))).toEqual(says)
  },
)

test.each([
  ['esbuild', 'decorators of parameters'],
  ['esbuild', 'decorators'],
  ['Bun', 'decorators of parameters'],
  ['Bun', 'decorators'],
  ['Bun', 'JSX in `.js`'],
] as const)('%s reads an importer with %s', async (bundler, syntax) => {
  const [file = '', code = ''] = SYNTAXES[syntax] ?? []
  const compilerOptions = { experimentalDecorators: true, jsx: 'react', jsxFactory: 'h' }
  const files = {
    [file]: `import { prompts } from 'virtual:prompts'\n${code}`,
    'tsconfig.json': JSON.stringify({ compilerOptions }),
  }
  const root = await newApp(files, numberedLock(3))
  const { ships } = await buildAndRun(bundler, jobIn(root, { entries: { main: file } }))
  expect(ships).toEqual([1])
})
