import { Agent, request as send } from 'node:http'
import type { LocalServer, ServeOptions } from '../../src/local-service/serve.ts'
import { parseWorkspace } from '../../src/local-service/workspace-file.ts'
import type { Workspace } from '../../src/local-service/workspace.ts'
import { type RecordingServer, startRecording } from './local-service.ts'

/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** The body as JSON. */
  readonly body: unknown
}

/** The request of a test. The path is sent unchanged; `fetch` would normalize it. */
export interface Question {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly agent?: Agent
}

/** Sends one request over real HTTP. */
export function ask(server: LocalServer, question: Question): Promise<Answer> {
  const { path, method = 'GET', headers = {}, agent } = question
  const options = { host: '127.0.0.1', port: server.port, path, method, headers }
  return new Promise((resolve, reject) => {
    const request = send({ ...options, agent: agent ?? false }, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += String(chunk)
      const body: unknown = text === '' ? undefined : JSON.parse(text)
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body })
    })
    request.on('error', reject)
    request.end()
  })
}

/** The headers of a request with the live key. */
export const LIVE: Readonly<Record<string, string>> = { authorization: 'Bearer svc_live_local' }

/** Starts a server that ends with the test; a text is read as a workspace file. */
export async function serve(
  workspace: string | Workspace,
  options: Partial<ServeOptions> = {},
): Promise<RecordingServer> {
  const value = typeof workspace === 'string' ? parseWorkspace(workspace, 'given.yaml') : workspace
  return startRecording({ readWorkspace: () => Promise.resolve(value), ...options })
}
