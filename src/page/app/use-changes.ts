import { useMemo } from 'preact/hooks'
import type {
  ChangesImpactView,
  ChangesQuery,
  ChangesView,
  ReadMode,
} from '../comparison-protocol.ts'
import { changesQuery, readOrError } from './api.ts'
import { type Reading, useAnswer, useReading } from './use-answer.ts'
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

/** All changes, and what they break. It is busy until both are known. */
export interface ChangesReading extends Reading<ChangesView> {
  /** `undefined` until the app is checked. */
  readonly impact: ChangesImpactView | undefined
}

/** Reads the changes of a comparison and then checks the app: see {@link useReading}. */
export function useChanges(query: ChangesQuery, mode: ReadMode): ChangesReading {
  const key = JSON.stringify([query, useRevision()])
  const ask = (read: ReadMode): Promise<ChangesView> =>
    readOrError('changes', { ...changesQuery(query), read })
  const reading = useReading(ask, mode, key)
  const { answer: changes, isBusy } = reading
  const isCompared = changes?.kind === 'compared'
  const found = useAnswer(
    async () => ({ changes, impact: isCompared ? await impactOf(query) : undefined }),
    [changes],
  )
  const impact = found?.changes === changes ? found?.impact : undefined
  return { ...reading, impact, isBusy: isBusy || (isCompared && impact === undefined) }
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
