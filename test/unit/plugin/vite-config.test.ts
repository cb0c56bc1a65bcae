import manifest from '../../../package.json' with { type: 'json' }
import type { ResolvedConfig } from 'vite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toForwardSlashes } from '../../../src/fs/paths.ts'
import { folderWith } from '../../helpers/cli.ts'
import { contextOf } from '../../../src/plugin/vite/vite.ts'

test.each([
  [
    'what Rolldown inserts, in Vite 8',
    { rolldownOptions: { transform: { define: { B: 'b' } } } },
    ['a', 'b'],
  ],
  ['define alone, in Vite 7', { rollupOptions: {} }, ['a']],
])('reads as replacements in modules %s', (_, build, replacements) => {
  const environments = { client: { build, define: { A: 'a' } } }
  const config = { environments, server: {} } as unknown as ResolvedConfig
  expect(contextOf(config)).toMatchObject({ replacements })
})

const VITE_5 = {
  bundler: 'Vite',
  version: '5.4.21',
  lowest: manifest.peerDependencies.vite.replace(/^>=| .*/g, ''),
}
const VITEST_2 = { bundler: 'Vitest', version: 'with Vite 5.4.21', lowest: '3.0.0' }

test.each([
  ['Vite 5', 'vite', { vite: '5.4.21' }, VITE_5],
  ['the Vite 5 of another tool', 'tool/node_modules/vite', { vite: '6.4.6' }, VITE_5],
  ['Vitest 2', 'vitest/node_modules/vite', { vite: '6.4.6' }, VITEST_2],
])('refuses %s with the version that runs', async (_, running, app, details) => {
  const versions = { [running]: '5.4.21', ...app }
  const packages = Object.entries(versions).map(([name, version]) => [
    `node_modules/${name}/package.json`,
    JSON.stringify({ version }),
  ])
  const root = await folderWith(Object.fromEntries(packages) as Record<string, string>)
  const isVitest = running.startsWith('vitest')
  vi.stubEnv('VITEST', isVitest ? 'true' : undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  // As Vitest 2 sets it.
  const environments = isVitest ? { ssr: { resolve: {} } } : undefined
  const client = toForwardSlashes(`${root}/node_modules/${running}/dist/client/client.mjs`)
  const resolve = { alias: [{ find: /client/, replacement: `/@fs${client}` }] }
  const old = { root, environments, resolve, server: {} } as unknown as ResolvedConfig
  expect(() => contextOf(old)).toThrow(
    expect.objectContaining({ code: 'BUNDLER_UNSUPPORTED', details }),
  )
})
