import type { ResolvedConfig } from 'vite'
import { expect, test } from 'vitest'
import { contextOf } from '../../../src/plugin/vite/vite-config.ts'

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
