import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeOutDir } from '../../helpers/generated.ts'
import { compile } from '../../helpers/compile-strictly.js'
import { installedApp, runNode } from '../../helpers/installed-app.ts'
import { liveLock } from '../../helpers/pinned.ts'

const LOCK = liveLock(
  { slug: 'support-triage', system: 'Be {{ tone }}.', user: '{{ ticket }}', version: 'v7' },
  { slug: 'unused' },
)
const REPOSITORY = resolve(import.meta.dirname, '../../..')
const VITEST = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')

type Files = Readonly<Record<string, string>>

/** An app with the folder that `prompts generate --out-dir prompts` makes. */
async function appWithFiles(files: Files, packages: readonly string[] = []): Promise<string> {
  const root = await installedApp({ files, lock: LOCK, packages })
  await writeOutDir(LOCK, { root, folder: join(root, 'prompts') })
  return root
}

const CALL = `prompts.supportTriage.render({ ticket: 'It beeps', tone: 'calm' }).text`
const CHECK = `test('renders', () => { expect(${CALL}).toBe('Be calm.\\n\\nIt beeps') })\n`

describe('the files of prompts generate', () => {
  test('run in Vitest without the plugin, also as CommonJS', async () => {
    const root = await appWithFiles(
      {
        'package.json': '{ "type": "commonjs" }',
        'src/triage.test.mjs': `import { expect, test } from 'vitest'\nimport { prompts } from '../prompts/index.js'\n${CHECK}`,
      },
      ['vitest'],
    )
    const args = [VITEST, 'run', '--root', root]
    const { stdout, stderr } = await runNode(args, root, { NO_COLOR: '1' })
    expect(stdout + stderr).toMatch(/Tests +1 passed/)
  })

  test.each(['commonjs', 'module', undefined])(
    'can be imported and required in Node in a package of type %s, without a warning',
    async (type) => {
      const root = await appWithFiles({
        'package.json': JSON.stringify({ type, imports: { '#prompts': './prompts/index.js' } }),
        'app.cjs': `const { prompts } = require('#prompts')\nconsole.log(${CALL})\n`,
        'app.mjs': `import { prompts } from '#prompts'\nconsole.log(${CALL})\n`,
      })
      const ended = { stdout: 'Be calm.\n\nIt beeps\n', stderr: '', code: 0 }
      expect(await runNode(['app.mjs'], root)).toEqual(ended)
      // Node 22.12 warns of a `require` of ES modules.
      const stderr = type === 'module' ? expect.any(String) : ''
      expect(await runNode(['app.cjs'], root)).toEqual({ ...ended, stderr })
    },
  )

  test.each([
    { module: 'nodenext', type: 'module' },
    { module: 'node16', type: 'commonjs' },
    { module: 'commonjs', type: undefined },
    { module: 'esnext', type: 'module' },
  ])('compile and run under tsc 6 and 7 with $module in a package of type $type', async (given) => {
    const compilerOptions = {
      module: given.module,
      ...(given.module === 'esnext' ? { moduleResolution: 'bundler' } : {}),
      target: 'es2022',
      strict: true,
      rootDir: 'src',
      outDir: 'dist',
      skipDefaultLibCheck: true,
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
      expect(await compile(root, compiler)).toBe('')
      const { stdout: said } = await runNode(['--no-warnings', 'dist/main.js'], root)
      expect(said).toBe('Be calm.\n\nIt beeps v7 true\n')
    }
  })
})
