import { describe, expect, test } from 'vitest'
import { importPlainConfig } from '../../../src/config/plain-config.ts'

const importPlain = (code: string): Promise<unknown> =>
  importPlainConfig(code, '/app/prompts.config.ts')

describe('a configuration is evaluated without a compiler', () => {
  test.each([
    ['exports an object', "export default { pull: 'never' }"],
    [
      'imports defineConfig',
      "import { defineConfig } from 'unplugin-prompts'\nexport default defineConfig({ pull: 'never' })",
    ],
    [
      "imports Node's modules and awaits",
      "import { sep } from 'node:path'\nexport default { pull: await (sep === '' ? 'always' : 'never') }",
    ],
    ['has named exports too', "export const pull = 'never'\nexport default { pull }"],
    [
      'has the name of the package in a text',
      "import { defineConfig } from 'unplugin-prompts'\nconst text = 'unplugin-prompts'\nexport default defineConfig({ pull: text.length === 16 ? 'never' : text })",
    ],
  ])('if it %s', async (_, code) => {
    expect(await importPlain(code)).toMatchObject({ default: { pull: 'never' } })
  })
})

describe('a configuration is left to the compiler', () => {
  test.each([
    ['types', "const pull: string = 'never'\nexport default { pull }"],
    ['type imports', "import type { Options } from 'unplugin-prompts'\nexport default {}"],
    ['imports of files', "import { pull } from './pull.ts'\nexport default { pull }"],
    ['exports of files', "export { pull } from './pull.ts'\nexport default {}"],
    ['imports of packages', "import { z } from 'zod'\nexport default { z }"],
    [
      'other imports of this one',
      "import { PromptsError } from 'unplugin-prompts'\nexport default {}",
    ],
    [
      'defineConfig by another name',
      "import { defineConfig as d } from 'unplugin-prompts'\nexport default d({})",
    ],
    ['dynamic imports', "export default (await import('./pull.ts')).default"],
    ['its own path', 'export default { include: [import.meta.url] }'],
    ['names of CommonJS', "export default require('./pull.json')"],
    ['no default export', "exports.pull = 'never'"],
    ['a syntax error', 'export default {'],
  ])('if it has %s', async (_, code) => {
    expect(await importPlain(code)).toBeUndefined()
  })
})

test('a plain configuration is evaluated anew each time', async () => {
  const code = 'export default { time: {} }'
  const [one, other] = [await importPlain(code), await importPlain(code)]
  expect(one).not.toBe(other)
})

test('an error of a plain configuration is thrown as it is', async () => {
  await expect(importPlain("export default {}\nthrow new Error('no')")).rejects.toThrow(/^no$/)
})
