import { inspect } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { canaryApp, filesWithTraces, tracesIn } from '../helpers/canary.ts'
import { outcome } from '../helpers/service-client.ts'
import { BUNDLERS } from './bundlers.ts'
import { jobIn } from './configs.ts'
import { devServer } from './vite-server.ts'

/** Everything that is printed from here on, by whatever means. */
function listen(): () => string {
  const said: unknown[] = []
  const hear = (...words: unknown[]): true => {
    said.push(...words)
    return true
  }
  const spies = [
    ...(['log', 'info', 'warn', 'error', 'debug'] as const).map((name) => vi.spyOn(console, name)),
    vi.spyOn(process.stdout, 'write'),
    vi.spyOn(process.stderr, 'write'),
  ]
  for (const spy of spies) spy.mockImplementation(hear as never)
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
  return () => said.map((word) => inspect(word, { depth: 20 })).join('\n')
}

// One bundler of each kind: what is printed is the same text in all.
test.each(['Vite SSR', 'webpack', 'esbuild'] as const)(
  'a build with %s that pulls puts the key nowhere, with source maps',
  async (bundler) => {
    const { root, service } = await canaryApp()
    service.mood = 'flaky'
    const said = listen()
    const options = { pull: 'always' } as const
    await BUNDLERS[bundler](jobIn(root, { minify: false, options }))
    service.mood = 'refusing'
    const refused = await outcome(BUNDLERS[bundler](jobIn(root, { options })))
    expect(refused).toBeInstanceOf(Error)
    expect(tracesIn(`${said()}\n${inspect(refused, { depth: 20 })}`)).toEqual([])
    expect(service.asked).toBeGreaterThan(3)
    expect(await filesWithTraces(root)).toEqual([])
  },
)

test('no module of a dev server shows the key', async () => {
  const { root, service } = await canaryApp()
  const said = listen()
  const { server, log, sent } = await devServer(root, { pull: 'always' })
  const code = await server.transformRequest('main.js')
  const main = await server.transformRequest('virtual:prompts')
  expect(tracesIn(inspect([code, main, log, sent], { depth: 20 }) + said())).toEqual([])
  expect(service.asked).toBeGreaterThan(3)
  expect(await filesWithTraces(root)).toEqual([])
})
