import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  type ConfigCache,
  findProjectFolder,
  readConfigFile,
} from '../../../src/config/config-file.ts'
import { rejection } from '../../helpers/service-client.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

describe('a configuration file', () => {
  test('a configuration file is not read from a parent folder', async () => {
    const folder = await temporaryFolder({ 'prompts.config.json': '{}', 'app/package.json': '{}' })
    expect(await readConfigFile(join(folder, 'app'), 'prompts')).toBeUndefined()
  })

  test.each([
    ['ts', 'export default'],
    ['mts', 'export default'],
    ['js', 'export default'],
    ['mjs', 'export default'],
    ['cjs', 'module.exports ='],
    ['cts', 'const unused: 1 = 1; module.exports ='],
  ])('prompts.config.%s is read, and again when it has changed', async (extension, start) => {
    const name = `prompts.config.${extension}`
    const type = '{ "type": "module" }'
    const files = { 'package.json': type, [name]: `${start} { pull: 'always' }` }
    const folder = await temporaryFolder(files)
    const path = join(folder, name)
    expect(await readConfigFile(folder, 'prompts')).toEqual({ path, options: { pull: 'always' } })
    await writeFile(path, `${start} { pull: 'never' }`)
    expect(await readConfigFile(folder, 'prompts')).toEqual({ path, options: { pull: 'never' } })
  })

  test.each([
    ['may be JSON', { 'prompts.config.json': '{ "pull": "never" }' }],
    [
      'may be CommonJS in a package of modules',
      { 'package.json': '{}', 'prompts.config.js': "module.exports = { pull: 'never' }" },
    ],
    [
      'may use types, imports and await',
      {
        'prompts.config.ts': `
          import { pull, type Pull } from './pull.ts'
          const policy: Pull = await Promise.resolve(pull)
          if (!import.meta.url.startsWith('file:')) throw new Error(import.meta.url)
          export default { pull: policy } satisfies object`,
        'pull.ts': "export type Pull = 'never'\nexport const pull: Pull = 'never'\n",
      },
    ],
    [
      'may have type arguments, which JavaScript reads as comparisons',
      {
        'prompts.config.ts': `
          function identity(value) { return value }
          export default identity<Date>({ pull: 'never' })`,
      },
    ],
    [
      'in TypeScript has precedence over one in JavaScript',
      {
        'prompts.config.js': "export default { pull: 'always' }",
        'prompts.config.ts': "export default { pull: 'never' }",
      },
    ],
    [
      'may import this package where it is not installed',
      {
        'prompts.config.mjs':
          "import { defineConfig } from 'unplugin-prompts'\nexport default defineConfig({ pull: 'never' })",
      },
    ],
  ])('a configuration file %s', async (_, files) => {
    const folder = await temporaryFolder({ ...files } as Record<string, string>)
    expect(await readConfigFile(folder, 'prompts')).toMatchObject({ options: { pull: 'never' } })
  })

  test('a configuration file beside one in JSON is an error, so that neither is ignored', async () => {
    const folder = await temporaryFolder({
      'prompts.config.json': '{ "dts": "src/prompts.d.ts" }',
      'prompts.config.ts': "export default { exclude: 'drafts/*' }",
    })
    const error = await rejection(readConfigFile(folder, 'prompts'))
    expect(error).toMatchObject({ code: 'OPTIONS_INVALID' })
    expect(error.message).toContain('prompts.config.json')
  })

  test.each([
    ['does not parse', 'ts', 'export default {'],
    ['throws', 'ts', "throw new Error('no')"],
    ['imports what is not there', 'ts', "import './none.ts'\nexport default {}"],
    ['exports nothing', 'ts', "const config = { pull: 'never' }\nvoid config"],
    ['exports nothing in JavaScript', 'mjs', "const config = { pull: 'never' }"],
    ['exports nothing in CommonJS', 'cjs', "const config = { pull: 'never' }"],
    ['imports a file and exports nothing', 'ts', "import './prompts.config.ts'\nvoid 0"],
    ['exports options by name', 'ts', "export const pull = 'never'"],
    ['exports options by name, compiled', 'ts', "export enum Pull {}\nexport const pull = 'never'"],
    ['is not valid JSON', 'json', '{'],
  ])('a configuration file that %s is an error with its cause', async (_, extension, text) => {
    const name = `prompts.config.${extension}`
    const folder = await temporaryFolder({ [name]: text })
    const error = await rejection(readConfigFile(folder, 'prompts'))
    expect(error).toMatchObject({ code: 'CONFIG_UNREADABLE', cause: expect.any(Error) })
    expect(error.message).toContain(join(folder, name))
    expect(error.fix.includes('export default')).toBe(extension !== 'json')
  })

  test.each(['ts', 'mjs'])(
    'a configuration file in %s that throws names its place, and not its text',
    async (type) => {
      const folder = await temporaryFolder({
        [`prompts.config.${type}`]:
          "const apiKey = 'svc_live_canary'\n\nthrow new Error('no')\nexport default { apiKey }\n",
      })
      const { cause, message } = await rejection(readConfigFile(folder, 'prompts'))
      expect(cause).toMatchObject({
        message: 'no',
        stack: expect.stringMatching(/prompts\.config\.(?:ts|mjs)\S*:3:7\)?$/m),
      })
      expect(`${message}${(cause as Error).stack}`).not.toContain('canary')
    },
  )

  test.each([
    ['throws it', 'throw new Error(`not a key: ${process.env.OWN_KEY}`)'],
    ['sends it', 'new Headers({ authorization: `Bearer ${process.env.OWN_KEY}` })'],
    ['throws its line', "throw new Error(`bad: ${process.env.OWN_KEY.split('\\n')[0]}`)"],
    ['throws it as a cause', "throw new Error('no', { cause: process.env['OWN_KEY'] })"],
  ])(
    'the error of a configuration file shows no variable that the file names: it %s',
    async (_, code) => {
      onTestFinished(() => void vi.unstubAllEnvs())
      vi.stubEnv('OWN_KEY', 'sk-lf-canary-12ab-34cd\n56ef-canary')
      const folder = await temporaryFolder({ 'prompts.config.mjs': `${code}\nexport default {}` })
      const error = await rejection(readConfigFile(folder, 'prompts'))
      expect(error).toMatchObject({ code: 'CONFIG_UNREADABLE', cause: expect.any(Error) })
      expect(inspect(error)).toContain('[key]')
      expect(inspect(error)).not.toContain('canary')
    },
  )

  test.each(['ts', 'mjs'])(
    'a configuration file in %s is evaluated anew, with the files that it imports',
    async (type) => {
      const folder = await temporaryFolder({
        [`prompts.config.${type}`]: "import { pull } from './pull.ts'\nexport default { pull }\n",
        'pull.ts': "export const pull = 'always'\n",
      })
      await readConfigFile(folder, 'prompts')
      await writeFile(join(folder, 'pull.ts'), "export const pull = 'never'\n")
      expect(await readConfigFile(folder, 'prompts')).toMatchObject({ options: { pull: 'never' } })
    },
  )

  test('a function as configuration is left to the check of options', async () => {
    const folder = await temporaryFolder({ 'prompts.config.ts': 'export default () => ({})' })
    expect(await readConfigFile(folder, 'prompts')).toMatchObject({ options: expect.any(Function) })
  })
})

