import { expect, test } from 'vitest'
import { chooseProxy } from '../../../src/service/http.ts'

const service = { origin: 'https://prompts.example', isLoopback: false }
const url = 'http://proxy.example:3128'
const proxy = new URL(url)
const direct = undefined

function choose(variables: Readonly<Record<string, string>>, address = service): URL | undefined {
  return chooseProxy(address, variables, 'prompts')
}

test.each([
  [{}, direct],
  [{ HTTPS_PROXY: url }, proxy],
  [{ https_proxy: url, HTTPS_PROXY: 'http://other.example' }, proxy],
  [{ HTTP_PROXY: url }, proxy],
  [{ HTTPS_PROXY: url, HTTP_PROXY: 'http://other.example' }, proxy],
  [{ HTTPS_PROXY: url, http_proxy: 'http://other.example' }, proxy],
  [{ http_proxy: url }, proxy],
  [{ http_proxy: url, HTTP_PROXY: 'http://other.example' }, proxy],
  [{ https_proxy: '', HTTP_PROXY: url }, proxy],
  [{ https_proxy: '', HTTPS_PROXY: url }, direct],
  [{ HTTPS_PROXY: ' proxy.example:3128 ' }, proxy],
  [{ HTTPS_PROXY: ' ' }, direct],
  [{ HTTPS_PROXY: 'proxy.example:3128' }, proxy],
  [{ HTTPS_PROXY: '' }, direct],
  [{ ALL_PROXY: url }, direct],
  [{ HTTPS_PROXY: url, NO_PROXY: '' }, proxy],
  [{ HTTPS_PROXY: url, NO_PROXY: '*' }, direct],
  [{ HTTPS_PROXY: url, NO_PROXY: 'a.example, prompts.example' }, direct],
  [{ HTTPS_PROXY: url, no_proxy: 'Example' }, direct],
  [{ HTTPS_PROXY: url, no_proxy: '.example' }, direct],
  [{ HTTPS_PROXY: url, no_proxy: '*.example' }, direct],
  [{ HTTPS_PROXY: url, no_proxy: 'prompts.example:443' }, direct],
  [{ HTTPS_PROXY: url, no_proxy: 'prompts.example:80' }, proxy],
  [{ HTTPS_PROXY: url, no_proxy: 'mpts.example' }, proxy],
  [{ HTTPS_PROXY: url, no_proxy: 'prompts.example:443x' }, proxy],
  [{ HTTPS_PROXY: url, no_proxy: 'a.example\tprompts.example' }, direct],
  [{ HTTPS_PROXY: url, no_proxy: 'a.example', NO_PROXY: '*' }, proxy],
  [{ HTTPS_PROXY: url, no_proxy: '*a' }, proxy],
])('the variables %j choose %j', (variables, want) => {
  expect(choose(variables)).toEqual(want)
})

test.each([
  // An empty exception does not match a name that ends with a dot.
  ['https://prompts.example.', ', ', proxy],
  ['https://prompts.example:8443', 'prompts.example:8443', direct],
  ['https://prompts.example:8443', 'prompts.example', direct],
  ['https://prompts.example:8443', 'prompts.example:443', proxy],
])('for the service %s, the exception %j chooses %j', (origin, no_proxy, want) => {
  expect(choose({ HTTPS_PROXY: url, no_proxy }, { origin, isLoopback: false })).toEqual(want)
})

test.each([
  [{ HTTPS_PROXY: url }, direct],
  [{ HTTPS_PROXY: 'http://other.example', HTTP_PROXY: url }, proxy],
  [{ HTTP_PROXY: url, NO_PROXY: 'prompts.example:80' }, direct],
  [{ HTTP_PROXY: url, NO_PROXY: 'prompts.example:443' }, proxy],
])('for a service by http, the variables %j choose %j', (variables, want) => {
  const address = { origin: 'http://prompts.example', isLoopback: false }
  expect(choose(variables, address)).toEqual(want)
})

test('credentials of a proxy are used', () => {
  const secret = 'http://user:p%40ss@proxy.example/'
  expect(choose({ HTTPS_PROXY: secret })?.href).toBe(secret)
})

test('this machine is never reached through a proxy', () => {
  const local = { origin: 'http://127.0.0.1:3000', isLoopback: true }
  expect(choose({ HTTP_PROXY: url, HTTPS_PROXY: url }, local)).toEqual(direct)
})

test.each([
  'socks5://proxy.example:1080',
  'xhttp://proxy.example',
  'http://',
  'http://user:%@proxy.example',
  'http://%@proxy.example',
])('the proxy %s can not be used, which does not tell its credentials', (text) => {
  const reason = 'the proxy variables contain no http: or https: address'
  const details = { url: service.origin, reason, attempts: 0, workspace: 'prompts' }
  const error = expect.objectContaining({ code: 'SERVICE_UNREACHABLE', details })
  expect(() => choose({ HTTPS_PROXY: text })).toThrow(error)
})
