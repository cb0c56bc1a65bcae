import { describe, expect, test } from 'vitest'
import {
  containsSecret,
  parseKey,
  findTypedKeys,
  maskKey,
  redact,
  secretForms,
} from '../../../src/config/api-key.ts'
import { sanitize } from '../../../src/core/text/sanitize.ts'

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
  ])('a redacted text shows no key: %s', (_, text, key, want) => {
    expect(redact(text, [key])).toBe(want)
  })
})

test('a secret has its forms in Base64: in both alphabets, and with slashes that JSON escapes', () => {
  const forms = String.raw`>>>>>>??? Pj4+Pj4+Pz8/ Pj4-Pj4-Pz8_ Pj4+Pj4+Pz8\/ 4+Pj4+Pj8\/P +Pj4+Pj4\/Pz`
  expect(secretForms('>>>>>>???')).toEqual(expect.arrayContaining(forms.split(' ')))
})

describe('a secret of several lines, with quotes and other signs', () => {
  const PEM = `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B+AQEFAA/\n-----END PRIVATE KEY-----\n`
  const SECRETS = [
    PEM,
    'one"two\'three`four',
    String.raw`C:\one\two`,
    'tabs\tand ${signs}\u200B!',
    "Can't /0+1?#=é",
    'one`two`\n${three}',
  ]

  /** What prints, sends or stores it. */
  const WRITERS: Readonly<Record<string, (secret: string) => string>> = {
    'as it is': (secret) => secret,
    'in a message, on one line': sanitize,
    'in a message that is JSON': (secret) => JSON.stringify(sanitize(secret)),
    'in JSON': (secret) => JSON.stringify(secret),
    'in JSON with escaped slashes': (secret) =>
      JSON.stringify(secret).replaceAll('/', String.raw`\/`),
    'in JSON, of which the quotes became single': (secret) =>
      JSON.stringify(secret)
        .replaceAll(String.raw`\"`, '"')
        .replaceAll("'", String.raw`\'`),
    'in a template literal': (secret) => secret.replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`),
    'in a template literal with \\n': (secret) =>
      secret.replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`),
    'encoded for an address': encodeURIComponent,
    'encoded with lower case': (secret) =>
      encodeURIComponent(secret).replaceAll(/%../g, (code) => code.toLowerCase()),
    'in a query that was encoded': (secret) =>
      new URL(`https://a.example/?k=${encodeURIComponent(secret)}`).href,
    'as the user of an address': (secret) =>
      Object.assign(new URL('https://a.example'), { username: secret }).href,
    'as the path of an address': (secret) =>
      Object.assign(new URL('https://a.example'), { pathname: `/k/${secret}` }).href,
    'in the query of an address': (secret) =>
      Object.assign(new URL('https://a.example'), { search: `k=${secret}` }).href,
    'in a form': (secret) => new URLSearchParams({ k: secret }).toString(),
    'in Base64 behind a user name': (secret) =>
      btoa(`me:${Buffer.from(secret).toString('latin1')}`),
  }
  const cases = SECRETS.flatMap((secret) =>
    Object.entries(WRITERS).map(([how, write]) => ({ secret, how, text: write(secret) })),
  )

  test.each(cases)('the secret $secret is found and masked $how', ({ secret, text }) => {
    expect(containsSecret(`before ${text} after`, secretForms(secret))).toBe(true)
    expect(redact(text, secretForms(secret))).toContain('[key]')
  })

  test('a line of a key is a secret by itself, but a name in lower case is not', () => {
    expect(secretForms(PEM)).toContain('MIIEvQIBADANBgkqhkiG9w0B')
    // As in the name of a host.
    expect(secretForms('Canary0123')).toContain('canary0123')
    const account = '{"type":"service_account","private_key":"Canary0123456789"}'
    expect(secretForms(account)).toContain('Canary0123456789')
    expect(secretForms(account)).not.toContain('service_account')
  })

  test('nothing is a secret where none is set, or where only an invisible character is', () => {
    expect(secretForms('')).toEqual([])
    expect(secretForms(' \n')).toEqual([])
    expect(redact('plain', secretForms('\u200B'))).toBe('plain')
    expect(redact('plain', secretForms(`p${'\u200B'.repeat(12)}`))).toBe('plain')
  })
})
