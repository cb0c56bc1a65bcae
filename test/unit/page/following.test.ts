import { expect, onTestFinished, test, vi } from 'vitest'
import type { Answers } from '../../../src/page/protocol.ts'

const STORE = new URL('../../../src/page/app/store.ts', import.meta.url).href

test('the check of every minute type-checks the app again only if other changes wait', async () => {
  const asked: string[] = []
  const rows: object[] = [{ slug: 'a', kind: 'removed', change: {} }]
  const answers: Readonly<Partial<Record<keyof Answers, object>>> = {
    state: { lockError: null, readsAlways: false },
    changes: { kind: 'compared', rows, service: null },
    impact: { kind: 'checked', findings: [] },
    uses: { kind: 'analysed', sites: [], escapes: [] },
  }
  const events = new EventTarget()
  const page = {
    location: { hash: '' },
    document: Object.assign(new EventTarget(), { hidden: false }),
    addEventListener: () => undefined,
    EventSource: function connect() {
      return events
    },
    async fetch(url: string, { body }: { readonly body: string }) {
      const name = url.slice('api/'.length)
      const { with: side = '' } = JSON.parse(body) as { readonly with?: string }
      asked.push(name + side)
      return Response.json(answers[name as keyof Answers])
    },
  }
  for (const [name, value] of Object.entries(page)) vi.stubGlobal(name, value)
  onTestFinished(() => void vi.unstubAllGlobals())
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  // Not by a literal, or its types would need those of browsers.
  const { follow } = (await import(STORE)) as { follow(draw: () => void): void }
  follow(() => undefined)
  events.dispatchEvent(new Event('open'))
  await vi.advanceTimersByTimeAsync(180_000)
  const count = (name: string): number => asked.filter((other) => other === name).length
  expect([count('changes'), count('impact')]).toEqual([4, 1])
  rows.push({ slug: 'b', kind: 'removed', change: {} })
  await vi.advanceTimersByTimeAsync(60_000)
  expect([count('changes'), count('impact')]).toEqual([5, 2])
})
