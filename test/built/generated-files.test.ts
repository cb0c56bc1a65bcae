import { join, resolve } from 'node:path'
import type { Config } from 'jest'
import { describe, expect, test } from 'vitest'
import { writeOutDir } from '../../src/features/generate/out-dir.ts'
import { installedApp, runNode } from '../helpers/installed-app.ts'
import { liveLock } from '../helpers/pinned.ts'

const LOCK = liveLock(
  { slug: 'support-triage', system: 'Be {{ tone }}.', user: '{{ ticket }}', version: 'v7' },
  { slug: 'unused' },
)
const REPOSITORY = resolve(import.meta.dirname, '../..')
const JEST = join(REPOSITORY, 'node_modules/jest/bin/jest.js')
const VITEST = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')

type Files = Readonly<Record<string, string>>

/** An app with the folder that `prompts generate --out-dir prompts` makes. */
async function appWithFiles(files: Files, packages: readonly string[] = []): Promise<string> {
  const root = await installedApp({ files, lock: LOCK, packages })
  await writeOutDir(LOCK, { root, name: 'prompts', folder: join(root, 'prompts') })
  return root
}

const CALL = `prompts.supportTriage.render({ ticket: 'It beeps', tone: 'calm' }).text`
const CHECK = `test('renders', () => { expect(${CALL}).toBe('Be calm.\\n\\nIt beeps') })\n`

describe('the files of prompts generate', () => {
  test('run in Jest as CommonJS, after the transform of the app', async () => {
    const config: Config = { transform: { '\\.[jt]s$': './to-commonjs.js' } }
    const root = await appWithFiles(
      {
        'package.json': '{ "private": true, "type": "commonjs" }',
        'jest.config.json': JSON.stringify(config),
        'to-commonjs.js': `const { transformSync } = require('esbuild')
exports.process = (code, path) => transformSync(code, { format: 'cjs', loader: path.endsWith('ts') ? 'ts' : 'js', sourcefile: path })\n`,
        'src/triage.test.js': `import { prompts } from '../prompts/index.js'\n${CHECK}`,
      },
      ['esbuild'],
    )
    const { stderr, code } = await runNode([JEST, '--rootDir', root], root)
    expect(stderr).toMatch(/Tests: +1 passed/)
    expect(code).toBe(0)
  })

  test('run in Vitest without the plugin', async () => {
    const root = await appWithFiles(
      {
        'src/triage.test.js': `import { expect, test } from 'vitest'\nimport { prompts } from '../prompts/index.js'\n${CHECK}`,
      },
      ['vitest'],
    )
    const { stdout, stderr } = await runNode([VITEST, 'run', '--root', root], root, {
      NO_COLOR: '1',
    })
    expect(stdout + stderr).toMatch(/Tests +1 passed/)
  })

  describe.each(['commonjs', 'module', undefined])('in a package of type %s', (type) => {
    const manifest = JSON.stringify({ type, imports: { '#prompts': './prompts/index.js' } })

    test('can be required by CommonJS in Node', async () => {
      const root = await appWithFiles({
        'package.json': manifest,
        'app.cjs': `const { prompts } = require('#prompts')\nconsole.log(${CALL})\n`,
      })
      expect(await runNode(['app.cjs'], root)).toMatchObject({
        stdout: 'Be calm.\n\nIt beeps\n',
        code: 0,
      })
    })

    test('can be imported in Node, without a warning', async () => {
      const root = await appWithFiles({
        'package.json': manifest,
        'app.mjs': `import { prompts } from '#prompts'\nconsole.log(${CALL})\n`,
      })
      expect(await runNode(['app.mjs'], root)).toEqual({
        stdout: 'Be calm.\n\nIt beeps\n',
        stderr: '',
        code: 0,
      })
    })
  })

  test.each([
    { title: 'nodenext, an ES module', options: { module: 'nodenext' }, type: 'module' },
    { title: 'nodenext, CommonJS by no type', options: { module: 'nodenext' }, type: undefined },
    { title: 'nodenext, CommonJS', options: { module: 'nodenext' }, type: 'commonjs' },
    {
      title: 'bundler',
      options: { module: 'esnext', moduleResolution: 'bundler' },
      type: 'module',
    },
  ])('compile and run under tsc 6 and 7, as it resolves modules: $title', async (given) => {
    const compilerOptions = {
      ...given.options,
      target: 'es2022',
      strict: true,
      rootDir: 'src',
      outDir: 'dist',
      // Without the types of Node and of browsers, which take long to check.
      types: [],
      lib: ['es2022'],
    }
    const wrong = `// @ts-expect-error -- tone is missing\nexport const wrong = (): unknown => prompts.supportTriage.render({ ticket: 'x' })\n`
    const root = await appWithFiles({
      'package.json': JSON.stringify({
        type: given.type,
        imports: { '#prompts': './prompts/index.js' },
      }),
      'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
      'src/main.ts': `declare const console: { log(...values: unknown[]): void }\nimport { prompts } from '#prompts'\nimport { prompts as same } from '../prompts/index.js'\nimport { supportTriage } from '../prompts/all.js'\nconst version: string = prompts.supportTriage.version\n${wrong}console.log(${CALL}, version, same === prompts && supportTriage === prompts.supportTriage)\n`,
    })
    for (const compiler of ['typescript', 'typescript-7']) {
      const tsc = join(REPOSITORY, 'node_modules', compiler, 'bin/tsc')
      const { stdout, code } = await runNode([tsc, '--project', root, '--pretty', 'false'], root)
      expect({ stdout, code }).toEqual({ stdout: '', code: 0 })
      const { stdout: said } = await runNode(['--no-warnings', 'dist/main.js'], root)
      expect(said).toBe('Be calm.\n\nIt beeps v7 true\n')
    }
  })
})
