// Apps without a bundler, from fresh folders made of the pages src/docs/setup/tsc.md and testing.md: every `module`
// of three old versions of TypeScript, Jest with ES modules, ts-jest, tsx, ts-node, esbuild and tsup. Build
// first. Prints a table; exits with 1 when a cell of it fails.
import { join } from 'node:path'
import { readmeSetups } from '../helpers/readme-setups.js'
import { install, pack, write } from './apps/files.js'
import { inFolder } from './apps/folders.js'
import { withService, WORKSPACE } from './apps/lock.js'
import { run, succeed } from './apps/run.js'

const VERSIONS = ['5.0.4', '5.4.5', '5.9.3']
const MODULES = ['commonjs', 'node16', 'nodenext', 'bundler']
const TYPES = ['commonjs', 'module']
const ESM = ['module']
const CJS = ['commonjs']

const pages = Object.fromEntries(readmeSetups().map(({ name, files }) => [name, files]))
const MAIN = pages.tsc['src/main.ts']

/** Code that must not compile: the prompt has another variable. */
const WRONG = `import { prompts } from '../prompts/index.js'
// @ts-expect-error
export const wrong = () => prompts.supportTriage.render({ tickets: 'It beeps', tone: 'calm' })
`
const TYPED_TEST = pages.jest['src/triage.test.js'].replace(
  /const (\{.*\}) = require\((.*)\)/,
  'import $1 from $2',
)
const FROM_VIRTUAL = MAIN.replace('#prompts', 'virtual:prompts')

/** What each tool makes of the app, as a line for a shell. */
const TOOLS = [
  ...VERSIONS.flatMap((version) => MODULES.map((module) => compiled(version, module))),
  {
    tool: 'Jest',
    line: 'NODE_OPTIONS=--experimental-vm-modules jest',
    types: ESM,
    more: { 'src/triage.test.js': TYPED_TEST },
  },
  {
    tool: 'ts-jest',
    line: 'jest --preset ts-jest',
    types: CJS,
    more: { 'src/triage.test.ts': `import { expect, test } from '@jest/globals'\n${TYPED_TEST}` },
  },
  { tool: 'ts-node', line: 'ts-node src/main.ts', types: CJS },
  ...['tsx-4.19.3', 'tsx'].flatMap((tool) => {
    const line = `node ../node_modules/${tool}/dist/cli.mjs`
    const register = `${line} --import unplugin-prompts/register src/main.ts`
    return [
      { tool, line: `${line} src/main.ts` },
      { tool: `${tool} with register`, line: register, more: { 'src/main.ts': FROM_VIRTUAL } },
    ]
  }),
  {
    tool: 'esbuild',
    line: 'esbuild src/main.ts --bundle --platform=node --outfile=out.cjs && node out.cjs',
  },
  { tool: 'tsup', line: 'tsup src/main.ts --format cjs --out-dir out && node out/main.*js' },
]

/** An app that a version of TypeScript compiles, with the tsconfig of the page and another `module`. */
function compiled(version, module) {
  const { compilerOptions, ...rest } = JSON.parse(pages.tsc['tsconfig.json'])
  const kind = module === 'bundler' ? { module: 'esnext', moduleResolution: 'bundler' } : { module }
  // Without the types of Node, which the oldest compiler does not understand.
  const options = { ...compilerOptions, ...kind, types: [] }
  const bundle =
    'esbuild dist/main.js --bundle --platform=node --outfile=dist/main.js --allow-overwrite'
  return {
    tool: `TypeScript ${version}, \`${module}\``,
    // Only a bundler runs ES modules in a package of CommonJS.
    line: `node ../node_modules/typescript-${version}/bin/tsc && ${module === 'bundler' ? `${bundle} && ` : ''}node dist/main.js`,
    // Code of another kind than its package.
    types: module === 'commonjs' ? CJS : TYPES,
    more: {
      'tsconfig.json': JSON.stringify({ ...rest, compilerOptions: options }),
      'src/wrong.ts': WRONG,
      // Its `moduleResolution` does not know `imports`.
      ...(module === 'commonjs' && {
        'src/main.ts': MAIN.replace('#prompts', '../prompts/index.js'),
      }),
    },
  }
}

await inFolder((folder) =>
  withService(WORKSPACE, async (service) => {
    const compilers = VERSIONS.map((version) => `typescript-${version}@npm:typescript@${version}`)
    const tools = ['jest', 'ts-jest', '@jest/globals', 'ts-node', 'tsx', 'esbuild', 'tsup']
    await install(folder, [
      await pack(folder),
      ...compilers,
      'typescript@5.9.3',
      'tsx-4.19.3@npm:tsx@4.19.3',
      ...tools,
    ])
    const PATH = `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`
    const variables = { ...service, PATH }
    console.log('\n| tool | CommonJS | ES modules |\n|---|---|---|')
    for (const [index, row] of TOOLS.entries()) {
      const cells = []
      for (const type of TYPES) {
        const root = join(folder, `${index}-${type}`)
        const isPossible = (row.types ?? TYPES).includes(type)
        cells.push(isPossible ? await tryApp(root, type, row, variables) : '')
      }
      console.log(`| ${row.tool} | ${cells.join(' | ')} |`)
    }
  }),
)

/** Makes an app of the page and pulls; then the line has to print the prompt, or a passed test of it. */
async function tryApp(root, type, { tool, line, more }, variables) {
  const manifest = { ...JSON.parse(pages.tsc['package.json']), type }
  write(root, { ...pages.tsc, 'package.json': JSON.stringify(manifest), ...more })
  await succeed(root, ['prompts', 'pull'], variables)
  const { code, output } = await run(root, ['sh', '-c', line], variables)
  if (code === 0 && /It beeps|Tests: +1 passed/.test(output)) return 'yes'
  process.exitCode = 1
  console.error(`${tool}, ${type}: ${output}`)
  return '**no**'
}
