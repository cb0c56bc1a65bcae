import { describe, expect, test } from 'vitest'
import {
  containsSecret,
  parseKey,
  findTypedKeys,
  maskKey,
  redact,
  secretForms,
} from '../../../src/config/api-key.ts'

const KEY = 'svc_live_Canary0123456789'

test.each([
  ['svc_live_abc', 'live'],
  ['svc_test_abc', 'test'],
  ['svc_live_test_abc', 'live'],
  ['acme_live_abc', 'live'],
  ['acme_eu_2_test_abc', 'test'],
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
  ['', 'KEY_MALFORMED'],
])('the key %j is %s', (key, want) => {
  expect(Object.values(parseKey(key))).toEqual([want])
})

test.each([
  ['svc_live_0123456789ABCDEF', 'svc_live_…CDEF'],
  ['acme_eu_2_test_0123456789ABCDEF', 'acme_eu_2_test_…CDEF'],
  ['svc_live_local', 'svc_live_…'],
  ['acme_eu_2_test_local', 'acme_eu_2_test_…'],
  ['0_svc_live_89ABCDEF', '…CDEF'],
  ['0123456789ABCDEF', '…CDEF'],
  ['secret', '…'],
])('the key %s is shown as %s', (key, shown) => {
  expect(maskKey(key)).toBe(shown)
})

const TEXTS = [
  { title: 'the key itself', given: `Use ${KEY}!`, want: true },
  { title: 'the key in the middle of a word', given: `x${KEY}x`, want: true },
  { title: 'another key of the service', given: 'key=svc_test_0123456789abcdef', want: true },
  { title: 'a key of another deployment', given: '"acme_live_ABCDEFGHIJKLMNOP"', want: true },
  { title: 'a key that begins in lower case', given: 'svc_live_abcdefghijklmnop1', want: true },
  { title: 'what is too short for a key', given: 'svc_live_0123456789', want: false },
  { title: 'a name in code', given: 'update_live_recommendations()', want: false },
  { title: 'a long name in code', given: 'is_test_internationalization', want: false },
  { title: 'a key of another make', given: 'sk-proj-0123456789abcdef', want: false },
  { title: 'no text', given: '', want: false },
]

describe('a text that contains a key', () => {
  test.each(TEXTS)('a text has a key in it, for $title: $want', ({ given, want }) => {
    expect(containsSecret(given, [KEY])).toBe(want)
    // Nothing is remembered from one text to the next.
    expect(containsSecret(given, [KEY])).toBe(want)
  })

  test('a key in a text is found by its form, without a known key', () => {
    expect(containsSecret(KEY, [])).toBe(true)
    expect(containsSecret('', [])).toBe(false)
    expect(containsSecret('undefined', [])).toBe(false)
  })

  test('a key in a text is found and redacted among millions of letters', () => {
    const text = `漢 svc_live_${'A1'.repeat(5_000_000)}`
    expect(containsSecret(text, [])).toBe(true)
    expect(redact(text, []).startsWith('漢 [key]')).toBe(true)
  })

  test('a known key of another form is found in a text', () => {
    expect(containsSecret('my-odd-key', ['other', 'odd'])).toBe(true)
  })
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

describe('a redacted text', () => {
  test.each([
    ['every occurrence', `${KEY} and ${KEY}`, KEY, '[key] and [key]'],
    ['another key', 'svc_test_0123456789abcdef', KEY, '[key]'],
    ['a key with signs of a pattern', 'a$&b', '$&', 'a[key]b'],
    ['no key known', 'plain', '', 'plain'],
  ])('a redacted text shows no key: %s', (_, text, key, want) => {
    expect(redact(text, [key])).toBe(want)
  })
})

test('a secret has its forms in Base64: in both alphabets, and with slashes that JSON escapes', () => {
  expect(secretForms('>>>>>>???').join(' ')).toBe(
    String.raw`>>>>>>??? Pj4+Pj4+Pz8/ Pj4-Pj4-Pz8_ Pj4+Pj4+Pz8\/ 4+Pj4+Pj8\/P +Pj4+Pj4\/Pz`,
  )
})
