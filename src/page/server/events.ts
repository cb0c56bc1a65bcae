import type { ServerResponse } from 'node:http'
import { CHANGED, type Changed } from '../protocol.ts'
import { writeHead } from './respond.ts'

/** Milliseconds between comments that keep proxies from closing an idle connection. */
const HEARTBEAT = 25_000

/** The open pages that listen for changes. */
export interface Listeners {
  /** Answers with a stream of events until the page disconnects. */
  add(response: ServerResponse): void
  notify(what: Changed): void
  /** Ends all streams. */
  close(): void
}

/**
 * Tracks the open event streams.
 *
 * @param onPresence - called with `true` when the first page connects, and with `false` when the
 *   last one has disconnected
 */
export function createListeners(onPresence: (present: boolean) => void): Listeners {
  const open = new Set<ServerResponse>()
  let heartbeat: NodeJS.Timeout | undefined
  const write = (text: string): void => {
    for (const response of open) response.write(text)
  }
  const leave = (response: ServerResponse): void => {
    if (!open.delete(response) || open.size > 0) return
    clearInterval(heartbeat)
    onPresence(false)
  }
  return {
    add(response) {
      writeHead(response, 200, { 'content-type': 'text/event-stream; charset=utf-8' })
      response.write(': welcome\n\n')
      response.on('close', () => leave(response))
      open.add(response)
      if (open.size > 1) return
      heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT).unref()
      onPresence(true)
    },
    notify: (what) => write(`event: ${CHANGED}\ndata: ${what}\n\n`),
    close() {
      for (const response of open) {
        response.end()
        leave(response)
      }
    },
  }
}
