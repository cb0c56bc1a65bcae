// Apps without a bundler, from fresh folders made of the pages src/docs/setup/{tsc,jest,node}.md: every
// `module` of TypeScript with four versions of it, Jest, ts-jest, tsx, ts-node, esbuild and tsup. Build
// first. Prints a table; exits with 1 when a cell of it fails.
import { join } from 'node:path'
import { readmeSetups } from '../helpers/readme-setups.js'
import { install, pack, write } from './apps/files.js'
import { inFolder } from './apps/folders.js'
import { withService, WORKSPACE } from './apps/lock.js'
import { run, succeed } from './apps/run.js'

const VERSIONS = ['5.0.4', '5.4.5', '5.9.3', '7.0.2']
const MODULES = ['commonjs', 'node16', 'nodenext', 'bundler']
const TYPES = ['commonjs', 'module']

const pages = Object.fromEntries(readmeSetups().map(({ name, ...setup }) => [name, setup]))

/** Code that must not compile: the prompt has another variable. */
const WRONG = `import { prompts } from '../prompts/index.js'
// @ts-expect-error
export const wrong = () => prompts.supportTriage.render({ tickets: 'It beeps', tone: 'calm' })
`

/** Makes an app of a page, and runs the command that pulls. */
async function makeApp(root, { type, page = 'tsc', more = {} }, variables) {
  const { files, commands } = pages[page]
  const manifest = { 'package.json': JSON.stringify({ name: 'app', type }) }
  write(root, { ...files, ...manifest, ...more })
  if (commands.includes('npx prompts pull')) await shell(root, 'npx prompts pull', variables)
}

/** Runs the line of a page; `npx` finds the packages that the folder above has. */
function shell(root, line, variables) {
  const PATH = `${join(root, '../node_modules/.bin')}:${process.env.PATH}`
  const command = line.replaceAll(/\bnpx /g, '')
  return succeed(root, ['sh', '-c', command], { ...variables, PATH })
}

/** The tsconfig of the page with another `module`. */
function tsconfigOf(module, skipLibCheck) {
  const { compilerOptions, ...rest } = JSON.parse(pages.tsc.files['tsconfig.json'])
  const kind = module === 'bundler' ? { module: 'esnext', moduleResolution: 'bundler' } : { module }
  const options = { ...compilerOptions, ...kind, skipLibCheck }
  return JSON.stringify({ ...rest, compilerOptions: options })
}

/** Whether a version of TypeScript compiles an app and the app runs. */
async function compile(folder, name, { version, module, type }, variables) {
  for (const skipLibCheck of [false, true]) {
    const root = join(folder, `${name}-${skipLibCheck}`)
    const more = { 'tsconfig.json': tsconfigOf(module, skipLibCheck), 'src/wrong.ts': WRONG }
    await makeApp(root, { type, more }, variables)
    const tsc = join(folder, `node_modules/typescript-${version}/bin/tsc`)
    const steps = [[process.execPath, tsc]]
    // Only a bundler runs ES modules in a package of CommonJS.
    if (module === 'bundler' && type === 'commonjs')
      steps.push([
        'npx',
        'esbuild',
        'dist/main.js',
        '--bundle',
        '--platform=node',
        '--outfile=main.cjs',
      ])
    const main = steps.length === 1 ? 'dist/main.js' : 'main.cjs'
    const failure = await failureOf(root, [...steps, [process.execPath, main]])
    if (failure !== undefined) return `skipLibCheck ${skipLibCheck}: ${failure}`
  }
  return 'yes'
}

/** The first line of what a step of several says when it fails, or the last prints no prompt. */
async function failureOf(root, steps) {
  let output = ''
  for (const step of steps) {
    const ended = await run(root, step)
    output = ended.output
    if (ended.code !== 0) return output.split('\n').find((line) => /error/i.test(line)) ?? output
  }
  return /It beeps|Tests: +1 passed/.test(output) ? undefined : `no prompt: ${output}`
}

const JEST_TEST = pages.jest.files['src/triage.test.js']
const TYPED_TEST = JEST_TEST.replace(/const (\{.*\}) = require\((.*)\)/, 'import $1 from $2')
const FROM_VIRTUAL = pages.tsc.files['src/main.ts'].replace(
  '../prompts/index.js',
  'virtual:prompts',
)
const REGISTER = '--import unplugin-prompts/register src/main.ts'

