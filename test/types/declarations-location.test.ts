import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  declarationsAdvice,
  declarationsFolder,
} from '../../src/features/generate/declarations-location.ts'
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

describe('declarations', () => {
  const app = { 'src/main.ts': '', 'prompts.d.ts': '' }

  test.each<[title: string, files: Given, want: boolean]>([
    ['are seen without a tsconfig', {}, true],
    ['are seen if it includes them', '{}', true],
    ['are not seen next to src', '{ "include": ["src"] }', false],
    ['are not seen next to referenced projects', VITE, false],
    [
      'are seen if a declaration file refers to them',
      {
        'tsconfig.json': '{ "include": ["src"] }',
        'src/vite-env.d.ts': '/// <reference path="../prompts.d.ts" />',
      },
      true,
    ],
    ['may be seen by one that is missing', '{ "extends": "./gone.json" }', true],
  ])('%s', async (_, given, want) => {
    const root = await folderWith({ ...app, ...filesOf(given) })
    const advice = declarationsAdvice(root, join(root, 'prompts.d.ts'), 'prompts')
    expect(advice === undefined).toBe(want)
  })
})
