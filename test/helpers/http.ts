import type { LocalServer, ServeOptions } from '../../src/local-service/serve.ts'
import { parseWorkspace, type Workspace } from '../../src/local-service/workspace.ts'
import { type RecordingServer, startRecording } from './local-service.ts'
import { type Answer, ask as askUrl, type Question } from './page/ask.ts'

/** Asks a local service; a body must be JSON. */
export async function ask(
  server: LocalServer,
  question: Question,
): Promise<Omit<Answer, 'body'> & { readonly text: string; readonly body: unknown }> {
  const { body: text, ...answer } = await askUrl(server.url, question)
  return { ...answer, text, body: text === '' ? undefined : JSON.parse(text) }
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
