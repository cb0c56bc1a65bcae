import { setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { fingerprintFiles, watchFiles } from '../fs/watch.ts'
import { respond, errorResponse, type ServiceResponse } from './respond.ts'
import { formatHost, isAllowedHost } from '../http/host.ts'
import { closeServer, listen } from '../http/listen.ts'
import type { Workspace } from './workspace.ts'

/** What {@link startServer} needs to know. */
export interface ServeOptions {
  /** Gives the workspace: called once at the start and then at each change of the file. */
  readonly readWorkspace: () => Promise<Workspace>
  /** The file whose change makes the workspace be read again; none by default. */
  readonly watchPath?: string
  /** @default 0, which lets the system choose a free one */
  readonly port?: number
  /** @default '127.0.0.1' */
  readonly host?: string
  /** Milliseconds by which each answer is delayed, to feel like a network. @default 0 */
  readonly latency?: number
  /** Called when a changed workspace is being served. */
  readonly onReload?: (workspace: Workspace) => void
  /** Called when the changed file can't be read; the workspace from before is still served. */
  readonly onError?: (error: unknown) => void
}

/** A request that was answered or refused. */
interface ServedRequest {
  readonly method: string
  readonly path: string
  readonly status: number
}

/** A running local service. */
export interface LocalServer {
  /** Its base address, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** What was asked so far, in order; of a very long run, the last {@link MAX_REQUESTS} at least. */
  readonly requests: readonly ServedRequest[]
  /** Ends every connection at once and stops watching. May be called again. */
  close(): Promise<void>
}

/** How many requests are remembered, so that a server that runs for weeks does not grow. */
const MAX_REQUESTS = 100_000

/**
 * Serves a workspace over HTTP, for this machine.
 *
 * @throws PromptsError PORT_UNAVAILABLE, and what `readWorkspace` throws at the start
 */
export async function startServer(options: ServeOptions): Promise<LocalServer> {
  const { readWorkspace, watchPath, port = 0, host = '127.0.0.1', latency = 0 } = options
  // Taken before the file is read, so that no change in between is missed.
  const fingerprint = watchPath === undefined ? '' : await fingerprintFiles(watchPath)
  const state: State = { workspace: await readWorkspace(), requests: [] }
  const stop = new AbortController()
  // Every answer that is being delayed listens to it.
  setMaxListeners(0, stop.signal)
  const server = createServer(listener({ state, host, latency, signal: stop.signal }))
  const bound = await listen(server, port, host)
  const onChange = (): Promise<void> => reload(state, options)
  const watch =
    watchPath === undefined ? undefined : watchFiles({ paths: [watchPath], fingerprint, onChange })
  const end = async (): Promise<void> => {
    stop.abort()
    await Promise.all([closeServer(server), watch?.close()])
  }
  let ended: Promise<void> | undefined
  const close = (): Promise<void> => (ended ??= end())
  return {
    url: `http://${formatHost(host)}:${bound}`,
    port: bound,
    requests: state.requests,
    close,
  }
}

interface State {
  workspace: Workspace
  readonly requests: ServedRequest[]
}

function listener({
  state,
  host,
  latency,
  signal,
}: {
  state: State
  host: string
  latency: number
  signal: AbortSignal
}): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const { method = '', url: path = '' } = request
    const { status, headers, body } = respondTo(request, host, state.workspace)
    remember(state.requests, { method, path, status })
    if (latency > 0) await delay(latency, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) response.writeHead(status, headers).end(body)
  }
}

function remember(requests: ServedRequest[], request: ServedRequest): void {
  if (requests.length >= 2 * MAX_REQUESTS) requests.splice(0, MAX_REQUESTS)
  requests.push(request)
}

function respondTo(request: IncomingMessage, host: string, workspace: Workspace): ServiceResponse {
  if (!isAllowedHost(request.headers.host, host)) {
    return errorResponse(
      403,
      'The local service answers only requests to this machine by its own name.',
    )
  }
  const { method = '', url: path = '', headers } = request
  return respond({ method, path, authorization: headers.authorization }, workspace)
}

async function reload(
  state: State,
  { readWorkspace, onReload, onError }: ServeOptions,
): Promise<void> {
  try {
    state.workspace = await readWorkspace()
  } catch (error) {
    onError?.(error)
    return
  }
  onReload?.(state.workspace)
}
