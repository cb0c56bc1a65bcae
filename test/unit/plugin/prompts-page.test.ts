import { EventEmitter, once } from 'node:events'
import { createServer, type RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ViteDevServer } from 'vite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addPromptsPage } from '../../../src/plugin/vite/prompts-page.ts'
import { fakeHost, fakeProject, quiet } from '../../helpers/fake-project.ts'
import { openEvents } from '../../helpers/page/ask.ts'
import { SOON } from '../../helpers/soon.ts'

test('a page that can not be served says so, leaves the dev server running, is served at the next visit, and follows the session', async () => {
  let answer: RequestListener = () => undefined
  const watcher = new EventEmitter()
  const middlewares = { use: (_: string, listener: RequestListener) => void (answer = listener) }
  const config = { base: '/', logger: { info: () => undefined } }
  const vite = { config, middlewares, watcher, printUrls: () => undefined }
  const fake = fakeProject()
  const host = fakeHost(fake, { isServer: true })
  onTestFinished(() => host.close())
  await addPromptsPage(vite as unknown as ViteDevServer, host)

  const server = createServer((request, response) => answer(request, response)).listen(0)
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const visit = (): Promise<Response> => fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' })

  /** A file of the app changes. */
  const change = (): void => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    watcher.emit('all')
    vi.runAllTimers()
    vi.useRealTimers()
  }
  let fail: () => unknown = () => undefined
  const listen = vi.spyOn(Server.prototype, 'listen').mockImplementationOnce(function (
    this: Server,
  ) {
    fail = () => this.emit('error', Object.assign(new Error('no'), { code: 'EACCES' }))
    return this
  })
  onTestFinished(() => listen.mockRestore())
  const refused = visit()
  await vi.waitFor(() => expect(listen).toHaveBeenCalled(), SOON)
  change()
  fail()
  expect(await (await refused).text()).toContain('[PORT_UNAVAILABLE]')
  change()
  const { status, headers } = await visit()
  expect(status).toBe(302)

  const events = await openEvents(headers.get('location') ?? '')
  fake.write('v2')
  await host.session.reload(quiet)
  await vi.waitFor(() => expect(events()).toContain('data:'), SOON)
})
