import { describe, expect, test } from 'vitest'
import { containsSecret, hasSecret, redact, secretForms } from '../../../src/core/secrets.ts'
import { sanitize } from '../../../src/core/text/sanitize.ts'

const KEY = 'svc_live_Canary0123456789'

const TEXTS = [
  { title: 'the key itself', given: `Use ${KEY}!`, want: true },
  { title: 'the key in the middle of a word', given: `x${KEY}x`, want: true },
  { title: 'another key of the service', given: 'key=svc_test_0123456789abcdef', want: true },
  { title: 'a key of another deployment', given: '"acme_live_ABCDEFGHIJKLMNOP"', want: true },
  { title: 'a key that begins in lower case', given: 'svc_live_abcdefghijklmnop1', want: true },
  { title: 'what is too short for a key', given: 'svc_live_0123456789', want: false },
  { title: 'a name in code', given: 'update_live_recommendations()', want: false },
  { title: 'a long name in code', given: 'is_test_internationalization', want: false },
  { title: 'a name of a test', given: 'user_test_CreatesAccountWhenValid', want: false },
  { title: 'a key of letters alone', given: 'svc_live_CanaryAbcdefghijkl', want: true },
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

test.each(['Ab3dEf6h', 'Ab3dEf6h9'])(
  'the Base64 of the short secret %s is found behind anything',
  (secret) => {
    for (const before of ['', 'u', 'u:', 'me:'])
      expect(hasSecret(btoa(before + secret), secretForms(secret))).toBe(true)
  },
)

describe('a secret of several lines, with quotes and other signs', () => {
  const PEM = `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B+AQEFAA/\n-----END PRIVATE KEY-----\n`
  const SECRETS = [
    PEM,
    'one"two\'three`four',
    String.raw`C:\one\two`,
    'tabs\tand ${signs}\u200B!',
    "Can't /0+1?#=é",
    'pässwörd-Ключ-😀',
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
    'in a literal of ASCII, as esbuild prints it': (secret) =>
      escaped(secret, (code) => (code > 0xff ? String.raw`\u${hex(code, 4)}` : xEscape(code))),
    'in JSON of ASCII': (secret) =>
      escaped(JSON.stringify(secret), (code) => String.raw`\u${hex(code, 4).toLowerCase()}`),
    'in JSON that is safe in HTML': (secret) =>
      JSON.stringify(secret).replaceAll(/[<>&'+]/g, (sign) => `\\u00${hex(sign.charCodeAt(0), 2)}`),
    'with each character escaped as \\x or \\u': (secret) =>
      Array.from({ length: secret.length }, (_, index) => secret.charCodeAt(index))
        .map((code) => (code > 0xff ? String.raw`\u${hex(code, 4)}` : xEscape(code)))
        .join(''),
    'with each character escaped by its code point': (secret) =>
      Array.from(secret, (sign) => String.raw`\u{0${hex(sign.codePointAt(0) ?? 0, 1)}}`).join(''),
    'in a source map, which is JSON of code': (secret) =>
      JSON.stringify(`"${escaped(secret, xEscape)}"`),
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

  function hex(code: number, length: number): string {
    return code.toString(16).toUpperCase().padStart(length, '0')
  }

  function xEscape(code: number): string {
    return code > 0xff ? String.fromCharCode(code) : String.raw`\x${hex(code, 2)}`
  }

  /** A text whose characters outside ASCII are escaped. */
  function escaped(text: string, escape: (code: number) => string): string {
    return text.replaceAll(/[^\0-\x7f]/g, (unit) => escape(unit.charCodeAt(0)))
  }

  const cases = SECRETS.flatMap((secret) =>
    Object.entries(WRITERS).map(([how, write]) => ({ secret, how, text: write(secret) })),
  )

  test.each(cases)('the secret $secret is found and masked $how', ({ secret, text }) => {
    const forms = secretForms(secret)
    expect(containsSecret(`before ${text} after`, forms)).toBe(true)
    const masked = redact(`before ${text} after`, forms)
    expect(masked).toMatch(/^before [^]*\[key\][^]* after$/)
    expect(containsSecret(masked, forms)).toBe(false)
  })

  test('a line of a key is a secret by itself, but a name in lower case is not', () => {
    expect(secretForms(PEM)).toContain('MIIEvQIBADANBgkqhkiG9w0B')
    // As in the name of a host.
    expect(secretForms('Canary0123')).toContain('canary0123')
    const account = '{"type":"service_account","private_key":"Canary0123456789"}'
    expect(secretForms(account)).toContain('Canary0123456789')
    expect(secretForms(account)).not.toContain('service_account')
  })

  test('a text with other escapes is neither found nor changed', () => {
    const text = String.raw`\u{110000} \x41 \\u0042 \u{zz} \\\\\\\\u00`
    expect(hasSecret(text, secretForms(PEM))).toBe(false)
    expect(redact(text, secretForms(PEM))).toBe(text)
  })

  test('a value of fewer than 8 characters, quotes and white space aside, is not searched for', () => {
    expect(secretForms('"1234567"\n')).toEqual([])
    expect(secretForms('12345678')).toContain('12345678')
    expect(secretForms("'12345678'\r\n")).toEqual(secretForms('12345678'))
    for (const quoted of ["key='12345678'", "'1234'5678"])
      expect(secretForms(quoted)).toContain(quoted)
  })

  test('nothing is a secret where none is set, or where only an invisible character is', () => {
    expect(secretForms('')).toEqual([])
    expect(secretForms(' \n')).toEqual([])
    expect(redact('plain', secretForms('\u200B'))).toBe('plain')
    expect(redact('plain', secretForms(`p${'\u200B'.repeat(12)}`))).toBe('plain')
  })
})
