import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ConfigCache, readConfigFile } from '../../../src/config/config-file.ts'
import { rejection } from '../../helpers/service-client.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** A folder with these files. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder()
  const writes = Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text))
  await Promise.all(writes)
  return folder
}

describe('a configuration file', () => {
  test('is undefined if there is none, and is not read from a parent folder', async () => {
    expect(await readConfigFile(await temporaryFolder(), 'prompts')).toBeUndefined()
  })

  test.each(['ts', 'mts', 'js', 'mjs'])('is read from prompts.config.%s', async (extension) => {
    const name = `prompts.config.${extension}`
    const folder = await folderWith({ [name]: "export default { pull: 'never' }\n" })
    const path = join(folder, name)
    expect(await readConfigFile(folder, 'prompts')).toEqual({ path, options: { pull: 'never' } })
  })

  test.each([
    ['cjs', "module.exports = { pull: 'never' }\n"],
    ['cts', "const pull: string = 'never'\nmodule.exports = { pull }\n"],
    ['json', '{ "pull": "never" }\n'],
  ])('is read from prompts.config.%s', async (extension, text) => {
    const folder = await folderWith({ [`prompts.config.${extension}`]: text })
    expect(await readConfigFile(folder, 'prompts')).toMatchObject({ options: { pull: 'never' } })
  })

  test('may use types, imports and await', async () => {
    const folder = await folderWith({
      'prompts.config.ts': `
        import { pull, type Pull } from './pull.ts'
        const policy: Pull = await Promise.resolve(pull)
        export default { pull: policy, include: [import.meta.url.slice(0, 5)] } satisfies object`,
      'pull.ts': "export type Pull = 'never'\nexport const pull: Pull = 'never'\n",
    })
    expect(await readConfigFile(folder, 'prompts')).toMatchObject({
      options: { pull: 'never', include: ['file:'] },
    })
  })

  test('may have type arguments, which JavaScript reads as comparisons', async () => {
    const folder = await folderWith({
      'prompts.config.ts': `
        function identity(value) { return value }
        export default identity<Date>({ pull: 'never' })`,
    })
    expect(await readConfigFile(folder, 'prompts')).toMatchObject({ options: { pull: 'never' } })
  })

  test('in TypeScript has precedence over one in JavaScript', async () => {
    const folder = await folderWith({
      'prompts.config.js': "export default { pull: 'always' }",
      'prompts.config.ts': "export default { pull: 'never' }",
    })
    expect(await readConfigFile(folder, 'prompts')).toMatchObject({ options: { pull: 'never' } })
  })

  test.each(['ts', 'mts', 'js', 'mjs'])(
    '%s is read again when it has changed',
    async (extension) => {
      const name = `prompts.config.${extension}`
      const folder = await folderWith({
        'package.json': '{ "type": "module" }',
        [name]: "export default { pull: 'always' }",
      })
      await readConfigFile(folder, 'prompts')
      await writeFile(join(folder, name), "export default { pull: 'never' }")
      expect(await readConfigFile(folder, 'prompts')).toMatchObject({ options: { pull: 'never' } })
    },
  )

  test('may be a CommonJS module, and is read again too', async () => {
    const folder = await folderWith({ 'prompts.config.js': "module.exports = { pull: 'always' }" })
    await readConfigFile(folder, 'prompts')
    await writeFile(join(folder, 'prompts.config.js'), "module.exports = { pull: 'never' }")
    expect(await readConfigFile(folder, 'prompts')).toMatchObject({ options: { pull: 'never' } })
  })

  test.each([
    ['does not parse', 'export default {'],
    ['throws', "throw new Error('no')"],
    ['imports what is not there', "import './none.ts'\nexport default {}"],
  ])('that %s is an error with its cause', async (_, text) => {
    const folder = await folderWith({ 'prompts.config.ts': text })
    const error = await rejection(readConfigFile(folder, 'prompts'))
    expect(error).toMatchObject({ code: 'CONFIG_UNREADABLE', cause: expect.anything() })
    expect(error.message).toContain(join(folder, 'prompts.config.ts'))
  })

  test('that is not valid JSON is an error with its cause', async () => {
    const folder = await folderWith({ 'prompts.config.json': '{' })
    const error = await rejection(readConfigFile(folder, 'prompts'))
    expect(error).toMatchObject({ code: 'CONFIG_UNREADABLE', cause: expect.any(Error) })
  })

  test.each(['ts', 'mjs'])('in %s that throws names its place, and not its text', async (type) => {
    const folder = await folderWith({
      [`prompts.config.${type}`]:
        "const apiKey = 'svc_live_canary'\n\nthrow new Error('no')\nexport default { apiKey }\n",
    })
    const { cause, message } = await rejection(readConfigFile(folder, 'prompts'))
    expect(cause).toMatchObject({
      message: 'no',
      stack: expect.stringMatching(/prompts\.config\.(?:ts|mjs)\S*:3:7\)?$/m),
    })
    expect(`${message}${(cause as Error).stack}`).not.toContain('canary')
  })

  test.each(['ts', 'mjs'])(
    'in %s is evaluated anew, with the files that it imports',
    async (type) => {
      const folder = await folderWith({
        [`prompts.config.${type}`]: "import { pull } from './pull.ts'\nexport default { pull }\n",
        'pull.ts': "export const pull = 'always'\n",
      })
      await readConfigFile(folder, 'prompts')
      await writeFile(join(folder, 'pull.ts'), "export const pull = 'never'\n")
      expect(await readConfigFile(folder, 'prompts')).toMatchObject({ options: { pull: 'never' } })
    },
  )

  test('may import this package where it is not installed', async () => {
    const folder = await folderWith({
      'prompts.config.mjs':
        "import { defineConfig } from 'unplugin-prompts'\nexport default defineConfig({ pull: 'never' })\n",
    })
    expect(await readConfigFile(folder, 'prompts')).toMatchObject({ options: { pull: 'never' } })
  })

  test('that exports something else is left to the check of options', async () => {
    const folder = await folderWith({ 'prompts.config.ts': 'export default () => ({})' })
    expect(await readConfigFile(folder, 'prompts')).toMatchObject({ options: expect.any(Function) })
  })
})

describe('a shared cache', () => {
  const COUNT = 'globalThis.evaluations = (globalThis.evaluations ?? 0) + 1\n'
  const evaluations = (): unknown => Reflect.get(globalThis, 'evaluations')

  test('evaluates a file again only when its text has changed', async () => {
    const folder = await folderWith({ 'prompts.config.js': `${COUNT}export default {}` })
    const cache: ConfigCache = new Map()
    await Promise.all([
      readConfigFile(folder, 'prompts', cache),
      readConfigFile(folder, 'prompts', cache),
    ])
    expect(evaluations()).toBe(1)
    await writeFile(join(folder, 'prompts.config.js'), `${COUNT}export default { dts: false }`)
    expect(await readConfigFile(folder, 'prompts', cache)).toMatchObject({
      options: { dts: false },
    })
    expect(evaluations()).toBe(2)
    Reflect.deleteProperty(globalThis, 'evaluations')
  })

  test('evaluates a file again that failed', async () => {
    const folder = await folderWith({
      'prompts.config.ts': "import { dts } from './dts.ts'\nexport default { dts }\n",
    })
    const cache: ConfigCache = new Map()
    await expect(readConfigFile(folder, 'prompts', cache)).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
    })
    await writeFile(join(folder, 'dts.ts'), 'export const dts = false\n')
    expect(await readConfigFile(folder, 'prompts', cache)).toMatchObject({
      options: { dts: false },
    })
  })
})
