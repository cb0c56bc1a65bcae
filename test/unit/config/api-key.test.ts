import { describe, expect, test } from 'vitest'
import { findTypedKeys, maskKey, parseKey } from '../../../src/config/api-key.ts'

test.each([
  ['svc_live_abc', 'live'],
  ['svc_test_abc', 'test'],
  ['svc_live_test_abc', 'live'],
  ['acme_live_abc', 'live'],
  ['acme_eu_2_test_abc', 'test'],
  ['acme-eu_live_abc', 'live'],
  ['a_live_b-c/d+e=', 'live'],
  ['svc_live_', 'KEY_KIND_UNKNOWN'],
  ['svc_prod_abc', 'KEY_KIND_UNKNOWN'],
  ['live_abc', 'KEY_KIND_UNKNOWN'],
  ['Svc_live_abc', 'KEY_KIND_UNKNOWN'],
  ['SVC_LIVE_abc', 'KEY_KIND_UNKNOWN'],
  ['1svc_live_abc', 'KEY_KIND_UNKNOWN'],
  ['svc-live-abc', 'KEY_KIND_UNKNOWN'],
  ['svc_live_a b', 'KEY_MALFORMED'],
  ['svc_live_äb', 'KEY_MALFORMED'],
  ['svc_live_abc\n', 'KEY_MALFORMED'],
  [' svc_live_abc', 'KEY_MALFORMED'],
  ['"svc_live_abc"', 'KEY_MALFORMED'],
  ["'svc_live_abc'", 'KEY_MALFORMED'],
  ['', 'KEY_MALFORMED'],
])('the key %j is %s', (key, want) => {
  expect(Object.values(parseKey(key))).toEqual([want])
})

test.each([
  ['svc_live_0123456789ABCDEF', 'svc_live_…CDEF'],
  ['acme_eu_2_test_0123456789ABCDEF', 'acme_eu_2_test_…CDEF'],
  ['acme-eu_live_0123456789ABCDEF', 'acme-eu_live_…CDEF'],
  ['svc_live_local', 'svc_live_…'],
  ['acme_eu_2_test_local', 'acme_eu_2_test_…'],
  ['0_svc_live_89ABCDEF', '…CDEF'],
  ['0123456789ABCDEF', '…CDEF'],
  ['secret', '…'],
])('the key %s is shown as %s', (key, shown) => {
  expect(maskKey(key)).toBe(shown)
})

describe('a typed word', () => {
  test.each([
    ['svc_live_abc', ['svc_live_abc']],
    ['--svc_test_a/b+c', ['svc_test_a/b+c']],
    ['--api-key=svc_live_a=1', ['svc_live_a=1', 'svc_live_a']],
    ['acme_live_ABCDEFGHIJKLMNOP/0', ['acme_live_ABCDEFGHIJKLMNOP/0']],
    ['acme_live_ABCDEFGHIJKLMNOP,svc_live_a', ['acme_live_ABCDEFGHIJKLMNOP,svc_live_a']],
    ['svc_live_a,acme_live_ABCDEFGHIJKLMNOP', ['svc_live_a,acme_live_ABCDEFGHIJKLMNOP']],
    ['ab_test_variants', []],
    ['support-triage', []],
    ['', []],
  ])('what may be a key of the typed word %j is %j', (word, want) => {
    expect(findTypedKeys(word)).toEqual(want)
  })
})
