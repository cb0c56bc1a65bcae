import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { declarationsFolder, tsconfigsWithout } from '../../src/output/declarations-location.ts'
import { folderWith } from '../helpers/cli.ts'

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
  const SERVER = { ...VITE, 'tsconfig.server.json': '{ "include": ["server"] }' }

  test.each<[title: string, files: Given, want: string[], folder?: string]>([
    ['no tsconfig', {}, []],
    ['one that includes all', '{}', []],
    ['one that includes src', '{ "include": ["src"] }', ['tsconfig.json']],
    ['a referenced one', VITE, ['a.json']],
    ['a referenced one with declarations in src', VITE, [], 'src'],
    ['one that nothing refers to', SERVER, ['tsconfig.server.json'], 'src'],
    ['one that can not be read', '{ "extends": "./gone.json" }', []],
    ['one of single files', '{ "include": ["vite.config.ts"] }', []],
  ])('is found: %s', async (_, given, want, folder = '') => {
    const root = await folderWith(filesOf(given))
    const paths = tsconfigsWithout(root, join(root, folder, 'prompts.d.ts'))
    expect(paths.map((path) => relative(root, path))).toEqual(want)
  })
})
