import manifest from '../../../package.json' with { type: 'json' }
import type { ResolvedConfig } from 'vite'
import { expect, test } from 'vitest'
import { folderWith } from '../../helpers/cli.ts'
import { contextOf } from '../../../src/plugin/vite/vite.ts'

/** A configuration with one environment, as far as it is read. */
function config(build: object): ResolvedConfig {
  const environments = { client: { build, define: { NAME: 'fromDefine' } } }
  return { environments, server: {} } as unknown as ResolvedConfig
}

test('reads what Rolldown inserts into modules, in Vite 8', () => {
  const rolldownOptions = { transform: { define: { OTHER: 'fromRolldown' } } }
  expect(contextOf(config({ rolldownOptions })).replacements).toEqual([
    'fromDefine',
    'fromRolldown',
  ])
})

test('works without the options of Rolldown, in Vite 7', () => {
  expect(contextOf(config({ rollupOptions: {} })).replacements).toEqual(['fromDefine'])
})

test.each([
  ['an app without a server', 'spa', ['client', 'ssr'], true],
  ['several pages without a server', 'mpa', ['client', 'ssr'], true],
  ['a framework with a server', 'custom', ['client', 'ssr'], false],
  ['an app with an environment for its server', 'spa', ['client', 'worker'], false],
])('knows %s', (_, appType, names, singlePage) => {
  const environments = Object.fromEntries(names.map((name) => [name, { build: {} }]))
  const app = { appType, environments, server: {} } as unknown as ResolvedConfig
  expect(contextOf(app)).toMatchObject({ singlePage })
})

test.each([
  ['5.4.21', { 'node_modules/vite/package.json': '{ "version": "5.4.21" }' }],
  ['5 or older', {}],
])('refuses Vite %s, which has no environments', async (version, files) => {
  const root = await folderWith(files)
  const lowest = manifest.peerDependencies.vite.replace('>=', '')
  const old = { root, server: {} } as unknown as ResolvedConfig
  expect(() => contextOf(old)).toThrow(
    expect.objectContaining({
      code: 'BUNDLER_UNSUPPORTED',
      details: { bundler: 'Vite', version, lowest },
    }),
  )
})
