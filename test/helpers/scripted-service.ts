import { respond } from '../../src/local-service/respond.ts'
import type { Workspace } from '../../src/local-service/workspace.ts'
import { startLocalServer } from './local-server.ts'
import { workspaceOf } from './local-service.ts'

/** A service whose workspace changes while it is read. */
export interface ScriptedService {
  readonly url: string
  /** What was asked for, in order: `list`, or the slug of a prompt. */
  readonly asked: readonly string[]
}

/**
 * Starts a service that answers the first list from the first workspace, the reads behind it from
 * the second, the next list from the third, and so on; the last one answers all that follow. Each key has
 * its own lists.
 */
export async function startScriptedService(
  ...script: readonly Workspace[]
): Promise<ScriptedService> {
  const asked: string[] = []
  const lists: Record<string, number> = {}
  const url = await startLocalServer(({ url: path = '', method = '', headers }, response) => {
    const slug = decodeURIComponent(path.slice('/api/v1/prompts/'.length))
    const key = headers.authorization ?? ''
    const count = (lists[key] ?? 0) + (slug === '' ? 1 : 0)
    lists[key] = count
    asked.push(slug === '' ? 'list' : slug)
    const moment = slug === '' ? 2 * count - 2 : 2 * count - 1
    const workspace = script[Math.min(moment, script.length - 1)] ?? workspaceOf()
    const {
      status,
      headers: head,
      body,
    } = respond({ method, path, authorization: headers.authorization }, workspace)
    response.writeHead(status, head).end(body)
  })
  return { url, asked }
}
