import { useEffect, useState } from 'preact/hooks'
import type { ChangesImpactView, ChangesQuery, ChangesView } from '../protocol.ts'
import { readChanges, readImpact } from './api.ts'
import { failureView } from './failure.ts'

/** All changes, and what they break as soon as that is known. */
export interface ChangesReading {
  /** `undefined` until they are read. */
  readonly changes: ChangesView | undefined
  /** `undefined` until the app is checked. */
  readonly impact: ChangesImpactView | undefined
  readonly isReading: boolean
  /** Reads them, even if they were read recently. */
  readonly read: () => void
}

/**
 * Reads the changes of a comparison and then checks the app.
 *
 * @param atOnce - whether to read without a click, which may cost metered reads
 * @param revision - changes are read again when it changes
 */
export function useChanges(
  query: ChangesQuery,
  {
    atOnce,
    revision,
    onRead,
  }: { readonly atOnce: boolean; readonly revision: string; readonly onRead: () => void },
): ChangesReading {
  const [changes, setChanges] = useState<ChangesView>()
  const [impact, setImpact] = useState<ChangesImpactView>()
  const [clicks, setClicks] = useState(0)
  const [isReading, setIsReading] = useState(false)
  const key = JSON.stringify(query)
  useEffect(() => {
    setChanges(undefined)
    setImpact(undefined)
    setClicks(0)
  }, [key, revision])
  useEffect(() => {
    if (!atOnce && clicks === 0) return undefined
    let isCurrent = true
    const run = async (): Promise<void> => {
      setIsReading(true)
      const found = await readChanges(query, clicks > 0).catch(failed)
      if (!isCurrent) return
      setChanges(found)
      setIsReading(false)
      onRead()
      const effects = await readImpact(query).catch(impactFailed)
      if (isCurrent) setImpact(effects)
    }
    void run()
    return () => void (isCurrent = false)
  }, [key, revision, atOnce, clicks])
  return { changes, impact, isReading, read: () => setClicks((count) => count + 1) }
}

function failed(error: unknown): ChangesView {
  return { kind: 'error', error: failureView(error) }
}

function impactFailed(error: unknown): ChangesImpactView {
  return { impact: { kind: 'error', error: failureView(error) }, skipped: [] }
}
