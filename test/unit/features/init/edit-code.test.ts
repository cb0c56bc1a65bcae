import { describe, expect, test } from 'vitest'
import { ts } from '../../../../src/judge/compiler.ts'
import {
  addIncluded,
  addPlugin,
  type PluginEdit,
  type PluginPlace,
} from '../../../../src/features/init/edit-code.ts'

/** Whether an edit adds what stands between marks, and finds it there the second time. */
function expectAdded(text: string, edit: (text: string) => PluginEdit): void {
  const want = { text: text.replaceAll(/[«»]/g, ''), left: [] }
  expect(edit(text.replaceAll(/«[^»]*»/g, ''))).toEqual(want)
  expect(edit(want.text)).toEqual(want)
}

const PLACE: PluginPlace = {
  specifier: 'unplugin-prompts/vite',
  dependency: 'vite',
  list: 'plugins',
}

function addVite(text: string): PluginEdit {
  return addPlugin('vite.config.ts', text, PLACE)
}

/** The names of the plugins of a configuration whose modules are functions that return their names. */
function pluginsOf(text: string): unknown[] {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 }
  const { outputText } = ts.transpileModule(text, { compilerOptions })
  const module = { exports: {} as Record<string, unknown> }
  const stub = (name: string): object =>
    new Proxy(() => name, {
      get: (_, key: string) => {
        if (key === 'defineConfig') return (config: unknown) => config
        return key === '__esModule' ? true : stub(key === 'default' ? name : key)
      },
    })
  const defineConfig = (config: unknown): unknown => config
  const globals = {
    module,
    exports: module.exports,
    require: stub,
    defineConfig,
    process: { env: {} },
  }
  // In a function of its own, since it may declare the same names.
  new Function(...Object.keys(globals), `(() => {${outputText}})()`)(...Object.values(globals))
  const exported = module.exports['default'] ?? module.exports
  const config = typeof exported === 'function' ? exported({ mode: 'test', env: {} }) : exported
  return Object(config).plugins?.flat() ?? []
}

const VITE = "import { defineConfig } from 'vite'\n"
const LOAD = "«import prompts from 'unplugin-prompts/vite'\n»"
const TOP = "«import prompts from 'unplugin-prompts/vite'\n\n»"
const REQUIRE = "«const prompts = require('unplugin-prompts/vite').default\n\n»"

