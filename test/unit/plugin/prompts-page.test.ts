import { get, type RequestListener } from 'node:http'
import { networkInterfaces } from 'node:os'
import type { ViteDevServer } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { addPromptsPage } from '../../../src/plugin/vite/prompts-page.ts'
import { fakeHost, fakeProject } from '../../helpers/fake-project.ts'
import { startLocalServer } from '../../helpers/local-server.ts'

/** Asks for the page of a dev server that listens through a framework; gives what it logs. */
async function ask(host: string): Promise<string[]> {
  const log: string[] = []
  let page: RequestListener | undefined
  const server = {
    config: {
      base: '/',
      mode: 'development',
      server: {},
      logger: { info: (line: string) => log.push(line) },
    },
    resolvedUrls: null,
    middlewares: { use: (_: string, middleware: RequestListener) => (page = middleware) },
    watcher: { on: () => undefined },
    printUrls: () => undefined,
  }
  const stop = new AbortController()
  await addPromptsPage(server as unknown as ViteDevServer, fakeHost(fakeProject()), stop.signal)
  onTestFinished(() => stop.abort())
  const url = await startLocalServer((request, response) => page?.(request, response))
  await new Promise((done) => get(url, { headers: { host } }, (answer) => done(answer.resume())))
  return log
}

const [ADDRESS = ''] = Object.values(networkInterfaces()).flatMap((each = []) =>
  each.filter(({ family, internal }) => family === 'IPv4' && !internal).map((at) => at.address),
)

test.skipIf(ADDRESS === '')(
  'a framework that listens itself offers the token under the addresses of the machine',
  async () => {
    const [line] = await ask(`${ADDRESS}:3000`)
    expect(line).toContain(`http://${ADDRESS}:3000/__prompts/?token=`)
  },
)

test('a framework that listens itself offers no token under other names', async () => {
  expect(await ask('example.com')).toEqual([])
})
