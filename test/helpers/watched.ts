import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Mock, vi } from 'vitest'
import type { LocalServer, ServeOptions } from '../../src/local-service/serve.ts'
import { parseWorkspace } from '../../src/local-service/workspace.ts'
import { ask, LIVE } from './http.ts'
import { startRecording } from './local-service.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { yaml } from './workspace-yaml.ts'

type OnReload = NonNullable<ServeOptions['onReload']>
type OnError = NonNullable<ServeOptions['onError']>

export interface Watched {
  readonly server: LocalServer
  readonly path: string
  readonly onReload: Mock<OnReload>
  readonly onError: Mock<OnError>
}

/** A server over a workspace file that is watched. */
export async function serveFile(options: Partial<ServeOptions> = {}): Promise<Watched> {
  const path = join(await temporaryFolder({ 'workspace.yaml': yaml('one') }), 'workspace.yaml')
  const onReload = vi.fn<OnReload>()
  const onError = vi.fn<OnError>()
  const readWorkspace: ServeOptions['readWorkspace'] = async () =>
    parseWorkspace(await readFile(path, 'utf8'), path)
  const server = await startRecording({
    readWorkspace,
    watchPath: path,
    onReload,
    onError,
    ...options,
  })
  return { server, path, onReload, onError }
}

/** The text that the server serves for the prompt `a`. */
export async function textOf(server: LocalServer): Promise<unknown> {
  const { body } = await ask(server, { path: '/api/v1/prompts/a', headers: LIVE })
  return typeof body === 'object' && body !== null && 'source' in body ? body.source : body
}
