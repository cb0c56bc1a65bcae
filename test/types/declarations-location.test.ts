import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  declarationsFolder,
  findBlindProjects,
} from '../../src/features/generate/declarations-location.ts'
import { folderWith } from '../helpers/cli.ts'
import { git } from '../helpers/git-repository.ts'

const VITE = {
  'tsconfig.json':
    '{ "files": [], "references": [{ "path": "./a.json" }, { "path": "./n.json" }] }',
  'a.json': '/* app */ { "include": ["src"] }',
  'n.json': '{ "include": ["vite.config.ts"] }',
}
const SVELTE_KIT = {
  'tsconfig.json': '{ "extends": "./.svelte-kit/tsconfig.json" }',
  '.svelte-kit/tsconfig.json':
    '{ "include": ["ambient.d.ts", "../vite.config.ts", "../src/**/*.ts"] }',
}
const NUXT = {
  'tsconfig.json':
    '{ "files": [], "references": [{ "path": "./.nuxt/app.json" }, { "path": "./.nuxt/server.json" }] }',
  '.nuxt/app.json': '{ "include": ["../app/**/*", "../shared/**/*.d.ts", "../*.d.ts"] }',
  '.nuxt/server.json':
    '{ "include": ["./types/nitro.d.ts", "../server/**/*", "../shared/**/*.d.ts"] }',
}

/** Files, or the text of the only `tsconfig.json`. */
type Given = string | Readonly<Record<string, string>>

function filesOf(given: Given): Readonly<Record<string, string>> {
  return typeof given === 'string' ? { 'tsconfig.json': given } : given
}

describe('the folder for declarations', () => {
  test.each<[title: string, files: Given, want: string | undefined]>([
    ['the own one by default', '{}', ''],
    ['src', '{ "include": ["src"] }', 'src'],
    ['src by a pattern', '{ "include": ["./src/**/*.ts"], }', 'src'],
    ['a folder in a folder', '{ "include": ["web/src/"] }', 'web/src'],
    ['the own one by **', '{ "include": ["**/*"] }', ''],
    ['the own one by *.d.ts', '{ "include": ["src", "*.d.ts"] }', ''],
    ['the own one by .', '{ "include": ["src", "."] }', ''],
    ['the own one by name', '{ "include": ["src", "prompts.d.ts"] }', ''],
    ['the own one by files', '{ "files": ["prompts.d.ts"] }', ''],
    ['src next to a file', '{ "include": ["*.config.ts", "src"] }', 'src'],
    ['what is not excluded', '{ "include": ["a", "b"], "exclude": ["a"] }', 'b'],
    ['src by a reference', VITE, 'src'],
    ['src by what it extends', SVELTE_KIT, 'src'],
    ['what several tsconfigs share', NUXT, 'shared'],
    ['unknown without one', {}, undefined],
    ['unknown if one is missing', '{ "extends": "./gone.json" }', undefined],
  ])('is %s', async (_, given, want) => {
    expect(declarationsFolder(await folderWith(filesOf(given)))).toBe(want)
  })
})

