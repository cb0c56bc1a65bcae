import { describe, expect, test } from 'vitest'
import { preparePlainConfig } from '../../../src/config/plain-config.ts'

const FILE = '/app/prompts.config.ts'

const prepare = (code: string): (() => Promise<unknown>) | undefined =>
  preparePlainConfig(code, FILE)

describe('a configuration is evaluated without a compiler', () => {
  test.each([
    ['exports an object', "export default { pull: 'never' }"],
    [
      'imports defineConfig',
      "import { defineConfig } from 'unplugin-prompts'\nexport default defineConfig({ pull: 'never' })",
    ],
    ['awaits', "const pull = await 'never'\nexport default { pull }"],
    ['exports in parentheses', "export default /** @type {Options} */ ({ pull: 'never' });"],
    ['exports the last of several values', "export default (0, { pull: 'never' }) // here"],
    [
      'has its own defineConfig',
      "const defineConfig = () => ({ pull: 'never' })\nexport default defineConfig()",
    ],
    [
      'imports between statements without semicolons',
      "const pull = 'never'\nimport { defineConfig } from 'unplugin-prompts'\n(() => {})()\nexport default { pull }",
    ],
    ['exports on the next line', "export default\n{ pull: 'never' }\n"],
    [
      'has the name of the package in a text',
      "import { defineConfig } from 'unplugin-prompts'\nconst text = 'unplugin-prompts'\nexport default defineConfig({ pull: text.length === 16 ? 'never' : text })",
    ],
  ])('if it %s', async (_, code) => {
    expect(await prepare(code)?.()).toEqual({ pull: 'never' })
  })
})

describe('a configuration is left to the compiler', () => {
  test.each([
    ['types', "const pull: string = 'never'\nexport default { pull }"],
    ['type imports', "import type { Options } from 'unplugin-prompts'\nexport default {}"],
    ['imports of files', "import { pull } from './pull.ts'\nexport default { pull }"],
    ['exports of files', "export { pull } from './pull.ts'\nexport default {}"],
    ["imports of Node's modules", "import { sep } from 'node:path'\nexport default { sep }"],
    ['named exports', "export const pull = 'never'\nexport default { pull }"],
    ['code after its export', 'export default defaults\nvar defaults = {}'],
    ['imports of packages', "import { z } from 'zod'\nexport default { z }"],
    [
      'other imports of this one',
      "import { PromptsError } from 'unplugin-prompts'\nexport default {}",
    ],
    [
      'defineConfig by another name',
      "import { defineConfig as d } from 'unplugin-prompts'\nexport default d({})",
    ],
    ['imports of others as defineConfig', "import { defineConfig } from 'vite'\nexport default {}"],
    [
      'another import under this name',
      "import { x as defineConfig } from 'unplugin-prompts'\nexport default {}",
    ],
    [
      'several imports of this package',
      "import { defineConfig, PromptsError } from 'unplugin-prompts'\nexport default {}",
    ],
    ['its default import', "import defineConfig from 'unplugin-prompts'\nexport default {}"],
    ['its namespace', "import * as defineConfig from 'unplugin-prompts'\nexport default {}"],
    ['an import without names', "import 'unplugin-prompts'\nexport default {}"],
    [
      'import attributes',
      "import { defineConfig } from 'unplugin-prompts' with { type: 'json' }\nexport default {}",
    ],
    ['dynamic imports after a space', "export default (await import ('./pull.ts')).default"],
    ['dynamic imports', "export default (await import('./pull.ts')).default"],
    ['its own path', 'export default { include: [import.meta.url] }'],
    ['names of CommonJS', "export default require('./pull.json')"],
    [
      'a function that is called before it is exported',
      'const pull = f()\nexport default function f() {}',
    ],
    ['a line for the shell', '#!/usr/bin/env node\nexport default {}'],
    ['a comment inside of its export', 'export /* the */ default {}'],
    ['no default export', "exports.pull = 'never'"],
    ['a syntax error', 'export default {'],
  ])('if it has %s', (_, code) => {
    expect(prepare(code)).toBeUndefined()
  })
})

test('a plain configuration is evaluated anew each time, in strict mode', async () => {
  const code = 'export default { time: {}, self: (function () { return this })() }'
  const [one, other] = [await prepare(code)?.(), await prepare(code)?.()]
  expect(one).toEqual({ time: {}, self: undefined })
  expect(one).not.toBe(other)
})

test('an error of a plain configuration names the place in the file, and nothing that the file contains', async () => {
  const code = "const apiKey = 'svc_live_canary'; throw new Error('no')\nexport default { apiKey }"
  const error = (await prepare(code)?.().catch((thrown: unknown) => thrown)) as Error
  expect(error.message).toBe('no')
  expect(error.stack).toContain(`${FILE}:1:41`)
  expect(error.stack).not.toContain('canary')
})

test.each([
  ['export default { pull: missing }', 1, 24],
  ["import { defineConfig } from 'unplugin-prompts'; export default defineConfig(missing)", 1, 78],
  ["import {\n  defineConfig,\n} from 'unplugin-prompts'\nexport default missing", 4, 16],
])('an error of %j has its line and column', async (code, line, column) => {
  const error: unknown = await prepare(code)?.().catch((thrown: unknown) => thrown)
  expect(error).toHaveProperty('stack', expect.stringContaining(`${FILE}:${line}:${column}`))
})
