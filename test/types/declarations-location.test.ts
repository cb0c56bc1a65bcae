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

/** A tsconfig.json with this text. */
function only(text: string): Record<string, string> {
  return { 'tsconfig.json': text }
}

describe('the folder for declarations', () => {
  test.each([
    { title: 'the own one by default', files: only('{}'), want: '' },
    { title: 'src', files: only('{ "include": ["src"] }'), want: 'src' },
    { title: 'src by a pattern', files: only('{ "include": ["./src/**/*.ts"], }'), want: 'src' },
    { title: 'a folder in a folder', files: only('{ "include": ["web/src/"] }'), want: 'web/src' },
    { title: 'the own one by **', files: only('{ "include": ["**/*"] }'), want: '' },
    { title: 'the own one by *.d.ts', files: only('{ "include": ["src", "*.d.ts"] }'), want: '' },
    { title: 'the own one by .', files: only('{ "include": ["src", "."] }'), want: '' },
    {
      title: 'the own one by name',
      files: only('{ "include": ["src", "prompts.d.ts"] }'),
      want: '',
    },
    { title: 'the own one by files', files: only('{ "files": ["prompts.d.ts"] }'), want: '' },
    {
      title: 'src next to a file',
      files: only('{ "include": ["*.config.ts", "src"] }'),
      want: 'src',
    },
    {
      title: 'what is not excluded',
      files: only('{ "include": ["a", "b"], "exclude": ["a"] }'),
      want: 'b',
    },
    { title: 'src by a reference', files: VITE, want: 'src' },
    { title: 'src by what it extends', files: SVELTE_KIT, want: 'src' },
    { title: 'what several tsconfigs share', files: NUXT, want: 'shared' },
    { title: 'unknown without one', files: {}, want: undefined },
    {
      title: 'unknown if one is missing',
      files: only('{ "extends": "./gone.json" }'),
      want: undefined,
    },
  ])('is $title', async ({ files, want }) => {
    expect(declarationsFolder(await folderWith(files))).toBe(want)
  })
})

describe('declarations', () => {
  const app = { 'src/main.ts': '', 'prompts.d.ts': '' }

  test.each([
    { title: 'are seen without a tsconfig', files: {}, want: true },
    { title: 'are seen if it includes them', files: only('{}'), want: true },
    { title: 'are not seen next to src', files: only('{ "include": ["src"] }'), want: false },
    { title: 'are not seen next to referenced projects', files: VITE, want: false },
    {
      title: 'are seen if a declaration file refers to them',
      files: {
        ...only('{ "include": ["src"] }'),
        'src/vite-env.d.ts': '/// <reference path="../prompts.d.ts" />',
      },
      want: true,
    },
    {
      title: 'may be seen by one that is missing',
      files: only('{ "extends": "./gone.json" }'),
      want: true,
    },
  ])('$title', async ({ files, want }) => {
    const root = await folderWith({ ...app, ...files })
    const advice = declarationsAdvice(root, join(root, 'prompts.d.ts'), 'prompts')
    expect(advice === undefined).toBe(want)
  })
})
