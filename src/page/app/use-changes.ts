import { useEffect, useMemo, useState } from 'preact/hooks'
import type {
  ChangesImpactView,
  ChangesQuery,
  ChangesView,
  ReadMode,
} from '../comparison-protocol.ts'
import { changesQuery, readOrError } from './api.ts'
import { usePage } from './use-page.ts'
import { useRouter, useSetting } from './use-route.ts'

/** The sides that all prompts can be compared with. */
export const SIDES = [
  { value: 'service', label: 'Service' },
  { value: 'staging', label: 'Staging' },
  { value: 'revision', label: 'Git revision' },
] as const

/** What the page of all changes compares, which is kept in the URL. Default: with the service. */
export function useChangesQuery(): ChangesQuery {
  const [kind] = useSetting('with', SIDES)
  const { settings } = useRouter().route
  return kind === 'revision' ? { kind, revision: settings.get('base') ?? 'HEAD' } : { kind }
}

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
 * Reads the changes of a comparison and then checks the app, again when lock or list have changed.
 *
 * @param mode - what may be read without a click: reads are commonly metered
 */
export function useChanges(query: ChangesQuery, mode: ReadMode): ChangesReading {
  const { reload } = usePage()
  const [result, setResult] = useState(NOTHING)
  const [isBusy, setIsBusy] = useState(false)
  const [clicks, setClicks] = useState(0)
  const revision = useRevision()
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
      const changes = await readOrError('changes', { ...changesQuery(query), read: asked })
      if (!isCurrent) return
      setResult({ ...NOTHING, changes })
      if (asked !== 'known') reload()
      if (changes.kind === 'compared') {
        setIsBusy(true)
        const impact = await impactOf(query)
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
function useRevision(): string {
  const { lock, service } = usePage().state
  return useMemo(
    () =>
      JSON.stringify([
        lock.kind === 'read' ? lock.revision : '',
        service.kind === 'reached' ? service.drift : [],
      ]),
    [lock, service],
  )
}

async function impactOf(query: ChangesQuery): Promise<ChangesImpactView> {
  const answer = await readOrError('impact', changesQuery(query))
  return 'kind' in answer ? { impact: answer, skipped: [] } : answer
}
