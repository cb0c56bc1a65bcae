import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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

test('a start names edited staging versions too, without the line breaks of a slug', async () => {
  const edited = { version: 'v1-edited' }
  const slug = 'evil\nSigned off'
  const lock = lockOf({
    live: [{ slug: 'a' }, { slug, ...edited }],
    staging: [{ slug: 'a', ...edited }],
  })
  expect(await warningsOf(lock)).toEqual([
    'Edited here, and not what the service serves: a (staging), evil Signed off.',
  ])
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

test('a production start that can not write missing declarations says so and goes on; another one fails', async () => {
  const options = { dts: 'a file/prompts.d.ts' }
  const { project, root } = await openTestProject({ lock: liveLock({ slug: 'a' }), options })
  await writeFile(join(root, 'a file'), '')
  const said: string[] = []
  const notify = (_: unknown, message: string): void => void said.push(message)
  await startProject(project, { production: true, notify })
  const why = /prompts\.d\.ts can't be written: .*goes on without declarations/
  expect(said).toEqual([expect.stringMatching(why)])
  const start = startProject(project, { production: false, notify })
  expect(await rejection(start)).toMatchObject({ code: 'FILE_UNWRITABLE' })
})

test('a production start without declarations needs only the entries that the build ships', async () => {
  const lock = liveLock({ slug: 'a' }, { slug: 'b', system: 'Hello' })
  const { project } = await openTestProject({ lock })
  const text = (await readFile(project.lock.path, 'utf8')).replace('"Hello"', '"Hullo"')
  await writeFile(project.lock.path, text)
  const said: string[] = []
  const notify = (_: unknown, message: string): void => void said.push(message)
  const { plan } = await startProject(project, { production: true, notify })
  expect(plan.prompts.map(({ head }) => head.slug)).toEqual(['a', 'b'])
  expect(said).toEqual([expect.stringMatching(/\bb\b.*goes on without declarations/s)])
  const start = startProject(project, { production: false, notify })
  expect(await rejection(start)).toMatchObject({ code: 'LOCK_EDITED' })
})

const STAGED = lockOf({ live: [{ slug: 'a' }], staging: [{ slug: 'a', version: 'v23' }] })
const LIVE = lockOf({ live: [{ slug: 'a' }] })

test.each<[title: string, lock: Lock, given: GivenProject, count: number]>([
  ['the live view', STAGED, {}, 0],
  ['the test view of the option', STAGED, { options: { environment: 'test' } }, 1],
  [
    'the test view of the option, which is allowed',
    STAGED,
    { options: { environment: 'test', production: 'allow' } },
    0,
  ],
  ['a test view without a staging version', LIVE, { options: { environment: 'test' } }, 0],
  ['the test view of a variable', STAGED, { processEnv: { PROMPTS_ENVIRONMENT: 'test' } }, 0],
])('a production start from %s has that many warnings', async (_, lock, given, count) => {
  expect(await warningsOf(lock, given)).toHaveLength(count)
})

test('staging in production is an error with the option, which no key has a part in', async () => {
  const options = { production: 'error' } as const
  const start = warningsOf(STAGED, { options: { ...options, environment: 'test' } })
  expect(await rejection(start)).toMatchObject({ code: 'TEST_IN_PRODUCTION' })
  const keys = { PROMPTS_API_KEY: 'odd', PROMPTS_TEST_API_KEY: 'svc_test_a' }
  expect(await warningsOf(STAGED, { options, processEnv: keys })).toEqual([])
})
