import type { PinnedPrompt } from '../../src/core/prompt.ts'
import { respond } from '../../src/local-service/respond.ts'
import type { Workspace, WorkspacePrompt } from '../../src/local-service/workspace.ts'
import { startLocalServer } from './local-server.ts'
import { pinned } from './pinned.ts'

/** A prompt of a workspace: its live version, and what its staging version has otherwise. */
export type GivenPrompt = Partial<PinnedPrompt> & {
  readonly staging?: Partial<
    Pick<PinnedPrompt, 'folder' | 'model' | 'temperature' | 'version' | 'system' | 'user'>
  >
}

/** A workspace of prompts given by the fields that matter. */
export function workspaceOf(...given: readonly GivenPrompt[]): Workspace {
  const prompts = given.map(workspacePrompt)
  return { planStatus: 'active', prompts: new Map(prompts.map((prompt) => [prompt.slug, prompt])) }
}

function workspacePrompt({ staging, ...fields }: GivenPrompt): WorkspacePrompt {
  const live = pinned(fields)
  const { source: _, ...version } = live
  return { slug: live.slug, live, staging: staging ? pinned({ ...version, ...staging }) : null }
}

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
