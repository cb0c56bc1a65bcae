import type { Drift } from '../../core/drift.ts'
import type { Lock } from '../../core/prompt.ts'
import { type PromptList, type PromptSummary, servedVersion } from '../../core/service.ts'
import { driftReport } from '../../features/diff/drift.ts'
import { originOf } from '../../config/base-url.ts'
import type { ErrorCode } from '../../errors/catalogue.ts'
import { isPromptsError } from '../../errors/prompts-error.ts'
import type { Project } from '../../features/project/project.ts'
import type { DriftView, ServiceView } from '../protocol.ts'
import { errorView } from './error-view.ts'

/** How long an answer of the service is reused, in milliseconds. */
const FRESH = 50_000

/** Compares the lock with the list of the service. */
export interface ServiceCheck {
  /** The state of a lock according to the last answer, without a request. */
  view(lock: Lock): ServiceView
  /**
   * Asks the service with one list request, unless the last answer is recent. `force` always asks.
   * A project with `pull: 'never'` is checked only with `force`.
   */
  ask(force: boolean): Promise<void>
  /** The last list entry of a prompt, as text; empty if there is none. */
  listed(slug: string): string
}

/** The list of the service, and the last lock compared with it: 10,000 prompts take a while. */
interface ServiceList {
  readonly kind: 'listed'
  readonly checkedAt: number
  readonly list: PromptList
  readonly bySlug: ReadonlyMap<string, PromptSummary>
  compared?: { readonly lock: Lock; readonly view: ServiceView }
}

/** The result of the last request. */
type ServiceAnswer = ServiceList | (ServiceView & { readonly kind: 'off' | 'failed' })

/** Codes that mean that no service is configured, not that a request failed. */
const OFF: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['KEY_MISSING', 'BASE_URL_MISSING'])

/** Creates the check of one project without a request. */
export function createServiceCheck(project: Project, now: () => number): ServiceCheck {
  let answer: ServiceAnswer | undefined
  let asking: Promise<void> | undefined
  const isFresh = (): boolean =>
    answer !== undefined && 'checkedAt' in answer && now() - answer.checkedAt < FRESH
  const ask = async (): Promise<void> => {
    answer = await askService(project, now)
    asking = undefined
  }
  return {
    view(lock) {
      if (answer === undefined) return { kind: 'unasked' }
      if (answer.kind !== 'listed') return answer
      if (answer.compared?.lock !== lock)
        answer.compared = { lock, view: reached(project, lock, answer) }
      return answer.compared.view
    },
    async ask(force) {
      const isIdle = isFresh() || project.options.pull === 'never'
      if (force || !isIdle) await (asking ??= ask())
    },
    listed(slug) {
      if (answer?.kind !== 'listed') return ''
      const entry = answer.bySlug.get(slug)
      return entry === undefined ? '' : JSON.stringify(entry)
    },
  }
}

async function askService({ withService }: Project, now: () => number): Promise<ServiceAnswer> {
  try {
    const list = await withService((service) => service.list())
    const bySlug = new Map(list.prompts.map((entry) => [entry.slug, entry]))
    return { kind: 'listed', checkedAt: now(), list, bySlug }
  } catch (error) {
    const view = errorView(error)
    if (isPromptsError(error) && OFF.has(error.code)) return { kind: 'off', error: view }
    return { kind: 'failed', checkedAt: now(), error: view }
  }
}

function reached(
  { options: { baseUrl, isSelected } }: Project,
  lock: Lock,
  { checkedAt, list }: ServiceList,
): ServiceView {
  const { drift, drafts, held, planStatus } = driftReport(lock, list, isSelected)
  const view = drift.map((found) => driftView(found, lock))
  return {
    kind: 'reached',
    checkedAt,
    address: originOf(baseUrl) ?? '',
    planStatus,
    drift: view,
    drafts,
    held,
  }
}

function driftView(drift: Drift, { environment }: Lock): DriftView {
  const { slug, kind } = drift
  if (drift.kind === 'removed') return { slug, kind, fields: [], version: null }
  const version = servedVersion(drift.entry, environment)
  return { slug, kind, fields: drift.kind === 'changed' ? drift.fields : [], version }
}
