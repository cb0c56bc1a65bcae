import { describe, expect, test } from 'vitest'
import {
  addIgnored,
  addPlugin,
  addEntries,
  addPacked,
} from '../../../../src/features/init/edit-code.ts'

const VITE = { specifier: 'unplugin-prompts/vite', list: 'plugins' }

/** The text after the edit, or the kind of what else came of it. */
function edited(text: string): string {
  const edit = addPlugin('vite.config.ts', text, VITE)
  return edit === text ? 'present' : (edit ?? 'unknown')
}

describe('addPlugin', () => {
  test.each([
    {
      title: 'a list on one line',
      given: `import { defineConfig } from 'vite'\nimport react from '@vitejs/plugin-react'\n\n// docs\nexport default defineConfig({ plugins: [react()] })\n`,
      want: `import { defineConfig } from 'vite'\nimport react from '@vitejs/plugin-react'\nimport prompts from 'unplugin-prompts/vite'\n\n// docs\nexport default defineConfig({ plugins: [react(), prompts()] })\n`,
    },
    {
      title: 'a list on several lines, with its remarks',
      given: `import a from "a";\nexport default {\n  plugins: [\n    a(), // first\n    b(), // last\n  ],\n};\n`,
      want: `import a from "a";\nimport prompts from "unplugin-prompts/vite";\nexport default {\n  plugins: [\n    a(), // first\n    b(), // last\n    prompts(),\n  ],\n};\n`,
    },
    {
      title: 'a list without a trailing comma',
      given: `export default {\n\tplugins: [\n\t\ta() // last\n\t],\n}\n`,
      want: `import prompts from 'unplugin-prompts/vite'\n\nexport default {\n\tplugins: [\n\t\ta(), // last\n\t\tprompts()\n\t],\n}\n`,
    },
    {
      title: 'an empty list',
      given: `export default { plugins: [] }\n`,
      want: `import prompts from 'unplugin-prompts/vite'\n\nexport default { plugins: [prompts()] }\n`,
    },
    {
      title: 'a configuration without plugins',
      given: `export default {\n  base: '/',\n}\n`,
      want: `import prompts from 'unplugin-prompts/vite'\n\nexport default {\n  base: '/',\n  plugins: [prompts()],\n}\n`,
    },
    {
      title: 'an empty configuration',
      given: `import { defineConfig } from 'vite'\n\nexport default defineConfig({})\n`,
      want: `import { defineConfig } from 'vite'\nimport prompts from 'unplugin-prompts/vite'\n\nexport default defineConfig({\n  plugins: [prompts()],\n})\n`,
    },
    {
      title: 'a constant that is exported below',
      given: `/** @type {import('x').C} */\nconst config = { plugins: [a()] }\n\nexport default config\n`,
      want: `import prompts from 'unplugin-prompts/vite'\n\n/** @type {import('x').C} */\nconst config = { plugins: [a(), prompts()] }\n\nexport default config\n`,
    },
    {
      title: 'a function that gives an object',
      given: `export default defineConfig(({ mode }) => ({ plugins: [a(mode)] }))\n`,
      want: `import prompts from 'unplugin-prompts/vite'\n\nexport default defineConfig(({ mode }) => ({ plugins: [a(mode), prompts()] }))\n`,
    },
    {
      title: 'a type after the object, and Windows line ends',
      given: `import a from 'a'\r\n\r\nexport default { plugins: [a()] } satisfies C\r\n`,
      want: `import a from 'a'\r\nimport prompts from 'unplugin-prompts/vite'\r\n\r\nexport default { plugins: [a(), prompts()] } satisfies C\r\n`,
    },
    {
      title: 'CommonJS',
      given: `const path = require("path");\n\nmodule.exports = {\n  plugins: [a()],\n};\n`,
      want: `const path = require("path");\nconst prompts = require("unplugin-prompts/vite").default;\n\nmodule.exports = {\n  plugins: [a(), prompts()],\n};\n`,
    },
    {
      title: 'CommonJS that requires nothing',
      given: `/** @type {import('webpack').Configuration} */\nmodule.exports = { mode: 'production' }\n`,
      want: `const prompts = require('unplugin-prompts/vite').default\n\n/** @type {import('webpack').Configuration} */\nmodule.exports = { mode: 'production', plugins: [prompts()] }\n`,
    },
    {
      title: 'another thing called prompts',
      given: `import prompts from 'prompts'\nexport default { plugins: [a(prompts)] }\n`,
      want: `import prompts from 'prompts'\nimport promptsPlugin from 'unplugin-prompts/vite'\nexport default { plugins: [a(prompts), promptsPlugin()] }\n`,
    },
  ])('edits $title', ({ given, want }) => {
    const text = edited(given)
    expect(text).toBe(want)
    expect(edited(text)).toBe('present')
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
    expect(edited(given)).toBe('unknown')
  })

  test('keeps a spread before the list', () => {
    expect(edited(`export default { ...base, plugins: [a()] }\n`)).toContain(
      '{ ...base, plugins: [a(), prompts()] }',
    )
  })
})

