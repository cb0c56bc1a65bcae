import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AppLocation } from '../../../src/judge/app.ts'
import { findImpact, findUsage } from '../../../src/judge/impact.ts'
import {
  APP_TSCONFIG,
  installTypes,
  linesOf,
  locationIn,
  markedLines,
  unusedIn,
} from '../../helpers/app-folder.ts'
import { commitAll } from '../../helpers/git-repository.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { type Files, temporaryFolder } from '../../helpers/temporary-folder.ts'

const before = liveLock({ slug: 'old', system: 'Answer {{ x }}' })
const after = liveLock({ slug: 'old', system: 'Answer {{ y }}', version: 'v2' })

const IMPORT = `import { prompts } from 'virtual:prompts'\n`

const tsconfigWith = (options: object, fields: object = {}): string => {
  const { compilerOptions, include } = JSON.parse(APP_TSCONFIG)
  return JSON.stringify({ compilerOptions: { ...compilerOptions, ...options }, include, ...fields })
}

const PACKAGE = `{ "name": "@acme/lib", "type": "module", "exports": "./src/index.ts" }`
const USE = `${IMPORT}prompts.old.render({ x: '' }) // breaks: old\n`
const EXPORT = `${IMPORT}export const triage = prompts.old\n`
const MAIN = `import { triage } from '@acme/lib'\ntriage.render({ x: '' }) // breaks: old\n`

const REFERENCES = { references: [{ path: '../../packages/lib' }] }
const PROJECT: Files = {
  'apps/web/tsconfig.json': tsconfigWith({}, REFERENCES),
  'apps/web/src/main.ts': MAIN,
  'packages/lib/package.json': `{ "name": "@acme/lib", "exports": "./dist/index.js" }`,
  'packages/lib/tsconfig.json': tsconfigWith({
    composite: true,
    noEmit: false,
    rootDir: 'src',
    outDir: 'dist',
  }),
  'packages/lib/src/index.ts': EXPORT,
  'packages/lib/src/use.ts': USE,
}

/** Files of an app in `apps/web`, and of a package that it finds through a link in node_modules. */
const WAYS: Readonly<Record<string, Files>> = {
  'uses prompts': {
    'apps/web/src/main.ts': `import '@acme/lib'\n`,
    'packages/lib/src/index.ts': USE,
  },
  'exports one': { 'apps/web/src/main.ts': MAIN, 'packages/lib/src/index.ts': EXPORT },
  'exports one through another of its files': {
    'apps/web/src/main.ts': MAIN,
    'packages/lib/src/index.ts': `export * from './triage.js'\n`,
    'packages/lib/src/triage.ts': EXPORT,
  },
  'keeps its link': {
    'apps/web/tsconfig.json': tsconfigWith({ preserveSymlinks: true }),
    'apps/web/src/main.ts': MAIN,
    'packages/lib/src/index.ts': EXPORT,
  },
  'is a project of its own': PROJECT,
  'is a project whose output is older': {
    ...PROJECT,
    'apps/web/tsconfig.json': tsconfigWith(
      { disableSourceOfProjectReferenceRedirect: true },
      REFERENCES,
    ),
    'packages/lib/dist/index.d.ts': `export declare const triage: { render(values: { x: string }): void }\n`,
  },
  'is JavaScript': {
    'apps/web/tsconfig.json': tsconfigWith({ allowJs: true }),
    'apps/web/src/main.ts': MAIN,
    'packages/lib/package.json': PACKAGE.replace('.ts', '.js'),
    'packages/lib/src/index.js': EXPORT,
  },
  'is JavaScript, as the app is, without a tsconfig': {
    'apps/web/tsconfig.json': '{ "files": [] }',
    'apps/web/src/main.js': MAIN,
    'packages/lib/package.json': PACKAGE.replace('.ts', '.js'),
    'packages/lib/src/index.js': EXPORT,
  },
  'has global types': {
    'apps/web/tsconfig.json': tsconfigWith({ types: ['@acme/lib'] }),
    'apps/web/src/main.ts': `all.old.render({ x: '' }) // breaks: old\n`,
    'packages/lib/package.json': `{ "name": "@acme/lib", "types": "./index.d.ts" }`,
    'packages/lib/index.d.ts': `declare const all: import('virtual:prompts').Prompts\n`,
  },
}

/** The folder in which the check runs, and the other apps of the lock. */
type Roots = readonly [root: string, ...others: readonly string[]]

describe('code of a package of the monorepo is code of the app', () => {
  test.each(Object.entries(WAYS))('if it %s', async (_, way) => {
    await expectBreaks(way, ['apps/web'])
  })

  test.each<{ roots: Roots }>([
    { roots: ['apps/web', 'packages/lib'] },
    { roots: ['.', 'apps/web', 'packages/lib'] },
  ])('in a check of $roots', async ({ roots }) => {
    await expectBreaks(WAYS['exports one'] ?? {}, roots)
  })

  test('that counts as a user of prompts', async () => {
    const base = await monorepo({ ...FILES, ...WAYS['uses prompts'] })
    const report = await findUsage({ ...locationsIn(base, ['apps/web']), lock: before })
    expect(unusedIn(report)).toEqual([])
  })
})

const FILES = {
  '.gitignore': 'node_modules\ndist\n',
  'apps/web/package.json': '{ "type": "module" }',
  'apps/web/tsconfig.json': APP_TSCONFIG,
  'packages/lib/package.json': PACKAGE,
}

async function expectBreaks(way: Files, roots: Roots): Promise<void> {
  const files = { ...FILES, ...way }
  const base = await monorepo(files)
  const report = await findImpact({ ...locationsIn(base, roots), before, after })
  const lines = linesOf(report).map((line) => join(roots[0], line))
  expect(lines.toSorted()).toEqual(markedLines(files, 'breaks'))
}

async function monorepo(files: Files): Promise<string> {
  const base = await temporaryFolder(files)
  await installTypes(base)
  commitAll(base)
  const scope = join(base, 'apps/web/node_modules/@acme')
  await mkdir(scope, { recursive: true })
  await symlink('../../../../packages/lib', join(scope, 'lib'))
  return base
}

function locationsIn(base: string, [root, ...others]: Roots): AppLocation {
  const lockPath = join(base, 'prompts.lock.json')
  const locate = (path: string): AppLocation => ({ ...locationIn(join(base, path)), lockPath })
  return { ...locate(root), others: others.map(locate) }
}
