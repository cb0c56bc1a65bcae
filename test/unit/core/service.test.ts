import { describe, expect, test } from 'vitest'
import { isReadable, listedParts } from '../../../src/core/service.ts'

const entry = { slug: 'a', folder: 'f', model: 'm', liveVersion: 'v1', stagingVersion: 'v2' }
const published = { ...entry, stagingVersion: null }

test.each([
  ['v2', ['live v1', 'test v2']],
  ['', ['live v1', 'test ']],
  [null, ['live v1']],
  ['v1', ['live v1', 'test v1']],
])(
  'where the list has v1 and %j for staging, a prompt has the parts %j',
  (stagingVersion, want) => {
    const parts = listedParts({ ...entry, stagingVersion })
    expect(parts.map(({ environment, version }) => `${environment} ${version}`)).toEqual(want)
  },
)

describe('what can be read', () => {
  const both = { live: 'all', staging: true } as const
  const live = { live: 'all', staging: false } as const
  const staging = { live: 'unstaged', staging: true } as const

  test.each([
    ['both keys', both, [true, true, true]],
    ['a live key', live, [true, true, false]],
    ['a test key', staging, [false, true, true]],
    ['no key', { live: 'none', staging: false } as const, [false, false, false]],
  ])('live, published and staging versions can be read with %s: %j', (_, readable, want) => {
    const [of, staged] = [
      { slug: 'a', environment: 'live' },
      { slug: 'a', environment: 'test' },
    ] as const
    expect([
      isReadable(entry, of, readable),
      isReadable(published, of, readable),
      isReadable(entry, staged, readable),
    ]).toEqual(want)
  })
})
