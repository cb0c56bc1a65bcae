import { useEffect, useMemo, useState } from 'preact/hooks'
import type {
  ChangesImpactView,
  ChangesQuery,
  ChangesView,
  ReadMode,
} from '../comparison-protocol.ts'
import { readChanges, readImpact, failureView } from './api.ts'
import { usePage } from './use-page.ts'
import type { PageData } from './use-page-state.ts'

/** All changes, and what they break as soon as that is known. */
export interface ChangesReading {
  /** `undefined` until the server has answered. */
  readonly changes: ChangesView | undefined
  /** `undefined` until the app is checked. */
  readonly impact: ChangesImpactView | undefined
  /** Whether the changes are read or the app is checked. */
  readonly isBusy: boolean
  /** Reads the changes, even if they were read recently. */
  readonly read: () => void
}

type Result = Pick<ChangesReading, 'changes' | 'impact'>

const NOTHING: Result = { changes: undefined, impact: undefined }

/**
 * Reads the changes of a comparison and then checks the app.
 *
 * @param mode - what may be read without a click: reads are commonly metered
 * @param revision - changes are read again when it changes
 */
export function useChanges(
  query: ChangesQuery,
  { mode, revision }: { readonly mode: ReadMode; readonly revision: string },
): ChangesReading {
  const { reload } = usePage()
  const [result, setResult] = useState(NOTHING)
  const [isBusy, setIsBusy] = useState(false)
  const [clicks, setClicks] = useState(0)
  const key = JSON.stringify(query)
  useEffect(() => {
    setResult(NOTHING)
    setClicks(0)
  }, [key, revision])
  useEffect(() => {
    let isCurrent = true
    const run = async (): Promise<void> => {
      const asked = clicks > 0 ? 'fresh' : mode
      setIsBusy(asked !== 'known')
      const changes = await readChanges(query, asked).catch(failed)
      if (!isCurrent) return
      setResult({ ...NOTHING, changes })
      if (asked !== 'known') reload()
      if (changes.kind === 'compared') {
        setIsBusy(true)
        const impact = await readImpact(query).catch(impactFailed)
        if (isCurrent) setResult({ changes, impact })
      }
      if (isCurrent) setIsBusy(false)
    }
    void run()
    return () => void (isCurrent = false)
  }, [key, revision, mode, clicks])
  return { ...result, isBusy, read: () => setClicks((count) => count + 1) }
}

/** Differs when the lock or the list of the service has changed. */
export function useRevision({ lock, service }: PageData): string {
  return useMemo(
    () =>
      JSON.stringify([
        lock.kind === 'read' ? lock.revision : '',
        service.kind === 'reached' ? service.drift : [],
      ]),
    [lock, service],
  )
}

function failed(error: unknown): ChangesView {
  return { kind: 'error', error: failureView(error) }
}

function impactFailed(error: unknown): ChangesImpactView {
  return { impact: { kind: 'error', error: failureView(error) }, skipped: [] }
}
