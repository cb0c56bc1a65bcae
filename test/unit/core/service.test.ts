import { expect, test } from 'vitest'
import { servedVersion } from '../../../src/core/service.ts'

const entry = { slug: 'a', folder: 'f', model: 'm', liveVersion: 'v1' }

test.each([
  { environment: 'live', stagingVersion: 'v2', want: 'v1' },
  { environment: 'live', stagingVersion: null, want: 'v1' },
  { environment: 'test', stagingVersion: 'v2', want: 'v2' },
  { environment: 'test', stagingVersion: null, want: 'v1' },
  { environment: 'test', stagingVersion: '', want: '' },
] as const)(
  'a $environment key is served $want where staging is $stagingVersion',
  ({ environment, stagingVersion, want }) => {
    expect(servedVersion({ ...entry, stagingVersion }, environment)).toBe(want)
  },
)
