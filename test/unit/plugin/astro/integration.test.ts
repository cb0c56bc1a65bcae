import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import prompts from '../../../../src/astro.ts'
import type { ErrorCode } from '../../../../src/errors/catalogue.ts'
import type { PluginOptions } from '../../../../src/config/options.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

interface Types {
  readonly filename: string
  readonly content: string
}

/** An app, with the plugins and the types that the integration adds to it. */
async function astro(options?: PluginOptions, config = '{}') {
  const root = await temporaryFolder({ 'package.json': '{}', 'prompts.config.json': config })
  const { name, hooks } = prompts(options)
  const plugins: string[] = []
  const types: Types[] = []
  hooks['astro:config:setup']({
    updateConfig: ({ vite }) => {
      const names = vite.plugins.map((plugin) => plugin.name)
      plugins.push(...names.filter((each) => !each.includes('/')))
    },
  })
  await hooks['astro:config:done']({
    config: { root: pathToFileURL(`${root}/`) },
    injectTypes: (given) => types.push(given),
  })
  return { root, name, plugins, types }
}

test('adds the Vite plugin, and types that refer to the declarations', async () => {
  const { root, name, plugins, types } = await astro()
  expect(name).toBe('unplugin-prompts')
  expect(plugins).toEqual(['unplugin-prompts'])
  const content = `/// <reference path="${root}/prompts.d.ts" />\n`
  expect(types).toEqual([{ filename: 'prompts.d.ts', content }])
})

test('finds the declarations that the configuration file sets', async () => {
  const { root, types } = await astro({}, '{ "dts": "src/types/prompts.d.ts" }')
  expect(types[0]?.content).toContain(`"${root}/src/types/prompts.d.ts"`)
})

test('adds no types if the option dts is false', async () => {
  expect((await astro({ dts: false })).types).toEqual([])
})

test('gives each workspace a name and types of its own', async () => {
  const { name, plugins, types } = await astro({ name: 'billing-prompts' })
  expect([name, ...plugins]).toEqual(Array(2).fill('unplugin-prompts:billing-prompts'))
  expect(types[0]?.filename).toBe('billing-prompts.d.ts')
})

test('refuses invalid options before the bundler starts', async () => {
  const code: ErrorCode = 'OPTIONS_INVALID'
  await expect(astro({}, '{ "unknown": true }')).rejects.toMatchObject({ code })
})
