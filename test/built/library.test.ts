import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runBinary } from '../helpers/binary.ts'
import { installedApp, runNode } from '../helpers/installed-app.ts'
import { testService } from '../helpers/local-service.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { TSC } from './installed-commands.ts'

const REPOSITORY = resolve(import.meta.dirname, '../..')
const VITEST = join(REPOSITORY, 'node_modules/vitest/vitest.mjs')
const TRIAGE = { slug: 'support-triage', version: 'v22', system: 'Be {{ tone }}.' }
const run = promisify(execFile)

/** A package of a monorepo that `tsc --build` compiles to `dist/src`, and Vitest tests. */
const LIBRARY = {
  'package.json': JSON.stringify({
    name: 'library',
    version: '1.0.0',
    type: 'module',
    main: 'dist/src/index.js',
    files: ['dist'],
    scripts: { build: 'tsc --build', test: 'vitest run' },
    devDependencies: { vitest: '*', 'unplugin-prompts': '*' },
  }),
  'vitest.config.ts': 'export default {}\n',
  'tsconfig.json': JSON.stringify({
    compilerOptions: { composite: true, module: 'nodenext', strict: true, outDir: 'dist' },
    include: ['src'],
    exclude: ['src/*.test.ts'],
  }),
  'src/index.test.ts': `import { expect, test } from 'vitest'
import { ask } from './index.js'
test('asks', () => expect(ask('calm')).toBe('Be calm.'))
`,
}

test('a library that tsc builds and npm packs has the real files that init sets up', async () => {
  const root = await installedApp({ files: LIBRARY, packages: ['vitest'] })
  const { live: env } = await testService([TRIAGE])
  const { code, stdout } = await runBinary(['init', '--yes'], { cwd: root, env })
  expect(code).toBe(0)
  expect(await readFile(join(root, 'vitest.config.ts'), 'utf8')).toBe(LIBRARY['vitest.config.ts'])
  const [load = ''] = /^ *import .*$/m.exec(stdout) ?? []
  const lines = [
    load,
    'export const ask = (tone: string) => prompts.supportTriage.render({ tone }).text',
  ]
  await writeFile(join(root, 'src/index.ts'), lines.join('\n'))
  expect(await runNode([TSC, '--build'], root)).toMatchObject({ code: 0 })
  expect(await runNode([VITEST, 'run'], root)).toMatchObject({ code: 0 })

  const { stdout: list } = await runBinary(['list', '--usage', '--json'], { cwd: root })
  expect(JSON.parse(list)).toMatchObject({
    usage: { prompts: [{ slug: TRIAGE.slug, sites: [{ file: 'src/index.ts', line: 2 }] }] },
  })

  await run('npm', ['pack', '--silent'], { cwd: root })
  const app = join(await temporaryFolder(), 'app')
  const installed = join(app, 'node_modules/library')
  await mkdir(installed, { recursive: true })
  await run('tar', [
    '-xzf',
    join(root, 'library-1.0.0.tgz'),
    '-C',
    installed,
    '--strip-components=1',
  ])
  // What was packed needs nothing of where it was built.
  await rm(root, { recursive: true })
  await writeFile(
    join(app, 'main.mjs'),
    `import { ask } from 'library'\nconsole.log(ask('calm'))\n`,
  )
  expect(await runNode(['main.mjs'], app)).toMatchObject({ stdout: 'Be calm.\n' })
})