describe('addPlugin with a wrapper', () => {
  const wrapped = (name: string, text: string): string => {
    const edit = addPlugin(name, text, { specifier: 'unplugin-prompts/next', list: undefined })
    return edit === text ? 'present' : (edit ?? 'unknown')
  }
  const importOf = "import withPrompts from 'unplugin-prompts/next'\n"

  test.each([
    ['an object', 'export default { a: 1 }\n', 'export default withPrompts({ a: 1 })\n'],
    [
      'another wrapper',
      'export default withMdx({ a: 1 } satisfies NextConfig)\n',
      'export default withPrompts(withMdx({ a: 1 } satisfies NextConfig))\n',
    ],
    [
      'a function',
      'export default async (phase) => ({ a: phase })\n',
      'export default withPrompts(async (phase) => ({ a: phase }))\n',
    ],
  ])('wraps %s', (_, given, want) => {
    expect(wrapped('next.config.ts', given)).toBe(`${importOf}\n${want}`)
  })

  test('wraps a name, with the import after the others', () => {
    const given =
      "import type { NextConfig } from 'next'\n\nconst config: NextConfig = {}\n\nexport default config\n"
    expect(wrapped('next.config.ts', given)).toBe(
      `import type { NextConfig } from 'next'\n${importOf}\nconst config: NextConfig = {}\n\nexport default withPrompts(config)\n`,
    )
  })

  test('wraps what CommonJS exports', () => {
    expect(wrapped('next.config.js', 'module.exports = { a: 1 }\n')).toBe(
      "const withPrompts = require('unplugin-prompts/next').default\n\nmodule.exports = withPrompts({ a: 1 })\n",
    )
  })

  test.each([
    ['unknown', 'export default function config() {}\n'],
    ['unknown', "import withPrompts from './own.js'\nexport default withPrompts({})\n"],
    ['present', `${importOf}export default withPrompts({})\n`],
  ])('leaves other forms: %s', (kind, given) => {
    expect(wrapped('next.config.mjs', given)).toBe(kind)
  })
})

const SCRIPTS = { 'prompts:pull': 'prompts pull', 'prompts:check': 'prompts check' }

describe('addEntries', () => {
  test.each([
    {
      title: 'after the other scripts, with the rest unchanged',
      given: `{\n  "files": ["dist"],\n  "scripts": {\n    "dev": "vite"\n  }\n}\n`,
      want: `{\n  "files": ["dist"],\n  "scripts": {\n    "dev": "vite",\n    "prompts:pull": "prompts pull",\n    "prompts:check": "prompts check"\n  }\n}\n`,
    },
    {
      title: 'in tabs and Windows line ends',
      given: `{\r\n\t"scripts": {\r\n\t\t"dev": "vite"\r\n\t}\r\n}`,
      want: `{\r\n\t"scripts": {\r\n\t\t"dev": "vite",\r\n\t\t"prompts:pull": "prompts pull",\r\n\t\t"prompts:check": "prompts check"\r\n\t}\r\n}`,
    },
    {
      title: 'if there are no scripts',
      given: `{\n    "name": "app"\n}\n`,
      want: `{\n    "name": "app",\n    "scripts": {\n        "prompts:pull": "prompts pull",\n        "prompts:check": "prompts check"\n    }\n}\n`,
    },
    {
      title: 'into empty scripts',
      given: `{\n  "scripts": {}\n}\n`,
      want: `{\n  "scripts": {\n    "prompts:pull": "prompts pull",\n    "prompts:check": "prompts check"\n  }\n}\n`,
    },
    {
      title: 'into an empty object',
      given: `{}\n`,
      want: `{\n  "scripts": {\n    "prompts:pull": "prompts pull",\n    "prompts:check": "prompts check"\n  }\n}\n`,
    },
    {
      title: 'but not over a script of that name',
      given: `{\n  "scripts": {\n    "prompts:pull": "mine"\n  }\n}\n`,
      want: `{\n  "scripts": {\n    "prompts:pull": "mine",\n    "prompts:check": "prompts check"\n  }\n}\n`,
    },
  ])('adds scripts $title', ({ given, want }) => {
    const text = addEntries(given, 'scripts', SCRIPTS)
    expect(text).toBe(want)
    expect(addEntries(want, 'scripts', SCRIPTS)).toBe(want)
    expect(() => JSON.parse(want)).not.toThrow()
  })

  test.each(['', '[]', '1', '{ "scripts": 1 }'])('leaves %j to the user', (given) => {
    expect(addEntries(given, 'scripts', SCRIPTS)).toBeUndefined()
  })
})

test.each([
  ['{ "files": ["dist"] }', '{ "files": ["dist", "prompts"] }'],
  ['{ "files": ["dist", "prompts/**"] }', '{ "files": ["dist", "prompts/**"] }'],
  ['{ "name": "app" }', '{ "name": "app" }'],
])('addPacked makes of %s %s', (given, want) => {
  expect(addPacked(given, 'prompts')).toBe(want)
})

describe('addIgnored', () => {
  test.each([
    {
      title: 'Biome 2, after what it includes',
      text: '{\n\t"files": { "includes": ["**", "!dist"] }\n}\n',
      want: '{\n\t"files": { "includes": ["**", "!dist", "!prompts.lock.json", "!**/prompts.d.ts"] }\n}\n',
    },
    {
      title: 'Biome 2 without a list',
      text: '{\n  // all\n  "linter": {}\n}\n',
      want: '{\n  // all\n  "linter": {},\n  "files": {\n    "includes": ["**", "!prompts.lock.json", "!**/prompts.d.ts"]\n  }\n}\n',
    },
    {
      title: 'Biome 1',
      text: '{ "$schema": "https://biomejs.dev/schemas/1.9.4/schema.json", "files": { "ignore": ["prompts.lock.json"] } }',
      want: '{ "$schema": "https://biomejs.dev/schemas/1.9.4/schema.json", "files": { "ignore": ["prompts.lock.json", "**/prompts.d.ts"] } }',
    },
    {
      title: 'not Biome in a form that is unknown',
      text: '{ "files": [] }',
      want: undefined,
    },
  ])('$title', ({ text, want }) => {
    const files = ['prompts.lock.json', '**/prompts.d.ts']
    expect(addIgnored(text, files)).toBe(want)
    if (want !== undefined) expect(addIgnored(want, files)).toBe(want)
  })
})