/** What each tool makes of the app, as a line for a shell. */
const TOOLS = [
  { tool: 'Jest', page: 'jest', line: 'npx jest', types: ['commonjs'] },
  {
    tool: 'Jest',
    page: 'jest',
    line: 'NODE_OPTIONS=--experimental-vm-modules npx jest',
    types: ['module'],
    more: { 'src/triage.test.js': TYPED_TEST },
  },
  {
    tool: 'ts-jest',
    line: 'npx jest --preset ts-jest',
    types: ['commonjs'],
    more: {
      'src/triage.test.ts': `import { expect, test } from '@jest/globals'\n${TYPED_TEST}`,
    },
  },
  { tool: 'ts-node', line: 'npx ts-node src/main.ts', types: ['commonjs'] },
  ...['tsx-4.19.3', 'tsx'].flatMap((tool) => [
    { tool, line: `node ../node_modules/${tool}/dist/cli.mjs src/main.ts`, types: TYPES },
    {
      tool: `${tool} with register`,
      line: `node ../node_modules/${tool}/dist/cli.mjs ${REGISTER}`,
      types: TYPES,
      more: { 'src/main.ts': FROM_VIRTUAL },
    },
  ]),
  {
    tool: 'esbuild',
    line: 'npx esbuild src/main.ts --bundle --platform=node --outfile=out.cjs && node out.cjs',
    types: TYPES,
  },
  {
    tool: 'tsup',
    line: 'npx tsup src/main.ts --format cjs --out-dir out && node out/main.*js',
    types: TYPES,
  },
  { tool: 'node --import', page: 'node', line: pages.node.commands.at(-1), types: ['module'] },
]

const failed = []

/** A cell of the table. */
function cell(place, text) {
  if (text !== 'yes' && text !== '') failed.push(`${place}: ${text}`)
  return text === 'yes' || text === '' ? text : '**no**'
}

await inFolder((scratch) =>
  withService(WORKSPACE, async (variables) => {
    const archive = await pack(scratch)
    const [compilers, tools] = ['compilers', 'tools'].map((name) => join(scratch, name))
    // Without the types of Node, which the oldest compiler does not understand.
    const aliases = VERSIONS.map((version) => `typescript-${version}@npm:typescript@${version}`)
    await install(compilers, [archive, ...aliases, 'esbuild'])
    await install(tools, [
      archive,
      'typescript@5.9.3',
      'jest',
      'ts-jest',
      '@jest/globals',
      'ts-node',
      'tsx',
      'tsx-4.19.3@npm:tsx@4.19.3',
      'esbuild',
      'tsup',
    ])
    console.log('\n| TypeScript | `module` | CommonJS | ES modules |\n|---|---|---|---|')
    for (const version of VERSIONS) {
      for (const module of MODULES) {
        const cells = []
        for (const type of TYPES) {
          const name = `${version}-${module}-${type}`
          // Code of another kind than its package.
          const isPossible = module !== 'commonjs' || type === 'commonjs'
          const app = { version, module, type }
          const text = isPossible ? await compile(compilers, name, app, variables) : ''
          cells.push(cell(name, text))
        }
        console.log(`| ${version} | \`${module}\` | ${cells.join(' | ')} |`)
      }
    }
    console.log('\n| tool | CommonJS | ES modules |\n|---|---|---|')
    for (const [index, { tool, line, types, ...app }] of TOOLS.entries()) {
      const cells = []
      for (const type of TYPES) {
        const root = join(tools, `${index}-${type}`)
        if (types.includes(type)) await makeApp(root, { ...app, type }, variables)
        const PATH = `export PATH=${join(tools, 'node_modules/.bin')}:$PATH; `
        const steps = [['sh', '-c', PATH + line.replaceAll(/\bnpx /g, '')]]
        const text = types.includes(type) ? ((await failureOf(root, steps)) ?? 'yes') : ''
        cells.push(cell(`${tool}, ${type}`, text))
      }
      console.log(`| ${tool} | ${cells.join(' | ')} |`)
    }
  }),
)

for (const text of failed) console.error(text)
if (failed.length > 0) process.exitCode = 1