/** What is added stands between marks. */
const FORMS: Readonly<Record<string, string>> = {
  'a list on one line': `${LOAD}${VITE}import b from 'b'\n\n// docs\nexport default defineConfig({ plugins: [«prompts(), »b()] })\n`,
  'a list on several lines, with its remarks': `«import prompts from "unplugin-prompts/vite";\n»import a from "a";\nexport default {\n  plugins: [«\n    prompts(),»\n    a(), // first\n    a(), // last\n  ],\n};\n`,
  'a list that has only line comments': `${TOP}export default {\n  plugins: [«\n    prompts()»\n    // legacy(),\n  ],\n}\n`,
  'an empty list': `${TOP}export default { plugins: [«prompts()»] }\n`,
  'an empty list on two lines': `${TOP}export default {\n    plugins: [«\n    prompts()»\n    ],\n}\n`,
  'a list with a type': `${TOP}export default { plugins: [«prompts(), »1] as any[] }\n`,
  'a configuration without plugins': `${TOP}export default {«\n  plugins: [prompts()],»\n  base: '/',\n}\n`,
  'an empty configuration': `${LOAD}${VITE}\nexport default defineConfig({« plugins: [prompts()] »})\n`,
  'a configuration that has only a comment': `${TOP}export default {«\n  plugins: [prompts()]»\n  // https://vite.dev/config/\n}\n`,
  'a constant that is exported below': `${TOP}/** @type {import('x').C} */\nconst config = { plugins: [«prompts(), »1] }\n\nexport default config\n`,
  'a constant with a type': `${LOAD}import type { UserConfig } from 'vite'\nconst config: UserConfig = { plugins: [«prompts()»] }\nexport default config satisfies UserConfig\n`,
  'a constant in a call': `${LOAD}${VITE}const config = { plugins: [«prompts()»] }\nexport default defineConfig(config)\n`,
  'a function that gives an object': `${TOP}export default defineConfig(({ mode }) => ({ plugins: [«prompts(), »mode] }))\n`,
  'a function with a body, as the page of Vite has it': `${LOAD}import { defineConfig, loadEnv } from 'vite'\n\nexport default defineConfig(({ mode }) => {\n  const env = loadEnv(mode, '.', '')\n  return {«\n    plugins: [prompts()],»\n    define: { __APP_ENV__: JSON.stringify(env) },\n  }\n})\n`,
  'a function whose plugins have functions with returns': `${TOP}export default () => {\n  return { plugins: [«prompts(), »[1].map((one) => { return one })] }\n}\n`,
  'a function that returns a constant of its own': `${TOP}export default defineConfig(() => {\n  const config = { plugins: [«prompts(), »1] }\n  return config\n})\n`,
  'a declared function': `${TOP}export default function config() {\n  return { plugins: [«prompts(), »1] }\n}\n`,
  'a type after the object, and Windows line ends': `«import prompts from 'unplugin-prompts/vite'\r\n»import a from 'a'\r\n\r\nexport default { plugins: [«prompts(), »a()] } satisfies C\r\n`,
  'tabs and Windows line ends': `«import prompts from 'unplugin-prompts/vite'\r\n\r\n»export default {\r\n\tplugins: [«\r\n\t\tprompts(),»\r\n\t\t1,\r\n\t],\r\n}\r\n`,
  'double quotes, and a single one in a comment': `«import prompts from "unplugin-prompts/vite";\n»import { defineConfig } from "vite"; // don't\n\nexport default defineConfig({ plugins: [«prompts()»] });\n`,
  'comments at its top': `// @ts-check\n/// <reference types="vitest" />\n«import prompts from "unplugin-prompts/vite"\n\n»/** The app. */\nexport default { plugins: [«prompts()»] }\n`,
  'a first line whose errors are expected': `// @ts-check\n${LOAD}// @ts-expect-error It has no types.\nimport a from 'a'\nexport default { plugins: [«prompts(), »a()] }\n`,
  'a line that linters leave alone': `// The app.\n${LOAD}/* eslint-disable-next-line import/first */\n// Later.\nimport a from 'a'\nexport default { plugins: [«prompts(), »a()] }\n`,
  'an export that a formatter leaves alone': `${TOP}// prettier-ignore\nexport default { plugins: [«prompts(), »1   ] }\n`,
  'remarks before a plugin': `${TOP}export default {\n  plugins: [«\n    prompts(),»\n    // @ts-ignore\n    1,\n  ],\n}\n`,
  'CommonJS with a remark': `const a = require('a') // eslint-disable-line\n${REQUIRE}// @ts-ignore\nmodule.exports = { plugins: [«prompts(), »a()] }\n`,
  'an import with a comment and one on the same line as the rest': `«import prompts from 'unplugin-prompts/vite';\n»import a from 'a' // first\nimport b from 'b'; export default { plugins: [«prompts(), »a(), b()] };\n`,
  'import attributes': `${LOAD}import pkg from './package.json' with { type: 'json' }\nexport default { plugins: [«prompts(), »pkg()] }\n`,
  'another thing called prompts': `«import promptsPlugin from 'unplugin-prompts/vite'\n»import prompts from 'prompts'\nexport default { plugins: [«promptsPlugin(), »prompts()] }\n`,
  'the package in a comment and in a type only': `${LOAD}import type { Options } from 'unplugin-prompts'\n// later: import own from 'unplugin-prompts/vite'\nexport default { plugins: [«prompts(), »1] }\n`,
  'a spread before the list': `${LOAD}import base from 'b'\nexport default { ...{ base }, plugins: [«prompts(), »1] }\n`,
  'a function of the bundler under another name': `${LOAD}import { defineConfig as define } from 'vite'\nexport default define({ plugins: [«prompts()»] })\n`,
  CommonJS: `const path = require("path");\n\n«const prompts = require("unplugin-prompts/vite").default;\n\n»module.exports = {\n  plugins: [«prompts(), »path()],\n};\n`,
  'CommonJS that requires nothing': `${REQUIRE}/** @type {import('webpack').C} */\nmodule.exports = {« plugins: [prompts()],» mode: 'production' }\n`,
  'CommonJS with a directive': `'use strict'\n${REQUIRE}module.exports = { plugins: [«prompts()»] }\n`,
  'CommonJS with a require below the export': `${REQUIRE}module.exports = { plugins: [«prompts(), »1] }\nif (process.env.ANALYZE) {\n  const { BundleAnalyzerPlugin } = require('webpack-bundle-analyzer')\n  void BundleAnalyzerPlugin\n}\nconst late = require('late')\n`,
  'CommonJS with a constant above a require': `const a = require('a')\n${REQUIRE}const config = { plugins: [«prompts(), »a()] }\nconst b = require('b')\nmodule.exports = config\n`,
  'CommonJS with a function': `const { a } = require('a')\n${REQUIRE}module.exports = (env, argv) => {\n  return {\n    plugins: [«\n      prompts(),»\n      a(),\n    ],\n  }\n}\n`,
  'CommonJS that is assigned twice': `module.exports = {}\n${REQUIRE}module.exports = { plugins: [«prompts()»] }\n`,
  'CommonJS with all on one line': `const a = require('a'); «const prompts = require('unplugin-prompts/vite').default;\n\n»module.exports = { plugins: [«prompts(), »a()] };\n`,
  'CommonJS in a style without semicolons': `const a = require('a')\n;[a].map(Boolean)\n${REQUIRE}module.exports = { plugins: [«prompts()»] }\n`,
  'defineConfig that is required': `const { defineConfig } = require('vite')\n${REQUIRE}module.exports = defineConfig({ plugins: [«prompts()»] })\n`,
}

