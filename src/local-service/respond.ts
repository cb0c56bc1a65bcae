import type { Environment } from '../core/prompt.ts'
import type { PromptList, PromptSummary, ServedPrompt } from '../core/service.ts'
import { settingsOf } from '../core/settings.ts'
import type { Workspace, WorkspacePrompt } from './workspace.ts'

interface ServiceRequest {
  readonly method: string
  /** The request target, undecoded; a query is ignored. */
  readonly path: string
  readonly authorization: string | undefined
}

interface ServiceResponse {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body: string
}

/** The keys of the local service, by environment. */
export const LOCAL_KEYS: Readonly<Record<Environment, string>> = {
  live: 'svc_live_local',
  test: 'svc_test_local',
}

/**
 * Answers a request as the prompt service does. The service does not document its errors, so these
 * follow common practice: path first (404), then method (405), then key (401), then slug (404), each
 * as `{ "error": string }`.
 */
export function respond(request: ServiceRequest, workspace: Workspace): ServiceResponse {
  const [pathname = ''] = request.path.split('?', 1)
  const [, segment] = ROUTE.exec(pathname) ?? []
  const slug = segment === undefined ? undefined : decodeSegment(segment)
  if (pathname !== LIST && slug === undefined) return errorResponse(404, 'Not found.')
  if (request.method !== 'GET') {
    return errorResponse(405, 'Method not allowed: prompts are read-only.', { allow: 'GET' })
  }
  const environment = readEnvironment(request.authorization)
  if (environment === undefined) return unauthorized()
  return slug === undefined ? list(workspace) : get(slug, environment, workspace)
}

export function errorResponse(
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  return json(status, { error }, headers)
}

const LIST = '/api/v1/prompts'
const ROUTE = /^\/api\/v1\/prompts\/([^/]*)$/

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

function readEnvironment(authorization: string | undefined): Environment | undefined {
  const key = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
  return (['live', 'test'] as const).find((environment) => key === LOCAL_KEYS[environment])
}

function unauthorized(): ServiceResponse {
  const keys = `${LOCAL_KEYS.live} and ${LOCAL_KEYS.test}`
  return errorResponse(401, `The key is missing or unknown. The local service accepts ${keys}.`, {
    'www-authenticate': 'Bearer',
  })
}

function list({ planStatus, prompts }: Workspace): ServiceResponse {
  const value: PromptList = { prompts: [...prompts.values()].map(toSummary), planStatus }
  return json(200, value, { 'x-service-plan-status': planStatus })
}

function toSummary({ slug, live, staging }: WorkspacePrompt): PromptSummary {
  const { folder, model, version: liveVersion } = live
  return { slug, folder, model, liveVersion, stagingVersion: staging?.version ?? null }
}

function get(slug: string, environment: Environment, workspace: Workspace): ServiceResponse {
  const prompt = workspace.prompts.get(slug)
  if (prompt === undefined)
    return errorResponse(404, `The workspace has no prompt called “${slug}”.`)
  return json(200, toServed(prompt, environment))
}

function toServed({ live, staging }: WorkspacePrompt, environment: Environment): ServedPrompt {
  const version = environment === 'test' ? (staging ?? live) : live
  const { temperature, source, system: systemSource, user: userSource } = version
  // The hosted service has a temperature for every prompt.
  const settings = { ...settingsOf(version), temperature: temperature ?? 0 }
  return { ...settings, source, systemSource, userSource, environment }
}

function json(
  status: number,
  value: PromptList | ServedPrompt | { readonly error: string },
  headers: ServiceResponse['headers'] = {},
): ServiceResponse {
  const body = JSON.stringify(value)
  const headersOfBody = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': `${Buffer.byteLength(body)}`,
  }
  return { status, headers: { ...headersOfBody, ...headers }, body }
}
