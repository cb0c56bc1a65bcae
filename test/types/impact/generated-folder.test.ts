import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compareLocks } from '../../../src/core/compare.ts'
import { planFix } from '../../../src/plan/fix/plan-fix.ts'
import { findImpact, findUsage } from '../../../src/judge/impact.ts'
import { writeOutDir } from '../../helpers/generated.ts'
import {
  APP_TSCONFIG,
  linesOf,
  locatedApp,
  markedLines,
  unusedIn,
} from '../../helpers/app-folder.ts'
import { liveLock } from '../../helpers/pinned.ts'

const before = liveLock(
  { slug: 'idle', system: 'Nobody reads this' },
  { slug: 'reply', system: 'Answer' },
  { slug: 'triage', system: 'Sort {{ ticket }}' },
)
const after = liveLock(
  { slug: 'idle', system: 'Nobody {{ reads }} this', version: 'v23' },
  { slug: 'reply', system: 'Answer kindly', version: 'v23' },
  { slug: 'triage', system: 'Sort {{ message }}', version: 'v23' },
)

const { compilerOptions } = JSON.parse(APP_TSCONFIG)
const configured = (options: object, include?: readonly string[]): string =>
  JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, include })

const app = (specifier: string, all = `${specifier}/all`): string =>
  `import { prompts } from '${specifier}'
import { triage } from '${all}'
prompts.triage.render({ ticket: 'T' }) // breaks: triage
triage.render({ ticket: 'T' }) // breaks: triage
prompts['reply'].render()
`

const manifest = JSON.stringify({
  type: 'module',
  imports: { '#prompts': './prompts/index.js', '#prompts/all': './prompts/all.js' },
})

/** One app for each way to import the folder `prompts`. */
const APPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'imports of package.json': {
    'package.json': manifest,
    'tsconfig.json': configured({ module: 'nodenext' }, ['src']),
    'src/main.ts': app('#prompts'),
  },
  'imports of package.json, with all files included': {
    'package.json': manifest,
    'tsconfig.json': configured({ allowJs: true }),
    'src/main.ts': app('#prompts'),
  },
  'a relative path': {
    'tsconfig.json': APP_TSCONFIG,
    'src/main.ts': app('../prompts/index.js', '../prompts/all.js'),
  },
  'paths of the tsconfig': {
    'tsconfig.json': configured({ paths: { '~/*': ['./prompts/*'] } }, ['src']),
    'src/main.ts': app('~/index.js', '~/all.js'),
  },
  'JavaScript without a tsconfig': {
    'package.json': manifest,
    'src/main.js': app('#prompts'),
  },
  'JavaScript of CommonJS without a tsconfig': {
    'src/facade.js': `exports.triage = require('../prompts/index.js').prompts.triage\n`,
    'src/main.js': `const { prompts } = require('../prompts/index.js')
prompts.triage.render({ ticket: 'T' }) // breaks: triage
prompts.reply.render()
require('./facade').triage.render({ ticket: 'T' }) // breaks: triage
`,
  },
  'JavaScript that the tsconfig excludes, behind a facade': {
    'tsconfig.json': APP_TSCONFIG,
    'src/facade.ts': `export { prompts } from '../prompts/index.js'\n`,
    'scripts/try.mjs': `import { prompts } from '../src/facade.ts'
prompts.reply.render()
prompts.triage.render({ ticket: 'T' }) // breaks: triage
`,
  },
}

describe.each(Object.entries(APPS))('an app that imports a generated folder by %s', (_, files) => {
  test('is analysed, whether or not an option names the folder', async () => {
    const location = await generatedApp(files)
    const impact = await findImpact({ ...location, before, after })
    expect(linesOf(impact)).toEqual(markedLines(files, 'breaks'))
    const outDir = join(location.root, 'prompts')
    const report = await findUsage({ ...location, outDir, lock: before })
    expect(unusedIn(report)).toEqual(['idle'])
    const sites = report.prompts.flatMap((prompt) => prompt.sites.map(({ file }) => file))
    expect(sites.filter((file) => file.startsWith('prompts'))).toEqual([])
  })
})

test('A folder that is not generated yet is analysed if an option names it', async () => {
  const files = APPS['imports of package.json'] ?? {}
  const location = await locatedApp(files)
  const outDir = join(location.root, 'prompts')
  const impact = await findImpact({ ...location, outDir, before, after })
  expect(linesOf(impact)).toEqual(markedLines(files, 'breaks'))
})

test('The folder of another workspace is left alone', async () => {
  const files = { 'tsconfig.json': APP_TSCONFIG, 'src/main.ts': app('../prompts/index.js') }
  const location = await generatedApp(files, 'billing')
  const report = await findUsage({ ...location, lock: before })
  expect(unusedIn(report)).toEqual(['idle', 'reply', 'triage'])
  const { findings } = await findImpact({ ...location, before, after })
  expect(findings).toEqual([])
})

test('A fix edits the code that imports a generated folder', async () => {
  const files = APPS['a relative path'] ?? {}
  const location = await generatedApp(files)
  const renames = [{ slug: 'triage', from: 'ticket', to: 'message' }] as const
  const changes = compareLocks(before, after)
  const plan = await planFix(before, changes, location, { renames, allowDirty: true })
  expect(plan.left).toEqual([])
  expect(plan.edits.map((file) => file.after)).toEqual([
    files['src/main.ts']?.replaceAll("{ ticket: 'T' }", "{ message: 'T' }"),
  ])
})

async function generatedApp(files: Readonly<Record<string, string>>, name = 'prompts') {
  const location = await locatedApp(files)
  const { root } = location
  await writeOutDir(before, { root, name, folder: join(root, 'prompts') })
  return location
}
