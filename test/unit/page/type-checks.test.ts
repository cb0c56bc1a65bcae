import { expect, test, vi } from 'vitest'
import type { PromptChange } from '../../../src/core/compare.ts'
import type { Lock } from '../../../src/core/prompt.ts'
import {
  createTypeChecks,
  type RunAnalysis,
  type TypeChecks,
} from '../../../src/page/server/type-checks.ts'
import { liveLock, pinned } from '../../helpers/pinned.ts'
import { openTestProject } from '../../helpers/project.ts'

const lock: Lock = liveLock({ slug: 'a' }, { slug: 'b' })

function removal(slug: string): PromptChange[] {
  return [{ kind: 'removed', slug, before: pinned({ slug }) }]
}

type AnalysisName = Parameters<RunAnalysis>[0]

const RESULTS: Readonly<Record<AnalysisName, unknown>> = {
  findImpact: { findings: [], files: 0 },
  findUsage: { prompts: [], unused: [], escapes: [], client: [], reads: { unused: 0, total: 0 } },
  skipBreaking: [],
}

async function checksWith(run: (name: AnalysisName) => Promise<unknown>): Promise<TypeChecks> {
  const { project } = await openTestProject({ lock })
  return createTypeChecks(project, run as RunAnalysis)
}

test('type checks run one at a time, and requests for the same one share it', async () => {
  let running = 0
  const seen: number[] = []
  const run = vi.fn<(name: AnalysisName) => Promise<unknown>>(async (name) => {
    seen.push(++running)
    await Promise.resolve()
    running--
    return RESULTS[name]
  })
  const { impact, skipped, uses } = await checksWith(run)
  const same = [impact(lock, removal('a')), impact(lock, removal('a'))]
  await Promise.all([...same, impact(lock, removal('b')), skipped(lock, []), uses(lock)])
  expect(run.mock.calls.map(([name]) => name)).toEqual([
    'findImpact',
    'findImpact',
    'skipBreaking',
    'findUsage',
  ])
  expect(seen).toEqual([1, 1, 1, 1])
})

test('a check that fails lets the next one run', async () => {
  const run = vi
    .fn<(name: AnalysisName) => Promise<unknown>>(async (name) => RESULTS[name])
    .mockRejectedValueOnce(new TypeError('broken'))
  const { impact } = await checksWith(run)
  expect(await impact(lock, removal('a'))).toMatchObject({ error: { code: 'UNEXPECTED' } })
  expect(await impact(lock, removal('a'))).toEqual({ kind: 'found', places: [] })
})
