import { expect, test, vi } from 'vitest'
import type { PromptChange } from '../../../src/core/compare.ts'
import { type Analyses, createTypeChecks } from '../../../src/page/server/type-checks.ts'
import { liveLock, pinned } from '../../helpers/pinned.ts'
import { openTestProject } from '../../helpers/project.ts'

const lock = liveLock({ slug: 'a' }, { slug: 'b' })

function removal(slug: string): PromptChange {
  return { kind: 'removed', slug, before: pinned({ slug }) }
}

test('type checks run one at a time, and requests for the same one share it', async () => {
  let running = 0
  const seen: number[] = []
  const check = async (): Promise<void> => {
    seen.push(++running)
    await Promise.resolve()
    running--
  }
  const findImpact = vi.fn<Analyses['findImpact']>(async () => {
    await check()
    return { findings: [], files: 0 }
  })
  const findUsage = vi.fn<Analyses['findUsage']>(async () => {
    await check()
    const reads = { unused: 0, total: 0 }
    return { prompts: [], unused: [], escapes: [], client: [], reads }
  })
  const { project } = await openTestProject({ lock })
  const { impact, uses } = createTypeChecks(project, { findImpact, findUsage })
  const same = [impact(lock, removal('a')), impact(lock, removal('a'))]
  await Promise.all([...same, impact(lock, removal('b')), uses(lock)])
  expect(findImpact).toHaveBeenCalledTimes(2)
  expect(seen).toEqual([1, 1, 1])
})

test('a check that fails lets the next one run', async () => {
  const findImpact = vi
    .fn<Analyses['findImpact']>()
    .mockRejectedValueOnce(new TypeError('broken'))
    .mockResolvedValueOnce({ findings: [], files: 0 })
  const findUsage = vi.fn<Analyses['findUsage']>()
  const { project } = await openTestProject({ lock })
  const { impact } = createTypeChecks(project, { findImpact, findUsage })
  expect(await impact(lock, removal('a'))).toMatchObject({ error: { code: 'UNEXPECTED' } })
  expect(await impact(lock, removal('a'))).toEqual({ kind: 'found', places: [] })
})