describe('a shared cache', () => {
  const COUNT = 'globalThis.evaluations = (globalThis.evaluations ?? 0) + 1\n'
  const evaluations = (): unknown => Reflect.get(globalThis, 'evaluations')

  test('a shared cache evaluates a file again only when its text has changed', async () => {
    const folder = await temporaryFolder({ 'prompts.config.js': `${COUNT}export default {}` })
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

  test('a shared cache evaluates a file again that failed', async () => {
    const folder = await temporaryFolder({
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

test.each([
  ['the nearest folder upwards with a package.json', ['package.json'], 'app/inner', ''],
  ['the nearest folder upwards with a lock', ['prompts.lock.json'], 'app/inner', ''],
  ['the nearest folder upwards with options', ['prompts.config.ts'], 'app/inner', ''],
  ['the nearest folder upwards with options in JS', ['prompts.config.mjs'], 'app/inner', ''],
  ['a folder with a lock itself', ['package.json', 'app/prompts.lock.json'], 'app', 'app'],
  ['no folder of another workspace', ['package.json', 'app/billing-prompts.lock.json'], 'app', ''],
  ['a folder itself without any such file', ['app/prompts.configuration.md'], 'app', 'app'],
  ['a folder above one that does not exist', ['package.json'], 'gone', ''],
])('the project is %s', async (_, files, from, want) => {
  const root = await temporaryFolder(
    Object.fromEntries(['app/inner/a.txt', ...files].map((file) => [file, ''])),
  )
  expect(await findProjectFolder(join(root, from), 'prompts')).toBe(join(root, want))
})
