import { createServer, type Server } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { closeServer, listen } from '../../../src/http/listen.ts'

/** A server that is closed after the test. */
function newServer(): Server {
  const server = createServer()
  onTestFinished(() => closeServer(server))
  return server
}

test('a server takes a port after one that is in use, if several may be tried', async () => {
  const port = await listen(newServer(), 0)
  await expect(listen(newServer(), port)).rejects.toMatchObject({ code: 'PORT_UNAVAILABLE' })
  const server = newServer()
  expect(await listen(server, port, 20)).toBeGreaterThan(port)
  // Nobody would hear of a later error.
  expect(server.listenerCount('error')).toBe(0)
})
