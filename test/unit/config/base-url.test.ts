import { expect, test } from 'vitest'
import { parseBaseUrl } from '../../../src/config/base-url.ts'

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
])('%s can be used', (text, origin, prefix, isLoopback) => {
  const { host } = new URL(origin)
  expect(parseBaseUrl(text)).toEqual({ kind: 'usable', origin, host, prefix, isLoopback })
})

test.each([
  ['', 'it is not a URL'],
  ['prompts.example', 'it is not a URL'],
  ['/api', 'it is not a URL'],
  ['https://', 'it is not a URL'],
  [' https://prompts.example', 'it is not a URL'],
  ['https://prompts.example\n', 'it is not a URL'],
  ['https://prom\npts.example', 'it is not a URL'],
  ['localhost:3000', 'it begins with localhost:, not with https:'],
  ['ftp://prompts.example', 'it begins with ftp:, not with https:'],
  ['file:///etc/passwd', 'it begins with file:, not with https:'],
  ['https://user@prompts.example', 'it contains a user name or password'],
  ['https://:secret@prompts.example', 'it contains a user name or password'],
  ['https://prompts.example?', 'it contains a query or a fragment'],
  ['https://prompts.example/?key=1', 'it contains a query or a fragment'],
  ['https://prompts.example/#', 'it contains a query or a fragment'],
  ['http://prompts.example', 'http: to prompts.example would send the key unencrypted'],
  ['http://127.0.0.1.example', expect.stringContaining('http: to 127.0.0.1.example')],
  ['http://localhost.example', expect.stringContaining('http: to localhost.example')],
  ['http://mylocalhost', expect.stringContaining('http: to mylocalhost')],
  ['http://128.0.0.1', expect.stringContaining('http: to 128.0.0.1')],
  ['http://0.0.0.0', expect.stringContaining('http: to 0.0.0.0')],
  ['http://[::2]', expect.stringContaining('http: to [::2]')],
])('%j can not', (text, problem) => {
  expect(parseBaseUrl(text)).toEqual({ kind: 'unusable', problem })
})