describe('addPlugin', () => {
  test.each(Object.entries(FORMS))('edits %s', (_, text) => {
    expectAdded(text, addVite)
    const before = pluginsOf(text.replaceAll(/«[^»]*»/g, ''))
    expect(pluginsOf(text.replaceAll(/[«»]/g, ''))).toEqual(['unplugin-prompts/vite', ...before])
  })

  test.each(
    Object.entries({
      'CommonJS that exports something else': `exports.plugins = []\n`,
      'CommonJS that changes its export below': `module.exports = { plugins: [] }\nmodule.exports.plugins = [own()]\n`,
      'CommonJS that exports in a condition': `if (a) {\n  module.exports = { plugins: [] }\n}\n`,
      'an assignment of TypeScript': `export = { plugins: [] }\n`,
      'no default export': `export const config = { plugins: [] }\n`,
      'an export of another module': `export { default } from './base'\n`,
      'a name that is exported as the default': `const config = { plugins: [] }\nexport { config as default }\n`,
      'a list that is computed': `export default { plugins: list() }\n`,
      'a list from elsewhere': `export default { plugins }\n`,
      'a getter': `export default { get plugins() { return [] } }\n`,
      'a computed name': `export default { ['plugins']: [own()] }\n`,
      'a computed name beside the list': `export default { plugins: [], [key]: [] }\n`,
      'two lists': `export default { plugins: [], plugins: [own()] }\n`,
      'a spread that may hold the list': `export default { ...base }\n`,
      'a spread that may replace the list': `export default { plugins: [], ...base }\n`,
      'several arguments': `export default mergeConfig(base, { plugins: [] })\n`,
      'a function of the team': `export default createConfig({ port: 3000 })\n`,
      'a function of the team that is imported': `import { createConfig } from './base'\nexport default createConfig({ plugins: [] })\n`,
      'a function of the team with the name of that of Vite': `import { defineConfig } from '@/build'\nexport default defineConfig({ plugins: [] })\n`,
      'a function of the file with the name of that of Vite': `const defineConfig = (options) => ({ ...options, plugins: [] })\nexport default defineConfig({ plugins: [] })\n`,
      'a parameter with that name': `export default ((defineConfig) => defineConfig({}))(own)\n`,
      'a constant that is changed': `const config = {}\nconfig.plugins = [own()]\nexport default config\n`,
      'a variable that nothing else mentions': `let config = { plugins: [] }\nexport default config\n`,
      'a function with two returns': `export default () => {\n  if (a) return { plugins: [] }\n  return { plugins: [] }\n}\n`,
      'a function that returns in a condition': `export default () => {\n  if (a) {\n    return { plugins: [] }\n  }\n}\n`,
      'a generator': `export default function* () {\n  return { plugins: [] }\n}\n`,
      'a class': `export default class {\n  plugins = []\n}\n`,
      'an array of configurations': `export default [{ plugins: [] }]\n`,
      'a promise': `export default Promise.resolve({ plugins: [] })\n`,
      'names that are all taken': `import prompts from 'prompts'\nimport promptsPlugin from 'own'\nexport default { plugins: [prompts(), promptsPlugin()] }\n`,
      'a syntax error': `export default { plugins: [ }\n`,
      'an empty file': ``,
    }),
  )('leaves %s to a person', (_, given) => {
    expect(addVite(given)).toEqual({ text: given, left: ['plugin'] })
  })

  test.each([
    ["import own from 'unplugin-prompts/vite'\nexport default createConfig(own())\n"],
    ["const own = require('unplugin-prompts/vite').default\nmodule.exports = base(own())\n"],
    [
      "export default async () => ({ plugins: [(await import('unplugin-prompts/vite')).default()] })\n",
    ],
    ["import own from 'unplugin-prompts/vite'\nexport default { plugins: [/* own() */] }\n"],
    ["import own from 'unplugin-prompts/vite'\nexport default { plugins: [isDev && own()] }\n"],
    ["import own from 'unplugin-prompts/rollup'\nexport default { plugins: [own()] }\n"],
    [
      "import own from 'unplugin-prompts/vite'\nexport default { plugins: [((own) => own())(a)] }\n",
    ],
    [
      "import own from 'unplugin-prompts/vite'\nexport default { plugins: [own()], ...(isTest ? { plugins: [] } : {}) }\n",
    ],
  ])('does not say that a configuration uses the plugin which it loads: %j', (text) => {
    expect(addVite(text)).toEqual({ text, left: ['use'] })
  })
})

