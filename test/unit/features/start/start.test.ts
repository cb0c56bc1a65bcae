import { expect, test } from 'vitest'
import { startProject } from '../../../../src/features/start/start.ts'
import { liveLock } from '../../../helpers/pinned.ts'
import { openTestProject } from '../../../helpers/project.ts'

/** The warnings of a start from a lock. */
async function warningsOf(lock: ReturnType<typeof liveLock>): Promise<string[]> {
  const warnings: string[] = []
  const { project } = await openTestProject({ lock })
  const notify = (level: string, message: string): unknown =>
    level === 'warn' && warnings.push(message)
  await startProject(project, { production: true, notify })
  return warnings
}

test('a start names the prompts whose text was edited here, in one line', async () => {
  const held = { reason: '' }
  const edited = Array.from({ length: 7 }, (_, index) => `edited-${index}`)
  const lock = liveLock(...edited.map((slug) => ({ slug, version: 'v1-edited', held })), {
    slug: 'held',
    held,
  })
  const named = [...edited.slice(0, 5), '… and 2 more'].join(', ')
  expect(await warningsOf(lock)).toEqual([
    `Edited here, and not what the service serves: ${named}.`,
  ])
})

test('a start names an edited prompt until a pull, although it is released', async () => {
  expect(await warningsOf(liveLock({ slug: 'released', version: 'v1-edited' }))).toEqual([
    'Edited here, and not what the service serves: released.',
  ])
})

test('a start from the texts of the service has no warning', async () => {
  expect(await warningsOf(liveLock({ slug: 'held', held: { reason: '' } }))).toEqual([])
})
