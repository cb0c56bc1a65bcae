import { expect, test } from 'vitest'
import { diagnoseNode } from '../../../../src/features/doctor/doctor.ts'
import manifest from '../../../../package.json' with { type: 'json' }

test.each([
  ['18.20.0', 'broken'],
  ['20.18.3', 'broken'],
  ['20.19.0', 'ok'],
  ['21.7.0', 'broken'],
  ['22.11.0', 'broken'],
  ['22.12.0', 'ok'],
  ['23.0.0', 'ok'],
  ['26.1.0', 'ok'],
])('finds Node %s %s, as the manifest says', (version, state) => {
  expect(manifest.engines.node).toBe('^20.19.0 || >=22.12.0')
  expect(diagnoseNode(version).state).toBe(state)
})