describe('addPlugin with a wrapper', () => {
  const wrap = (text: string): PluginEdit =>
    addPlugin('next.config.ts', text, {
      specifier: 'unplugin-prompts/next',
      dependency: 'next',
      list: undefined,
    })
  const line = "«import withPrompts from 'unplugin-prompts/next'\n»"

  test.each([
    ['an object', `${line}«\n»export default «withPrompts(»{ a: 1 }«)»\n`],
    [
      'another wrapper',
      `${line}«\n»export default «withPrompts(»withMdx({ a: 1 } satisfies NextConfig)«)»\n`,
    ],
    ['a function', `${line}«\n»export default «withPrompts(»async (a) => ({ a })«)»\n`],
    [
      'a name, with the import before the others',
      `${line}import type { C } from 'next'\n\nconst config: C = {}\n\nexport default «withPrompts(»config«)»\n`,
    ],
    [
      'what CommonJS exports last, as the wizard of Sentry leaves it',
      "const nextConfig = {}\nconst { withSentryConfig } = require('@sentry/nextjs')\nmodule.exports = nextConfig\n«const withPrompts = require('unplugin-prompts/next').default\n\n»module.exports = «withPrompts(»withSentryConfig(module.exports, { silent: true })«)»\n",
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
    expect(wrap(given)).toEqual({ text: given, left: ['plugin'] })
  })
})

describe('addPlugin with the name of a module', () => {
  const add = (text: string): PluginEdit =>
    addPlugin('nuxt.config.ts', text, {
      specifier: 'unplugin-prompts/nuxt',
      dependency: 'nuxt',
      list: 'modules',
      isModuleName: true,
    })
  const NAME = "'unplugin-prompts/nuxt'"

  test.each([
    ['a list', `export default defineNuxtConfig({\n  modules: [«${NAME}, »'@nuxt/ui'],\n})\n`],
    [
      'a list on several lines',
      `export default defineNuxtConfig({\n  modules: [«\n    ${NAME},»\n    '@nuxt/ui',\n    // '@nuxt/image',\n  ],\n})\n`,
    ],
    [
      'only comments',
      `export default defineNuxtConfig({\n  modules: [«\n    "unplugin-prompts/nuxt"»\n    // later\n  ],\n  ssr: "no",\n})\n`,
    ],
    [
      'an imported function',
      `import { defineNuxtConfig } from 'nuxt/config'\nexport default defineNuxtConfig({ modules: [«${NAME}»] })\n`,
    ],
  ])('edits %s', (_, text) => {
    expectAdded(text, add)
  })

  test('leaves a function of the team with that name to a person', () => {
    const given = `import { defineNuxtConfig } from './own'\nexport default defineNuxtConfig({})\n`
    expect(add(given)).toEqual({ text: given, left: ['plugin'] })
  })
})

describe('addPlugin in a configuration that Vitest reads', () => {
  const TEST = "import { defineConfig, mergeConfig } from 'vitest/config'\n"
  const add = (text: string): PluginEdit =>
    addPlugin('vitest.config.ts', text, {
      ...PLACE,
      isOfVitest: true,
      app: /^(?:\.\/vite\.config|astro\/config)$/,
    })

  test.each([
    ['a project', `[{« extends: true,» test: { name: 'unit' } }]`],
    [
      'projects on several lines',
      `[\n  {«\n    extends: true,»\n    test: {},\n  },\n  defineProject({« extends: true,» test: {} }),\n]`,
    ],
    ['one that inherits', `[{ extends: true, plugins: [a()] }, { extends: './vitest.config.ts' }]`],
    ['none', '[]'],
  ])('adds the plugin and lets projects inherit it: %s', (_, projects) => {
    const text = `${LOAD}import { defineConfig, defineProject } from 'vitest/config'\nexport default defineConfig({ plugins: [«prompts()»], test: { projects: ${projects} } })\n`
    expectAdded(text, add)
  })

  test.each([
    `['packages/*']`,
    `[{ plugins: [a()], test: {} }]`,
    `[{ extends: './other.config.ts' }]`,
    `[{ extends: false }]`,
    `[{ ...base }]`,
    `[...more]`,
    `[await project()]`,
    `more`,
  ])('says that it did not look at the projects %s', (projects) => {
    const text = `import prompts from 'unplugin-prompts/vite'\nexport default { plugins: [prompts()], test: { projects: ${projects} } }\n`
    expect(add(text)).toEqual({ text, left: ['projects'] })
    expect(addVite(text).left).toEqual([])
  })

  test('says that it did not look at settings from elsewhere, which may have projects', () => {
    const text = `import prompts from 'unplugin-prompts/vite'\nexport default { plugins: [prompts()], test }\n`
    expect(add(text)).toEqual({ text, left: ['projects'] })
  })

  test.each([
    `import app from './vite.config'\n${TEST}export default mergeConfig(app, defineConfig({ test: {} }))\n`,
    `import app from './vite.config'\n${TEST}export default defineConfig((env) => mergeConfig(app(env), { test: {} }))\n`,
    `import app from './vite.config'\nexport default app\n`,
    `export { default } from './vite.config'\n`,
    `import { getViteConfig } from 'astro/config'\nexport default getViteConfig({ test: {} })\n`,
  ])('leaves a configuration alone that is made from that of the app: %j', (text) => {
    expect(add(text)).toEqual({ text, left: [] })
  })

  test('lets projects beside the configuration of the app inherit from it', () => {
    expectAdded(
      `import app from './vite.config'\n${TEST}export default mergeConfig(app, { test: { projects: [{« extends: true,» test: {} }] } })\n`,
      add,
    )
  })

  test('adds the plugin where only a name comes from the configuration of the app', () => {
    expectAdded(
      `${LOAD}import { alias } from './vite.config'\nexport default {«\n  plugins: [prompts()],»\n  resolve: { alias },\n}\n`,
      add,
    )
  })

  test.each([
    `import app from './vite.config'\nexport default own(app)\n`,
    `import { mergeConfig } from './own'\nimport app from './vite.config'\nexport default mergeConfig(app, {})\n`,
    `import { make } from './vite.config'\nexport default make({})\n`,
  ])('does not say that a configuration is made from that of the app: %j', (text) => {
    expect(add(text)).toMatchObject({ text, left: expect.arrayContaining(['use']) })
  })
})

test.each([
  '{\n  // The server.\n  "include": [«"src/prompts.d.ts", »"server"],\n}\n',
  '{\n  "include": [«\n    "src/prompts.d.ts",»\n    "server", // all\n    "*.ts" /* too */\n  ]\n}\n',
])('addIncluded makes %s', (text) => {
  const given = text.replaceAll(/«[^»]*»/g, '')
  expect(addIncluded(given, 'src/prompts.d.ts')).toBe(text.replaceAll(/[«»]/g, ''))
})

test.each(['{}', '{ "files": ["a.ts"] }', '{ "include": "src" }', '{ "include": [ }'])(
  'addIncluded leaves %s to a person',
  (text) => {
    expect(addIncluded(text, 'prompts.d.ts')).toBeUndefined()
  },
)
