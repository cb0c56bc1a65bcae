import { describe, expect, test } from 'vitest'
import type { Lock } from '../../../src/core/prompt.ts'
import { LOCAL_KEYS } from '../../../src/local-service/respond.ts'
import { workspaceFromLock } from '../../../src/local-service/workspace.ts'
import type { ComparisonView, CompareWith } from '../../../src/page/comparison-protocol.ts'
import { createProjectView, type ProjectView } from '../../../src/page/server/project-view.ts'
import { createReads, READS_PER_MINUTE } from '../../../src/page/server/reads.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { openTestProject } from '../../helpers/project.ts'
import { testProject, type TestProject } from '../../helpers/page/project.ts'

interface Opened {
  readonly project: TestProject
  readonly view: ProjectView
  readonly clock: { now: number }
}

/** The page's view of a project whose lock is pinned while the service serves something else. */
async function open(
  pinned: Lock,
  served: Lock,
  files: Readonly<Record<string, string>> = {},
): Promise<Opened> {
  const env = { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }
  const project = await testProject(pinned, { workspace: workspaceFromLock(served), env, files })
  const clock = { now: 0 }
  const view = createProjectView({ now: () => clock.now }, await project.open())
  return { project, view, clock }
}

function compare(
  { view }: Opened,
  slug = 'support-triage',
  { compareWith = 'service' as CompareWith, fresh = false } = {},
): Promise<ComparisonView> {
  return view.answers.compare({ slug, with: compareWith, ...(fresh && { fresh: '' }) })
}

function readsOf({ project }: Opened): number {
  return project.service.requests.filter(({ path }) => path.startsWith('/api/v1/prompts/')).length
}

const CODE = (view: ComparisonView): string => (view.kind === 'error' ? view.error.code : 'none')

describe('a comparison', () => {
  test.each(['service', 'staging'] as const)(
    'with %s reads no prompt that is not in the lock',
    async (compareWith) => {
      const served = liveLock({}, { slug: 'secret', system: 'Not for this app.' })
      const opened = await open(liveLock({}), served)
      expect(CODE(await compare(opened, 'secret', { compareWith }))).toBe('SLUG_UNKNOWN')
      expect(readsOf(opened)).toBe(0)
    },
  )

  test.each(['service', 'staging'] as const)(
    'with %s shows nothing of a prompt that was moved to an excluded folder',
    async (compareWith) => {
      const served = liveLock({ folder: 'private', system: 'Not for this app.' })
      const config = `export default { exclude: 'private/**' }`
      const opened = await open(liveLock({}), served, { 'prompts.config.mjs': config })
      const found = await compare(opened, 'support-triage', { compareWith })
      expect(found).toMatchObject({ kind: 'compared', after: null })
      expect(JSON.stringify(found)).not.toContain('Not for this app.')
    },
  )
})

describe('reads', () => {
  const before = liveLock({})
  const after = liveLock({ version: 'v23', system: 'Be brief.' })

  test('are shared by requests at the same time, and kept afterwards', async () => {
    const opened = await open(before, after)
    await Promise.all([compare(opened), compare(opened), compare(opened)])
    expect(await compare(opened)).toMatchObject({ after: { version: 'v23' } })
    expect(readsOf(opened)).toBe(1)
  })

  test('are made again when the list has changed, when they are old, and on demand', async () => {
    const opened = await open(before, after)
    await opened.view.answers.service({ fresh: '' })
    await compare(opened)
    await opened.project.serve(workspaceFromLock(liveLock({ version: 'v24' })))
    await compare(opened)
    expect(readsOf(opened)).toBe(1)
    await opened.view.answers.service({ fresh: '' })
    expect(await compare(opened)).toMatchObject({ after: { version: 'v24' } })
    expect(readsOf(opened)).toBe(2)
    opened.clock.now += 5 * 60_000
    await compare(opened)
    expect(readsOf(opened)).toBe(3)
    await compare(opened, 'support-triage', { fresh: true })
    expect(readsOf(opened)).toBe(4)
  })

  test('are limited within a minute, and fail with a code', async () => {
    const opened = await open(before, after)
    const codes: string[] = []
    for (let read = 0; read <= READS_PER_MINUTE; read++) {
      codes.push(CODE(await compare(opened, 'support-triage', { fresh: true })))
    }
    expect(codes.indexOf('PAGE_READS_LIMITED')).toBe(READS_PER_MINUTE)
    expect(readsOf(opened)).toBe(READS_PER_MINUTE)
    opened.clock.now += 60_000
    expect(CODE(await compare(opened, 'support-triage', { fresh: true }))).toBe('none')
  })

  test('that failed are made again', async () => {
    const { project } = await openTestProject({})
    const withService = async (): Promise<never> => Promise.reject(new Error('broken'))
    const { read } = createReads(() => 0)
    const request = { slug: 'a', listed: '', fresh: false }
    await expect(read({ ...project, withService }, request)).rejects.toThrow('broken')
    await expect(read(project, request)).rejects.toThrow('KEY_MISSING')
  })
})

describe('the known result of a comparison', () => {
  const before = liveLock({})
  const changeOf = async ({ view }: Opened): Promise<unknown> =>
    (await view.answers.state({})).changes['support-triage']

  test('does not exist before the comparison, nor after the list has changed', async () => {
    const opened = await open(before, liveLock({ version: 'v23', system: 'Be brief.' }))
    await opened.view.answers.service({ fresh: '' })
    expect(await changeOf(opened)).toBeUndefined()
    await compare(opened)
    expect(await changeOf(opened)).toBe('text')
    await opened.project.serve(workspaceFromLock(liveLock({ version: 'v24' })))
    await opened.view.answers.service({ fresh: '' })
    expect(await changeOf(opened)).toBeUndefined()
  })

  test('the drift is that of the lock as it is now, without another list', async () => {
    const after = liveLock({ version: 'v23', system: 'Be brief.' })
    const opened = await open(before, after)
    expect(await opened.view.answers.service({ fresh: '' })).toMatchObject({
      drift: [{ kind: 'changed' }],
    })
    await opened.project.writeLock(after)
    expect((await opened.view.answers.state({})).service).toMatchObject({
      kind: 'reached',
      drift: [],
    })
  })
})
