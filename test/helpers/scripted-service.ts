import type { PinnedPrompt } from '../../src/core/prompt.ts'
import { respond } from '../../src/local-service/respond.ts'
import type { Workspace, WorkspacePrompt } from '../../src/local-service/workspace.ts'
import { startLocalServer } from './local-server.ts'
import { pinned } from './pinned.ts'

/** A prompt of a workspace: its live version, and what its staging version has otherwise. */
export type GivenPrompt = Partial<PinnedPrompt> & {
  readonly staging?: Partial<Pick<PinnedPrompt, 'version' | 'system' | 'user'>>
}

/** A workspace of prompts given by the fields that matter. */
export function workspaceOf(...given: readonly GivenPrompt[]): Workspace {
  const prompts = given.map(workspacePrompt)
  return { planStatus: 'active', prompts: new Map(prompts.map((prompt) => [prompt.slug, prompt])) }
}

function workspacePrompt({ staging, ...fields }: GivenPrompt): WorkspacePrompt {
  const { version, system, user, source, ...settings } = pinned(fields)
  const draft = staging && pinned({ version, system, user, ...staging })
  return { ...settings, live: { version, system, user, source }, staging: draft ?? null }
}

/** A service whose workspace changes while it is read. */
export interface ScriptedService {
  readonly url: string
  /** What was asked for, in order: `list`, or the slug of a prompt. */
  readonly asked: readonly string[]
}

/**
 * Starts a service that answers the first list from the first workspace, the reads behind it from
 * the second, the next list from the third, and so on; the last one answers all that follow.
 */
export async function startScriptedService(
  ...script: readonly Workspace[]
): Promise<ScriptedService> {
  const asked: string[] = []
  const url = await startLocalServer(({ url: path = '', method = '', headers }, response) => {
    const slug = decodeURIComponent(path.slice('/api/v1/prompts/'.length))
    const lists = asked.filter((name) => name === 'list').length
    asked.push(slug === '' ? 'list' : slug)
    const moment = slug === '' ? 2 * lists : 2 * lists - 1
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
