import type { Drift } from '../../core/drift.ts'
import type { Lock } from '../../core/prompt.ts'
import { type PromptList, servedVersion } from '../../core/service.ts'
import { driftReport } from '../../features/diff/drift.ts'
import type { ErrorCode } from '../../errors/catalogue.ts'
import { isPromptsError } from '../../errors/prompts-error.ts'
import type { Project } from '../../features/project/project.ts'
import type { DriftView, ErrorView, ServiceView } from '../protocol.ts'
import { errorView } from './error-view.ts'

/** Milliseconds for which an answer of the service counts as news. */
const FRESH = 50_000

/** The last answer of the service, asked for when a page wants to know. */
export interface ServiceCheck {
  /** What is known now, without asking, of a lock. */
  view(lock: Lock): ServiceView
  /**
   * Asks with one list call, unless the last answer is fresh; with `force`, in any case. A project
   * with `pull: 'never'` is asked about by force only.
   */
  ask(force: boolean): Promise<void>
  /** What the last list has of a prompt, as text; empty if it has none, or there is no list. */
  listed(slug: string): string
}

/** What the last call gave. */
type ServiceAnswer =
  | { readonly kind: 'listed'; readonly checkedAt: number; readonly list: PromptList }
  | { readonly kind: 'failed'; readonly checkedAt: number; readonly error: ErrorView }
  | { readonly kind: 'off'; readonly error: ErrorView }

/** Codes that mean that there is nothing to ask, rather than that asking failed. */
const OFF: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['KEY_MISSING', 'BASE_URL_MISSING'])

/** Makes the check of one project; asks nothing yet. */
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
      return answer.kind === 'listed' ? reached(project, lock, answer) : answer
    },
    async ask(force) {
      const isIdle = isFresh() || project.options.pull === 'never'
      if (force || !isIdle) await (asking ??= ask())
    },
    listed(slug) {
      if (answer?.kind !== 'listed') return ''
      const entry = answer.list.prompts.find((prompt) => prompt.slug === slug)
      return entry === undefined ? '' : JSON.stringify(entry)
    },
  }
}

async function askService({ withService }: Project, now: () => number): Promise<ServiceAnswer> {
  try {
    const list = await withService((service) => service.list())
    return { kind: 'listed', checkedAt: now(), list }
  } catch (error) {
    const view = errorView(error)
    if (isPromptsError(error) && OFF.has(error.code)) return { kind: 'off', error: view }
    return { kind: 'failed', checkedAt: now(), error: view }
  }
}

function reached(
  { options: { baseUrl = '', isSelected } }: Project,
  lock: Lock,
  { checkedAt, list }: ServiceAnswer & { readonly kind: 'listed' },
): ServiceView {
  const { drift, drafts, planStatus } = driftReport(lock, list, isSelected)
  const address = URL.canParse(baseUrl) ? new URL(baseUrl).origin : ''
  const view = drift.map((found) => driftView(found, lock))
  return { kind: 'reached', checkedAt, address, planStatus, drift: view, drafts }
}

function driftView(drift: Drift, { environment }: Lock): DriftView {
  const { slug, kind } = drift
  if (drift.kind === 'removed') return { slug, kind, fields: [], version: null }
  const version = servedVersion(drift.entry, environment)
  return { slug, kind, fields: drift.kind === 'changed' ? drift.fields : [], version }
}
