import { describe, expect, test } from 'vitest'
import {
  addIgnored,
  addPlugin,
  addEntries,
  addPacked,
} from '../../../../src/features/init/edit-code.ts'

/** Whether an edit adds what stands between marks, and changes nothing the second time. */
function expectAdded(text: string, edit: (text: string) => string | undefined): void {
  const want = text.replaceAll(/[«»]/g, '')
  expect(edit(text.replaceAll(/«[^»]*»/g, ''))).toBe(want)
  expect(edit(want)).toBe(want)
}

function addVite(text: string): string | undefined {
  return addPlugin('vite.config.ts', text, { specifier: 'unplugin-prompts/vite', list: 'plugins' })
}

describe('addPlugin', () => {
  const line = "«import prompts from 'unplugin-prompts/vite'\n»"
  const first = `${line}«\n»`

  test.each([
    [
      'a list on one line',
      `import { a } from 'vite'\nimport b from 'b'\n${line}\n// docs\nexport default a({ plugins: [b()«, prompts()»] })\n`,
    ],
    [
      'a list on several lines, with its remarks',
      'import a from "a";\n«import prompts from "unplugin-prompts/vite";\n»export default {\n  plugins: [\n    a(), // first\n    b(), // last\n«    prompts(),\n»  ],\n};\n',
    ],
    [
      'a list without a trailing comma',
      `${first}export default {\n\tplugins: [\n\t\ta()«,» // last\n«\t\tprompts()\n»\t],\n}\n`,
    ],
    ['an empty list', `${first}export default { plugins: [«prompts()»] }\n`],
    [
      'a configuration without plugins',
      `${first}export default {\n  base: '/',\n«  plugins: [prompts()],\n»}\n`,
    ],
    [
      'an empty configuration',
      `import { defineConfig } from 'vite'\n${line}\nexport default defineConfig({«\n  plugins: [prompts()],\n»})\n`,
    ],
    [
      'a constant that is exported below',
      `${first}/** @type {import('x').C} */\nconst config = { plugins: [a()«, prompts()»] }\n\nexport default config\n`,
    ],
    [
      'a function that gives an object',
      `${first}export default defineConfig(({ mode }) => ({ plugins: [a(mode)«, prompts()»] }))\n`,
    ],
    [
      'a type after the object, and Windows line ends',
      `import a from 'a'\r\n«import prompts from 'unplugin-prompts/vite'\r\n»\r\nexport default { plugins: [a()«, prompts()»] } satisfies C\r\n`,
    ],
    [
      'CommonJS',
      'const path = require("path");\n«const prompts = require("unplugin-prompts/vite").default;\n»\nmodule.exports = {\n  plugins: [a()«, prompts()»],\n};\n',
    ],
    [
      'CommonJS that requires nothing',
      `«const prompts = require('unplugin-prompts/vite').default\n\n»/** @type {import('webpack').C} */\nmodule.exports = { mode: 'production'«, plugins: [prompts()]» }\n`,
    ],
    [
      'another thing called prompts',
      `import prompts from 'prompts'\n«import promptsPlugin from 'unplugin-prompts/vite'\n»export default { plugins: [a(prompts)«, promptsPlugin()»] }\n`,
    ],
    [
      'a spread before the list',
      `${first}export default { ...base, plugins: [a()«, prompts()»] }\n`,
    ],
  ])('edits %s', (_, text) => {
    expectAdded(text, addVite)
  })

  test.each([
    ['CommonJS that exports something else', `exports.plugins = []\n`],
    ['no default export', `export const config = { plugins: [] }\n`],
    ['a function with a body', `export default () => { return { plugins: [] } }\n`],
    ['a list that is computed', `export default { plugins: list() }\n`],
    ['a list from elsewhere', `export default { plugins }\n`],
    ['a spread that may hold the list', `export default { ...base }\n`],
    ['a spread that may replace the list', `export default { plugins: [], ...base }\n`],
    ['several arguments', `export default mergeConfig(base, { plugins: [] })\n`],
    ['an array of configurations', `export default [{ plugins: [] }]\n`],
    ['a syntax error', `export default { plugins: [ }\n`],
    ['something else in its place', `export default { plugins: 1 }\n`],
    ['an empty file', ``],
  ])('leaves %s to a person', (_, given) => {
    expect(addVite(given)).toBeUndefined()
  })
})

