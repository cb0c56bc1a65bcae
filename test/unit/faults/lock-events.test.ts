import { describe, expect, test } from 'vitest'
import { updateOnce } from '../../../src/plugin/vite/vite-dev.ts'
import { fakeHost, fakeProject } from '../../helpers/fake-project.ts'

/** A dev server that has started, with what its session says and its lock. */
async function serving() {
  const fake = fakeProject()
  const host = fakeHost(fake, { isServer: true })
  await host.start()
  fake.steps.length = 0
  const said: string[] = []
  host.session.listen(({ kind }) => void said.push(kind))
  const update = updateOnce(host)
  const burst = (): Promise<void[]> => Promise.all(Array.from({ length: 50 }, update))
  return { fake, said, burst }
}

describe('a burst of events of the lock in dev', () => {
  test('a burst of events of the lock is one read', async () => {
    const { fake, said, burst } = await serving()
    fake.write('v2')
    await burst()
    expect([fake.steps, said]).toEqual([['text', 'read'], ['loaded']])
    await burst()
    expect([fake.steps, said]).toEqual([['text', 'read', 'text'], ['loaded']])
  })

  test('a burst of events over a lock that is half written shows no error', async () => {
    const { fake, said, burst } = await serving()
    fake.corrupt()
    fake.after('read', 1, () => fake.write('v2'))
    await burst()
    expect(said).toEqual(['loaded'])
    fake.corrupt()
    await burst()
    expect(said).toEqual(['loaded', 'failed'])
  })
})
