import { describe, expect, test } from 'vitest'
import { mapDetails } from '../../../src/errors/prompts-error.ts'
import { secretForms } from '../../../src/core/secrets.ts'
import { clip, createMask, bodyExcerpt } from '../../../src/service/mask.ts'

/** Looks like no key, so that only its own forms are masked. */
const KEY = 'Canary/0+1='
const mask = createMask(secretForms(KEY))

describe('a masked text', () => {
  test.each([
    ['as it is, each time', `a ${KEY} b ${KEY}`, 'a [key] b [key]'],
    ['percent-encoded, as in a path', 'GET /Canary%2F0%2B1%3D', 'GET /[key]'],
    ['percent-encoded in lower case', 'GET /Canary%2f0%2b1%3d', 'GET /[key]'],
    ['in lower case, as in the name of a host', 'canary/0+1=.example', '[key].example'],
    ['in JSON that escapes slashes, as PHP does', String.raw`"Canary\/0+1="`, '"[key]"'],
    ['in Base64', Buffer.from(KEY).toString('base64'), '[key]0='],
    ['in Base64 after a user name', Buffer.from(`me:${KEY}`).toString('base64'), 'bWU6[key]0='],
    ['in Base64 of a header', Buffer.from(`Bearer ${KEY}`).toString('base64'), 'QmVhcmVyIE[key]'],
    ['with an invisible character inside', 'Canary\u200b/0+1=', '[key]'],
    ['with an escape sequence inside', 'Canary\u001b[31m/0+1=', '[key]'],
    ['another key of such a service', 'svc_test_0123456789abcdef', '[key]'],
    ['no key at all', 'Canary', 'Canary'],
  ])('a masked text hides the key %s', (_, text, want) => {
    expect(mask(text)).toBe(want)
  })

  test('a masked text hides every key that is set, of which one may be a part of another', () => {
    const both = createMask(['oddities', KEY, `${KEY}more`].flatMap(secretForms))
    expect(both(`oddities ${KEY} ${KEY}more`)).toBe('[key] [key] [key]')
  })

  test('a masked text hides a key of several lines, which becomes one line', () => {
    const pem = '-----BEGIN KEY-----\nMIIE+vQ\tIB\u200BAD\n-----END KEY-----\n'
    expect(createMask(secretForms(pem))(`bad key: ${pem}!`)).toBe('bad key: [key] !')
  })

  test('a masked text can not move the cursor or start a line', () => {
    expect(mask('a\r\n::error::b\u001b[2J')).toBe('a ::error::b')
  })
})

test('no form of Base64 shows the key, at any place and with any alphabet', () => {
  const odd = 'svc_live_a?b>c/d+e~~~???>>>'
  for (const before of ['', 'a', 'ab', 'abc', 'Bearer ']) {
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = Buffer.from(`${before}${odd}::`).toString(encoding)
      for (const text of [encoded, encoded.replaceAll('/', String.raw`\/`)]) {
        const masked = createMask(secretForms(odd))(text)
        expect(masked).toContain('[key]')
        expect(masked.replace('[key]', '').length).toBeLessThan(20)
      }
    }
  }
})

test('a key with quotes is masked in JSON too', () => {
  const odd = createMask(secretForms('a"b\\cdefgh'))
  expect(odd(JSON.stringify({ message: 'a"b\\cdefgh' }))).toBe('{"message":"[key]"}')
})

test('masked details have every text masked, alone and in lists, and the rest as it was', () => {
  const details = { url: `/${KEY}`, status: 500, problems: [`at ${KEY}`, 'other'], pid: undefined }
  expect(mapDetails(details, mask)).toStrictEqual({
    url: '/[key]',
    status: 500,
    problems: ['at [key]', 'other'],
    pid: undefined,
  })
})

describe('an excerpt', () => {
  test('an excerpt is the first 80 complete characters after masking', () => {
    expect(clip(`  ${'x'.repeat(75)}${KEY}${'y'.repeat(9)}`, mask)).toBe(`${'x'.repeat(75)}[key]`)
    expect(clip('😀'.repeat(100), mask)).toBe('😀'.repeat(80))
    expect(clip(' short ', mask)).toBe('short')
  })

  test.each([
    ['the error that services usually give', '{"error":"Slow down","id":1}', 'Slow down'],
    ['its error, which may be empty', '{"error":""}', ''],
    ['all of it where its error is no text', '{"error":{"code":1}}', '{"error":{"code":1}}'],
    [
      'the message of a body that names the class of its error too',
      '{"message":"No such key","error":"UnauthorizedError"}',
      'No such key',
    ],
    ['its error where the message is no text', '{"message":{},"error":"no"}', 'no'],
    ['all of it where it has neither', '{"detail":"no"}', '{"detail":"no"}'],
    ['all of it where it is a list', '["no"]', '["no"]'],
    ['all of it where it is a text', '"no"', '"no"'],
    ['all of it where it is null', 'null', 'null'],
    ['all of it where it is no JSON', '<h1>no</h1>', '<h1>no</h1>'],
    ['its error without the key', `{"error":"Unknown key ${KEY}"}`, 'Unknown key [key]'],
    ['200 characters of its error', `{"error":"${'x'.repeat(201)}"}`, 'x'.repeat(200)],
    ['what its first 64 KiB have', `${' '.repeat(65_533)}beginning`, 'beg'],
  ])('an excerpt of a body is %s', (_, body, want) => {
    expect(bodyExcerpt(new TextEncoder().encode(body), mask)).toBe(want)
  })
})
