import { expect, test } from 'vitest'
import { originOf, parseBaseUrl } from '../../../src/config/base-url.ts'

test.each([
  ['https://prompts.example', 'https://prompts.example', '', false],
  ['https://prompts.example/', 'https://prompts.example', '', false],
  ['https://prompts.example:8443/base//', 'https://prompts.example:8443', '/base', false],
  ['https://prompts.example/a/b/', 'https://prompts.example', '/a/b', false],
  ['HTTPS://Prompts.Example:443/Base', 'https://prompts.example', '/Base', false],
  ['https://127.0.0.1', 'https://127.0.0.1', '', true],
  ['http://localhost:3000', 'http://localhost:3000', '', true],
  ['http://LOCALHOST', 'http://localhost', '', true],
  ['http://127.0.0.1:3000/x', 'http://127.0.0.1:3000', '/x', true],
  ['http://127.255.0.1', 'http://127.255.0.1', '', true],
  ['http://2130706433', 'http://127.0.0.1', '', true],
  ['http://[::1]:3000', 'http://[::1]:3000', '', true],
])('the address %s can be used', (text, origin, prefix, isLoopback) => {
  const { host } = new URL(origin)
  expect(parseBaseUrl(text)).toEqual({ origin, host, prefix, isLoopback })
})

const UNUSABLE = [
  '',
  'prompts.example',
  '/api',
  'https://',
  ' https://prompts.example',
  'https://prompts.example\n',
  'https://prom\npts.example',
  '"https://prompts.example"',
  'localhost:3000',
  'ftp://prompts.example',
  'file:///etc/passwd',
  'https://user@prompts.example',
  'https://:secret@prompts.example',
  'https://prompts.example?',
  'https://prompts.example/?key=1',
  'https://prompts.example/#',
  'http://prompts.example',
  'http://127.0.0.1.example',
  'http://localhost.example',
  'http://mylocalhost',
  'http://128.0.0.1',
  'http://0.0.0.0',
  'http://[::2]',
]

test('each refused address has its reason', () => {
  const reasons = UNUSABLE.map((text) => {
    const parsed = parseBaseUrl(text)
    return [JSON.stringify(text), 'problem' in parsed ? parsed.problem : parsed]
  })
  expect(Object.fromEntries(reasons)).toMatchSnapshot()
})

test.each([
  ['https://me:secret@prompts.example/base', 'https://prompts.example'],
  ['prompts.example', undefined],
  [undefined, undefined],
])('of the address %s, %s is shown', (address, want) => {
  expect(originOf(address)).toBe(want)
})
