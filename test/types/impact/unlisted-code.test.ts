import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { planModule } from '../../../src/codegen/plan-module.ts'
import { GENERATED_BY } from '../../../src/core/generated.ts'
import { findImpact } from '../../../src/judge/impact.ts'
import { findUnnamedChanges } from '../../../src/judge/named-uses.ts'
import { printOutDir } from '../../../src/output/out-dir.ts'
import { APP_TSCONFIG, installTypes, locationIn } from '../../helpers/app-folder.ts'
import { commitAll, git } from '../../helpers/git-repository.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const used = { slug: 'a', system: 'A {{ x }}' }
const before = liveLock(used, { slug: 'b', system: 'B {{ ticket }}' })
const after = liveLock(used, { slug: 'b', system: 'B {{ message }}', version: 'v2' })

const USE = `import { prompts } from 'virtual:prompts'\nprompts.b.render({ ticket: 1 })\n`

/** An app that uses one prompt, and more files beside it. */
async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  const base = await temporaryFolder({
    'app/.gitignore': 'node_modules\nsrc/gen\n',
    'app/package.json': '{ "type": "module" }',
    'app/src/a.ts': `import { prompts } from 'virtual:prompts'\nprompts.a.render({ x: 1 })\n`,
    'app/tsconfig.json': APP_TSCONFIG,
    ...files,
  })
  await installTypes(join(base, 'app'))
  await installTypes(base)
  return base
}

function requestIn(base: string) {
  return { ...locationIn(join(base, 'app')), before, after }
}

async function breaksIn(base: string): Promise<string[]> {
  const { findings } = await findImpact(requestIn(base))
  return findings.map(({ file, line }) => `${file}:${line}`)
}

const tsconfigWith = (fields: object): string =>
  JSON.stringify({ ...JSON.parse(APP_TSCONFIG), ...fields })

test.each<
  [
    title: string,
    files: Readonly<Record<string, string>>,
    prepare: (app: string) => unknown,
    line: string,
  ]
>([
  [
    'uses an ignored generated folder',
    { 'app/src/b.ts': USE.replace('virtual:prompts', './gen/index.js') },
    generate,
    'src/b.ts:2',
  ],
  [
    'imports an ignored file that exports prompts',
    {
      'app/src/b.ts': USE.replace('virtual:prompts', './gen/all.js'),
      'app/src/gen/all.ts': `export * from 'virtual:prompts'\n`,
    },
    () => undefined,
    'src/b.ts:2',
  ],
  ['is in a repository inside', { 'app/src/lib/b.ts': USE }, inside, 'src/lib/b.ts:2'],
  [
    'is in a repository inside of an app in plain JavaScript',
    { 'app/src/lib/b.js': USE, 'app/tsconfig.json': '{ "files": [] }' },
    inside,
    'src/lib/b.js:2',
  ],
  ['is in a submodule', { 'app/src/lib/b.ts': USE }, submodule, 'src/lib/b.ts:2'],
  [
    'is not compared by git',
    { 'app/.gitattributes': 'src/b.ts -diff\n', 'app/src/b.ts': USE },
    () => undefined,
    'src/b.ts:2',
  ],
  [
    'is left out of the checkout for git',
    { 'app/src/b.ts': USE },
    (app: string) => git(app, 'update-index', '--skip-worktree', 'src/b.ts'),
    'src/b.ts:2',
  ],
  [
    'is included from outside of the repository',
    { 'app/tsconfig.json': tsconfigWith({ include: ['src', '../common'] }), 'common/b.ts': USE },
    () => undefined,
    '../common/b.ts:2',
  ],
  [
    'is included from outside of the repository by its whole path',
    { 'common/b.ts': USE },
    (app: string) => {
      const include = ['src', join(dirname(app), 'common/*.ts')]
      return writeFile(join(app, 'tsconfig.json'), tsconfigWith({ include }))
    },
    '../common/b.ts:2',
  ],
  [
    'is imported from outside of the repository',
    { 'app/src/c.ts': `import './../../common/b'\n`, 'common/b.ts': USE },
    () => undefined,
    '../common/b.ts:2',
  ],
  [
    'is in a folder outside of the repository, behind a link',
    { 'common/b.ts': USE },
    (app: string) => symlink('../../common', join(app, 'src/common')),
    'src/common/b.ts:2',
  ],
  [
    'is in a package outside of the repository, behind a link',
    {
      'app/src/c.ts': `import '@acme/common'\n`,
      'common/b.ts': USE,
      'common/package.json': '{ "name": "@acme/common", "exports": "./b.ts" }',
    },
    async (app: string) => {
      await mkdir(join(app, 'node_modules/@acme'))
      await symlink('../../../common', join(app, 'node_modules/@acme/common'))
    },
    '../common/b.ts:2',
  ],
  [
    'is in the folder of another app, behind a link',
    { 'app/other/prompts.lock.json': '', 'app/other/src/b.ts': USE },
    (app: string) => symlink('../other/src', join(app, 'src/common')),
    'src/common/b.ts:2',
  ],
])('code that %s is compiled', async (_, files, prepare, line) => {
  const base = await folder(files)
  commitAll(join(base, 'app'))
  await prepare(join(base, 'app'))
  expect(await breaksIn(base)).toEqual([line])
})

test('an app whose code git lists needs no compiler, whatever links and ignored files it has', async () => {
  const base = await folder({
    'app/docs/guide.md': '[above](../../elsewhere)\n',
    'app/lib/deep/c.ts': `import '../../src/a'\nconst all = (...names: string[]) => [...names, 'Wait...']\n`,
    'app/src/row.tsx':
      'export const row = <p><a href="/"/><b {...one}/><b {...two}/><b {...three}/></p>\n',
    'app/openapi.json': '{ "paths": { "/tmp": {} } }',
    'app/node_modules/other/index.js': USE,
    'app/node_modules/.store/node_modules/lib/index.js': USE,
    'app/src/gen/client.ts': 'export const client = 1\n',
    'elsewhere/notes.md': USE,
  })
  const app = join(base, 'app')
  await symlink('.store/node_modules/lib', join(app, 'node_modules/lib'))
  await rename(join(app, 'node_modules/unplugin-prompts'), join(base, 'package'))
  await symlink('../../package', join(app, 'node_modules/unplugin-prompts'))
  await symlink('../lib', join(app, 'docs/lib'))
  await symlink('../../elsewhere/notes.md', join(app, 'docs/notes.md'))
  await symlink('nowhere', join(app, 'docs/broken'))
  const declarations = `// ${GENERATED_BY}.\ndeclare module 'virtual:prompts' {}\n`
  await writeFile(join(app, 'src/prompts.d.ts'), declarations)
  commitAll(app)
  expect(await findUnnamedChanges(requestIn(base))).toMatchObject({ findings: [], files: 1 })
})

async function generate(app: string): Promise<void> {
  const folderPath = join(app, 'src/gen')
  const { files } = await printOutDir(planModule(before, 'live'), folderPath, 'prompts')
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}

function inside(app: string): void {
  git(app, 'rm', '-r', '-q', '--cached', 'src/lib')
  commitAll(join(app, 'src/lib'))
}

function submodule(app: string): void {
  inside(app)
  git(app, 'add', 'src/lib')
}
