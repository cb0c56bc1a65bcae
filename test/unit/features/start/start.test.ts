import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startProject } from '../../../../src/features/start/start.ts'
import type { Lock } from '../../../../src/core/prompt.ts'
import { liveLock, lockOf } from '../../../helpers/pinned.ts'
import { type GivenProject, openTestProject } from '../../../helpers/project.ts'
import { rejection } from '../../../helpers/service-client.ts'

/** The warnings of a start from a lock. */
async function warningsOf(lock: Lock, given: GivenProject = {}): Promise<string[]> {
  const warnings: string[] = []
  const { project } = await openTestProject({ lock, ...given })
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

test('a start restores declarations that are cut; for production only missing ones', async () => {
  const { project, root } = await openTestProject({ lock: liveLock({ slug: 'a' }) })
  const file = join(root, 'prompts.d.ts')
  const start = async (production: boolean): Promise<string> => {
    await startProject(project, { production, notify: () => undefined })
    return readFile(file, 'utf8')
  }
  const text = await start(true)
  const cut = text.slice(0, -20)
  await writeFile(file, cut)
  expect(await start(true)).toBe(cut)
  expect(await start(false)).toBe(text)
})

describe('staging in production', () => {
  const lock = lockOf({ live: [{ slug: 'a' }], staging: [{ slug: 'a', version: 'v23' }] })

  test.each([
    ['the live view', 'live', {}, 0],
    ['the test view of the lock', 'test', {}, 1],
    ['the test view of the option', 'live', { environment: 'test' }, 1],
    [
      'the test view of the option, which is allowed',
      'live',
      { environment: 'test', production: 'allow' },
      0,
    ],
  ] as const)('has a warning if it is %s', async (_, environment, options, count) => {
    expect(await warningsOf({ ...lock, environment }, { options })).toHaveLength(count)
  })

  test('has none if the test view has no staging version', async () => {
    const unstaged = lockOf({ live: [{ slug: 'a' }] })
    expect(await warningsOf({ ...unstaged, environment: 'test' }, {})).toEqual([])
  })

  test('has none if a variable says so', async () => {
    const processEnv = { PROMPTS_ENVIRONMENT: 'test' }
    expect(await warningsOf(lock, { processEnv })).toEqual([])
  })

  test('is an error with the option, which no key has a part in', async () => {
    const options = { production: 'error' } as const
    const start = warningsOf({ ...lock, environment: 'test' }, { options })
    expect(await rejection(start)).toMatchObject({ code: 'TEST_IN_PRODUCTION' })
    const keys = { PROMPTS_API_KEY: 'odd', PROMPTS_TEST_API_KEY: 'svc_test_a' }
    expect(await warningsOf(lock, { options, processEnv: keys })).toEqual([])
  })
})