describe('addPlugin with a wrapper', () => {
  const wrap = (text: string): string | undefined =>
    addPlugin('next.config.ts', text, { specifier: 'unplugin-prompts/next', list: undefined })
  const line = "«import withPrompts from 'unplugin-prompts/next'\n»"

  test.each([
    ['an object', `${line}«\n»export default «withPrompts(»{ a: 1 }«)»\n`],
    [
      'another wrapper',
      `${line}«\n»export default «withPrompts(»withMdx({ a: 1 } satisfies NextConfig)«)»\n`,
    ],
    ['a function', `${line}«\n»export default «withPrompts(»async (a) => ({ a })«)»\n`],
    [
      'a name, with the import after the others',
      `import type { C } from 'next'\n${line}\nconst config: C = {}\n\nexport default «withPrompts(»config«)»\n`,
    ],
    [
      'what CommonJS exports',
      "«const withPrompts = require('unplugin-prompts/next').default\n\n»module.exports = «withPrompts(»{ a: 1 }«)»\n",
    ],
  ])('wraps %s', (_, text) => {
    expectAdded(text, wrap)
  })

  test.each([
    ['export default function config() {}\n'],
    ["import withPrompts from './own.js'\nexport default withPrompts({})\n"],
  ])('leaves %j to a person', (given) => {
    expect(wrap(given)).toBeUndefined()
  })
})

describe('addEntries', () => {
  const scripts = { 'prompts:pull': 'prompts pull', 'prompts:check': 'prompts check' }
  const add = (text: string): string | undefined => addEntries(text, 'scripts', scripts)
  const [pull, check] = ['"prompts:pull": "prompts pull"', '"prompts:check": "prompts check"']

  test.each([
    [
      'after the other scripts, with the rest unchanged',
      `{\n  "files": ["dist"],\n  "scripts": {\n    "dev": "vite"«,\n    ${pull},\n    ${check}»\n  }\n}\n`,
    ],
    [
      'in tabs and Windows line ends',
      `{\r\n\t"scripts": {\r\n\t\t"dev": "vite"«,\r\n\t\t${pull},\r\n\t\t${check}»\r\n\t}\r\n}`,
    ],
    [
      'if there are no scripts',
      `{\n    "name": "app"«,\n    "scripts": {\n        ${pull},\n        ${check}\n    }»\n}\n`,
    ],
    ['into empty scripts', `{\n  "scripts": {«\n    ${pull},\n    ${check}\n  »}\n}\n`],
    ['into an empty object', `{«\n  "scripts": {\n    ${pull},\n    ${check}\n  }\n»}\n`],
    [
      'but not over a script of that name',
      `{\n  "scripts": {\n    "prompts:pull": "mine"«,\n    ${check}»\n  }\n}\n`,
    ],
  ])('adds scripts %s', (_, text) => {
    expectAdded(text, add)
  })

  test.each(['', '[]', '1', '{ "scripts": 1 }'])('leaves %j to the user', (given) => {
    expect(add(given)).toBeUndefined()
  })
})

test.each([
  '{ "files": ["dist"«, "prompts"»] }',
  '{ "files": ["dist", "prompts/**"] }',
  '{ "name": "app" }',
])('addPacked makes %s', (text) => {
  expectAdded(text, (given) => addPacked(given, 'prompts'))
})

describe('addIgnored', () => {
  const add = (text: string): string | undefined =>
    addIgnored(text, ['prompts.lock.json', '**/prompts.d.ts'])
  const biome1 = '{ "$schema": "https://biomejs.dev/schemas/1.9.4/schema.json", "files": '

  test.each([
    [
      'Biome 2, after what it includes',
      '{\n\t"files": { "includes": ["**", "!dist"«, "!prompts.lock.json", "!**/prompts.d.ts"»] }\n}\n',
    ],
    [
      'Biome 2 without a list',
      '{\n  // all\n  "linter": {}«,\n  "files": {\n    "includes": ["**", "!prompts.lock.json", "!**/prompts.d.ts"]\n  }»\n}\n',
    ],
    ['Biome 1', `${biome1}{ "ignore": ["prompts.lock.json"«, "**/prompts.d.ts"»] } }`],
  ])('adds files to those of %s', (_, text) => {
    expectAdded(text, add)
  })

  test('leaves a form that is not known to a person', () => {
    expect(add('{ "files": [] }')).toBeUndefined()
  })
})
