import type { Drift } from '../../core/drift.ts'
import type { Lock } from '../../core/prompt.ts'
import { servedVersion } from '../../core/service.ts'
import { type DriftReport, readDrift } from '../../drift.ts'
import { type ErrorCode, isPromptsError } from '../../errors.ts'
import type { Project } from '../../project.ts'
import type { DriftView, ServiceView } from '../protocol.ts'
import { faultView } from './fault-view.ts'

/** Milliseconds for which an answer of the service counts as news. */
const FRESH = 50_000

/** The last word of the service, asked when a page wants to know. */
export interface ServiceCheck {
  /** What is known now, without asking. */
  view(): ServiceView
  /**
   * Asks with one list call, where the last answer is not fresh or `force` is given. A project with
   * `pull: 'never'` is asked about by force only.
   */
  ask(force: boolean): Promise<ServiceView>
}

/** Codes that say that there is nothing to ask, rather than that asking failed. */
const OFF: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['KEY_MISSING', 'BASE_URL_MISSING'])

/** Makes the check of one project; asks nothing yet. */
export function createServiceCheck(project: Project, now: () => number): ServiceCheck {
  let view: ServiceView = { kind: 'unasked' }
  let asking: Promise<ServiceView> | undefined
  const isFresh = (): boolean => 'checkedAt' in view && now() - view.checkedAt < FRESH
  const ask = async (): Promise<ServiceView> => {
    const found = await askService(project, now)
    asking = undefined
    return (view = found)
  }
  return {
    view: () => view,
    async ask(force) {
      const idle = isFresh() || project.options.pull === 'never'
      return idle && !force ? view : (asking ??= ask())
    },
  }
}

async function askService(project: Project, now: () => number): Promise<ServiceView> {
  try {
    const lock = await project.readLock()
    const report = await readDrift(project, lock, {})
    return reached(project, lock, report, now())
  } catch (error) {
    const fault = faultView(error)
    if (isPromptsError(error) && OFF.has(error.code)) return { kind: 'off', fault }
    return { kind: 'failed', checkedAt: now(), fault }
  }
}

function reached(
  { options }: Project,
  lock: Lock,
  { drift, drafts, planStatus }: DriftReport,
  checkedAt: number,
): ServiceView {
  const { baseUrl = '' } = options
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