describe('a TypeScript project without the declarations', () => {
  const MAIN = "import { prompts } from 'virtual:prompts'\n"
  const app = { 'src/main.ts': `// later\n${MAIN}` }
  const SERVER = {
    ...VITE,
    'tsconfig.server.json': '{ "include": ["server"] }',
    'server/api.ts': MAIN,
  }

  /** The tsconfigs with their missing entries and first importers, for `prompts.d.ts` in a folder. */
  async function blindProjects(given: Given, folder = ''): Promise<string[]> {
    const root = await folderWith(filesOf(given))
    const projects = await findBlindProjects(root, join(root, folder, 'prompts.d.ts'), 'prompts')
    return projects.map(({ tsconfig, entry, importer }) => {
      const place = importer && ` ${relative(root, importer.path)}:${importer.line}`
      return `${relative(root, tsconfig)} ${entry}${place ?? ''}`
    })
  }

  test.each<[title: string, files: Given, want: string[], folder?: string]>([
    ['no tsconfig', app, []],
    ['one that includes all', { ...app, 'tsconfig.json': '{}' }, []],
    [
      'one that includes src',
      { ...app, 'tsconfig.json': '{ "include": ["src"] }' },
      ['tsconfig.json prompts.d.ts src/main.ts:2'],
    ],
    ['a referenced one', { ...app, ...VITE }, ['a.json prompts.d.ts src/main.ts:2']],
    ['a referenced one with declarations in src', { ...app, ...VITE }, [], 'src'],
    [
      'one with a name of its own that nothing refers to',
      { ...app, ...SERVER },
      ['tsconfig.server.json src/prompts.d.ts server/api.ts:1'],
      'src',
    ],
    [
      'one beside the importer',
      { ...VITE, 'server/tsconfig.json': '{}', 'server/src/api.ts': MAIN },
      ['server/tsconfig.json ../src/prompts.d.ts server/src/api.ts:1'],
      'src',
    ],
    [
      'one with files that nothing else includes',
      { ...app, 'tsconfig.json': '{ "files": ["src/main.ts"] }' },
      ['tsconfig.json prompts.d.ts src/main.ts:2'],
    ],
    [
      'one whose declaration file refers to them',
      {
        ...app,
        'tsconfig.json': '{ "include": ["src"] }',
        'src/vite-env.d.ts': '/// <reference path="../prompts.d.ts" />',
      },
      [],
    ],
    [
      'one whose importer refers to them',
      {
        'src/main.ts': `/// <reference path="../prompts.d.ts" />\n${MAIN}`,
        'tsconfig.json': '{ "include": ["src"] }',
      },
      [],
    ],
    ['one that can not be read', { ...app, 'tsconfig.json': '{ "extends": "./gone.json" }' }, []],
    [
      'one whose imports are comments and mocks',
      {
        'src/main.test.ts': `// ${MAIN} * ${MAIN}vi.mock('virtual:prompts')\n`,
        'src/other.ts': "import { prompts } from 'virtual:prompts-of-others'\n",
        'tools/main.ts': MAIN,
        'tsconfig.json': '{ "include": ["src"] }',
      },
      [],
    ],
    [
      'one of an app below with a lock of its own',
      {
        'apps/web/prompts.lock.json': '{}',
        'apps/web/main.ts': MAIN,
        'apps/web/tsconfig.json': '{}',
        'tsconfig.json': '{}',
      },
      [],
    ],
    [
      'those with code in folders while nothing imports the module',
      { ...SERVER, 'server/api.ts': '', 'src/main.ts': '' },
      ['tsconfig.server.json src/prompts.d.ts'],
      'src',
    ],
    [
      'dynamic imports',
      { 'a.ts': "await import('virtual:prompts/all')", 'tsconfig.json': '{ "files": ["a.ts"] }' },
      ['tsconfig.json prompts.d.ts a.ts:1'],
    ],
  ])('is found: %s', async (_, given, want, folder) => {
    expect(await blindProjects(given, folder)).toEqual(want)
  })

  test('is found by its code where git can not search', async () => {
    const files = { ...app, 'tsconfig.json': '{ "include": ["src"] }', '.git/HEAD': '' }
    expect(await blindProjects(files)).toEqual(['tsconfig.json prompts.d.ts src/main.ts:2'])
  })

  test('is not found by code that git ignores', async () => {
    const files = { ...app, 'tsconfig.json': '{}', 'gen/tsconfig.json': '{}', 'gen/a.ts': MAIN }
    const root = await folderWith({ ...files, '.gitignore': 'gen\n' })
    const blind = async (): Promise<number> =>
      (await findBlindProjects(root, join(root, 'prompts.d.ts'), 'prompts')).length
    expect(await blind()).toBe(1)
    git(root, 'init', '--quiet')
    expect(await blind()).toBe(0)
  })
})
