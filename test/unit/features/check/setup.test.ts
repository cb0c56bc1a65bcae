import { expect, test } from 'vitest'
import { checkNode } from '../../../../src/features/check/setup.ts'
import manifest from '../../../../package.json' with { type: 'json' }

test.each([
  ['18.20.0', 'error'],
  ['20.18.3', 'error'],
  ['20.19.0', 'ok'],
  ['21.7.0', 'error'],
  ['22.11.0', 'error'],
  ['22.12.0', 'ok'],
  ['23.0.0', 'ok'],
  ['26.1.0', 'ok'],
])('finds Node %s %s, as the manifest says', (version, state) => {
  expect(manifest.engines.node).toBe('^20.19.0 || >=22.12.0')
  expect(checkNode(version).state).toBe(state)
})
