import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { PluginOptions } from '../../../../src/config/options.ts'
import type { ErrorCode } from '../../../../src/errors/catalogue.ts'
import prompts from '../../../../src/nuxt.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

/** Where and how Nuxt runs the module. */
interface Given {
  readonly prompts?: PluginOptions
  readonly inline?: PluginOptions
  readonly dev?: boolean
  readonly plugins?: unknown
}

/** Nuxt with its hooks, after it has run the module. */
async function nuxt({ prompts: configured, inline = {}, plugins, ...given }: Given = {}) {
  const rootDir = await temporaryFolder({ 'package.json': '{ "type": "module" }' })
  const vite = plugins === undefined ? {} : { plugins }
  const options = { rootDir, dev: false, prompts: configured, vite, ...given }
  const hooks = new Map<string, (...args: never[]) => unknown>()
  await prompts(inline, { options, hook: (name, run) => hooks.set(name, run) })
  /** Runs a hook on an object, as Nuxt does, and gives the object. */
  const call = <Value>(name: string, ...args: [...unknown[], Value]): Value => {
    hooks.get(name)?.(...(args as unknown as never[]))
    return args.at(-1) as Value
  }
  return { rootDir, vite: vite as { plugins?: { name: string }[] }, hooks, call }
}

test('adds the plugins to Vite, after those that are there', async () => {
  const { vite } = await nuxt({ plugins: [{ name: 'vue' }] })
  const [first, ...ours] = vite.plugins?.map(({ name }) => name) ?? []
  expect([first, ours.filter((name) => !name.includes('/'))]).toEqual(['vue', ['unplugin-prompts']])
})

test.each([
  ['nothing', {}, 0],
  ['one plugin', { rollupConfig: { plugins: { name: 'own' } } }, 1],
  ['a list', { rollupConfig: { plugins: [{ name: 'own' }, { name: 'other' }] } }, 2],
])('adds the plugin to Nitro, whose configuration has %s', async (_, config, count) => {
  const { call } = await nuxt()
  const { rollupConfig } = call<{ rollupConfig?: { plugins?: { name: string }[] } }>(
    'nitro:config',
    config as object,
  )
  expect(rollupConfig?.plugins).toHaveLength(count + 1)
  expect(rollupConfig?.plugins?.at(-1)).toMatchObject({ name: 'unplugin-prompts' })
})

test('references the declarations in each TypeScript project of Nuxt, by the options next to its name', async () => {
  const { rootDir, call } = await nuxt({ prompts: { dts: 'a.d.ts' }, inline: { dts: 'b.d.ts' } })
  const path = join(rootDir, 'b.d.ts')
  const other = { path: '/other.d.ts' }
  expect(call('prepare:types', { references: [other], nodeReferences: [] })).toEqual({
    references: [other, { path }],
    nodeReferences: [{ path }],
    sharedReferences: [{ path }],
  })
  expect(call('nitro:prepare:types', { references: [] })).toEqual({ references: [{ path }] })
})

test.each<[configured: PluginOptions, name: string, dts: string]>([
  [{ dts: 'a.d.ts' }, 'prompts', 'a.d.ts'],
  [{ dts: 'a.d.ts' }, 'billing-prompts', 'billing-prompts.d.ts'],
  [{ dts: 'a.d.ts', name: 'billing-prompts' }, 'billing-prompts', 'a.d.ts'],
])('takes %j for the instance that it names: %s has %s', async (configured, name, dts) => {
  const { rootDir, call } = await nuxt({ prompts: configured, inline: { name } })
  const { references } = call<{ references?: object[] }>('nitro:prepare:types', {})
  expect(references).toEqual([{ path: join(rootDir, dts) }])
})

test('names the command of the page in dev', async () => {
  const { call } = await nuxt({ dev: true, prompts: { name: 'billing-prompts' } })
  const log = vi.spyOn(console, 'log').mockReturnValue()
  call('listen', {})
  const printed = log.mock.calls.join()
  log.mockRestore()
  expect(printed).toContain('npx prompts ui --name billing-prompts')
})

const HOOKS = ['nitro:config', 'prepare:types', 'nitro:prepare:types']

test.each([
  ['has no page in a build', {}, HOOKS],
  ['has no page if the option page is false', { dev: true, prompts: { page: false } }, HOOKS],
  ['adds no types if the option dts is false', { prompts: { dts: false } }, HOOKS.slice(0, 1)],
] as const)('%s', async (_, given, names) => {
  const { hooks } = await nuxt(given)
  expect([...hooks.keys()]).toEqual(names)
})

test('declares the key of its options, and refuses invalid ones before anything is built', async () => {
  expect(await prompts.getMeta()).toMatchObject({ configKey: 'prompts' })
  const code: ErrorCode = 'OPTIONS_INVALID'
  await expect(nuxt({ prompts: { pull: 'sometimes' as 'never' } })).rejects.toMatchObject({ code })
})
