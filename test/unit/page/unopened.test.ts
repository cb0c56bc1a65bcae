import { createServer } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { closeServer, listen } from '../../../src/http/listen.ts'
import { promptsPage, type PromptsPage } from '../../../src/page/server/page.ts'

const uses: readonly (readonly [title: string, path: string, use: (page: PromptsPage) => void])[] =
  [
    ['while a page listens for events', 'api/events', () => undefined],
    ['while code changes', 'api/state', (page) => page.changed('uses')],
  ]

/** An unhandled rejection ends the process. */
test.each(uses)("a project that can't be opened does not end the server %s", async (...given) => {
  const [, path, use] = given
  const unhandled: unknown[] = []
  const note = (reason: unknown): number => unhandled.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const failed = new Promise<void>((resolve) => {
    const page = promptsPage({
      async open() {
        await turn()
        use(page)
        resolve()
        throw new Error('No options.')
      },
    })
    const server = createServer(page.middleware)
    onTestFinished(() => page.close())
    onTestFinished(() => closeServer(server))
    void listen(server, 0).then((port) =>
      fetch(`http://127.0.0.1:${port}/${path}`).catch(() => undefined),
    )
  })
  await failed
  await turn()
  expect(unhandled).toEqual([])
})
