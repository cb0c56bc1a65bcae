import { expect, test, vi } from 'vitest'
import { PromptsError } from '../../../src/errors/prompts-error.ts'
import { createUses } from '../../../src/page/server/uses.ts'
import type { UseView } from '../../../src/page/protocol.ts'
import { liveLock } from '../../helpers/pinned.ts'

type Analyse = () => Promise<UseView[]>

const lock = liveLock({ slug: 'a' })
const use: UseView = { file: 'x.ts', path: '/x.ts', side: null, mentions: { a: [1] }, escapes: [] }

test('the code is analysed once, and again after an edit, new names or half a minute', async () => {
  let [now, edits] = [0, 0]
  const analyse = vi.fn<Analyse>(async () => [use])
  const uses = createUses({ analyse, edits: () => edits, now: () => now })
  expect(uses.view(lock)).toEqual({ kind: 'pending' })
  expect(await uses.ask(lock)).toEqual({ kind: 'analysed', modules: [use] })
  await uses.ask(liveLock({ slug: 'a', system: 'Another text.' }))
  expect(analyse).toHaveBeenCalledTimes(1)
  edits++
  expect(uses.view(lock)).toMatchObject({ kind: 'analysed' })
  await uses.ask(lock)
  expect(analyse).toHaveBeenCalledTimes(2)
  now += 30_000
  await uses.ask(lock)
  expect(analyse).toHaveBeenCalledTimes(3)
  await uses.ask(liveLock({ slug: 'b' }))
  expect(analyse).toHaveBeenCalledTimes(4)
})

test('an edit during an analysis starts another one, and no two run together', async () => {
  let edits = 0
  let finish = (): void => undefined
  const analyse = vi
    .fn<Analyse>(async () => [use])
    .mockImplementationOnce(async () => {
      await new Promise<void>((resolve) => (finish = resolve))
      return []
    })
  const uses = createUses({ analyse, edits: () => edits, now: () => 0 })
  const asked = [uses.ask(lock), uses.ask(lock)]
  edits++
  expect(analyse).toHaveBeenCalledTimes(1)
  finish()
  for (const view of await Promise.all(asked)) expect(view).toMatchObject({ modules: [use] })
  expect(analyse).toHaveBeenCalledTimes(2)
})

test('an error of the analysis is its result', async () => {
  const analyse = vi
    .fn<() => Promise<never>>()
    .mockRejectedValue(new PromptsError('TYPES_NOT_FOUND', { path: 'x' }))
  const uses = createUses({ analyse, edits: () => 0, now: () => 0 })
  expect(await uses.ask(lock)).toMatchObject({ kind: 'error', error: { code: 'TYPES_NOT_FOUND' } })
})
