import { setMaxListeners } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { fingerprintFiles, watchFiles } from '../fs/watch.ts'
import { respond, errorResponse } from './respond.ts'
import { isLoopbackHost, closeServer, HOST, listen } from '../http/listen.ts'
import type { Workspace } from './workspace.ts'

export const DEFAULT_PORT = 4400

export interface ServeOptions {
  /** Returns the workspace. Called at the start and after each change of the file. */
  readonly readWorkspace: () => Promise<Workspace>
  /** The file to watch for changes. Default: none. */
  readonly watchPath?: string
  /** @default 0, which chooses a free port */
  readonly port?: number
  /** How many ports from there on are tried. @default 1 */
  readonly attempts?: number
  /** Delay of each response in milliseconds, to simulate a network. @default 0 */
  readonly latency?: number
  /** Called for each request that was answered or refused. */
  readonly onRequest?: (request: ServedRequest) => void
  /** Called after a changed workspace was loaded. */
  readonly onReload?: (workspace: Workspace) => void
  /** Called if the changed file can't be read. The previous workspace is still served. */
  readonly onError?: (error: unknown) => void
}

/** A request with the status of its response. */
export interface ServedRequest {
  readonly method: string
  readonly path: string
  readonly status: number
}

export interface LocalServer {
  /** Base URL without a trailing slash. */
  readonly url: string
  readonly port: number
  /** Ends every connection at once and stops watching. May be called again. */
  close(): Promise<void>
}

/**
 * Serves a workspace over HTTP on this machine.
 */
export async function startServer(options: ServeOptions): Promise<LocalServer> {
  const { readWorkspace, watchPath, port = 0, attempts, latency = 0 } = options
  // Computed before the file is read, so no change is missed.
  const fingerprint = watchPath === undefined ? '' : await fingerprintFiles(watchPath)
  let workspace = await readWorkspace()
  const stop = new AbortController()
  // Every delayed response listens to it.
  setMaxListeners(0, stop.signal)
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '' } = request
    const { host, authorization } = request.headers
    const { status, headers, body } = isLoopbackHost(host)
      ? respond({ method, path, authorization }, workspace)
      : FORBIDDEN
    options.onRequest?.({ method, path, status })
    if (latency > 0) await delay(latency, undefined, { signal: stop.signal }).catch(() => undefined)
    if (!stop.signal.aborted) response.writeHead(status, headers).end(body)
  })
  const bound = await listen(server, port, attempts)
  const onChange = async (): Promise<void> => {
    try {
      workspace = await readWorkspace()
    } catch (error) {
      return options.onError?.(error)
    }
    options.onReload?.(workspace)
  }
  const watch =
    watchPath === undefined ? undefined : watchFiles({ paths: [watchPath], fingerprint, onChange })
  let closed: Promise<unknown> | undefined
  return {
    url: `http://${HOST}:${bound}`,
    port: bound,
    async close() {
      stop.abort()
      await (closed ??= Promise.all([closeServer(server), watch?.close()]))
    },
  }
}

const FORBIDDEN = errorResponse(
  403,
  'The Host header is not this machine. The local service only accepts local requests.',
)
