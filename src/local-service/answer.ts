import type { Environment } from '../core/prompt.ts'
import type { PromptList, PromptSummary, ServedPrompt } from '../core/service.ts'
import type { Workspace, WorkspacePrompt } from './workspace.ts'

/** What a request asks, as far as the service looks at it. */
export interface ServiceRequest {
  readonly method: string
  /** The request target, undecoded; a query is ignored. */
  readonly path: string
  /** The header of that name. */
  readonly authorization: string | undefined
}

/** A complete answer. */
export interface ServiceAnswer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body: string
}

/** The keys of the local service, by the environment they see. */
export const LOCAL_KEYS: Readonly<Record<Environment, string>> = {
  live: 'svc_live_local',
  test: 'svc_test_local',
}

type Route = { readonly kind: 'list' } | { readonly kind: 'get'; readonly slug: string }

/**
 * Answers a request as the prompt service does. The service does not document its errors, so these
 * follow common practice: path first (404), then method (405), then key (401), then slug (404), each
 * as `{ "error": string }`.
 */
export function answer(request: ServiceRequest, workspace: Workspace): ServiceAnswer {
  const route = routeOf(request.path)
  if (route === undefined) return refuse(404, 'There is nothing at this address.')
  if (request.method !== 'GET') {
    return refuse(405, 'Prompts can only be read.', { allow: 'GET' })
  }
  const environment = environmentOf(request.authorization)
  if (environment === undefined) return refuseKey()
  return route.kind === 'list' ? list(workspace) : get(route.slug, environment, workspace)
}

/** An answer that says why there is no other. */
export function refuse(
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): ServiceAnswer {
  return json({ status, value: { error }, headers })
}

const LIST = '/api/v1/prompts'

function routeOf(path: string): Route | undefined {
  const [pathname = ''] = path.split('?', 1)
  if (pathname === LIST) return { kind: 'list' }
  const segment = pathname.slice(LIST.length + 1)
  if (!pathname.startsWith(`${LIST}/`) || segment.includes('/')) return undefined
  const slug = decodeSegment(segment)
  return slug === undefined ? undefined : { kind: 'get', slug }
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

function environmentOf(authorization: string | undefined): Environment | undefined {
  const key = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  return (['live', 'test'] as const).find((environment) => key === LOCAL_KEYS[environment])
}

function refuseKey(): ServiceAnswer {
  const keys = `${LOCAL_KEYS.live} and ${LOCAL_KEYS.test}`
  return refuse(401, `The key is missing or unknown. The local service takes ${keys}.`, {
    'www-authenticate': 'Bearer',
  })
}

function list({ planStatus, prompts }: Workspace): ServiceAnswer {
  const value: PromptList = { prompts: [...prompts.values()].map(toSummary), planStatus }
  return json({ status: 200, value, headers: { 'x-service-plan-status': planStatus } })
}

function toSummary({ slug, folder, model, live, staging }: WorkspacePrompt): PromptSummary {
  const stagingVersion = staging === null ? null : staging.version
  return { slug, folder, model, liveVersion: live.version, stagingVersion }
}

function get(slug: string, environment: Environment, workspace: Workspace): ServiceAnswer {
  const prompt = workspace.prompts.get(slug)
  if (prompt === undefined) return refuse(404, `The workspace has no prompt called “${slug}”.`)
  return json({ status: 200, value: toServed(prompt, environment), headers: {} })
}

function toServed(prompt: WorkspacePrompt, environment: Environment): ServedPrompt {
  const { slug, folder, model, temperature, live, staging } = prompt
  const { version, system, user, source } = environment === 'test' ? (staging ?? live) : live
  const texts = { source, systemSource: system, userSource: user }
  return { slug, folder, model, temperature, version, ...texts, environment }
}

function json({
  status,
  value,
  headers,
}: {
  status: number
  value: PromptList | ServedPrompt | { readonly error: string }
  headers: Readonly<Record<string, string>>
}): ServiceAnswer {
  const body = JSON.stringify(value)
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': `${Buffer.byteLength(body)}`,
      ...headers,
    },
    body,
  }
}
