import { describe, expect, test } from 'vitest'
import { LOCAL_KEYS } from '../../../src/local-service/respond.ts'
import { type Workspace, workspaceFromLock } from '../../../src/local-service/workspace.ts'
import type { ChangesView } from '../../../src/page/comparison-protocol.ts'
import { createProjectView, type ProjectView } from '../../../src/page/server/project-view.ts'
import { APP_TSCONFIG } from '../../helpers/app-folder.ts'
import { commitAll } from '../../helpers/git-repository.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { testProject, type TestProject } from '../../helpers/page/project.ts'

const SERVICE = { with: 'service' }

const LOCK = liveLock(
  { slug: 'a' },
  { slug: 'gone' },
  { slug: 'held', held: { reason: 'Legal.' } },
  { slug: 'same' },
)

const SERVED = liveLock(
  { slug: 'a', version: 'v23', system: 'Be {{ tone }}.' },
  { slug: 'held', version: 'v23', system: 'Not now.' },
  { slug: 'new' },
  { slug: 'same' },
)

const FILES = {
  'tsconfig.json': APP_TSCONFIG,
  'src/main.ts': [
    `import { prompts } from 'virtual:prompts'`,
    'prompts.a.render()',
    'prompts.gone.render()',
  ].join('\n'),
}

interface Opened {
  readonly project: TestProject
  readonly view: ProjectView
  readonly clock: { now: number }
}

async function open(workspace: Workspace = workspaceFromLock(SERVED)): Promise<Opened> {
  const env = { PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }
  const project = await testProject(LOCK, { workspace, env, files: FILES })
  const clock = { now: 0 }
  const view = createProjectView({ now: () => clock.now }, await project.open())
  return { project, view, clock }
}

function summaryOf(view: ChangesView): unknown {
  if (view.kind === 'error') return view.error.code
  if (view.kind === 'unknown') return view.kind
  return view.changes.map((change) => `${change.class} ${change.slug}`)
}

function readsOf({ project }: Opened): string[] {
  const paths = project.service.requests.map(({ path }) => path)
  return paths.filter((path) => path.startsWith('/api/v1/prompts/'))
}

describe('the changes', () => {
  test('of the service are read once, without held and unchanged prompts', async () => {
    const opened = await open()
    const found = await opened.view.answers.changes(SERVICE)
    expect(summaryOf(found)).toEqual(['breaking a', 'breaking gone', 'added new'])
    expect(found).toMatchObject({
      names: { before: 'Lock', after: 'Service' },
      counts: { breaking: 2, soft: 0, text: 0, settings: 0, added: 1 },
    })
    expect(JSON.stringify(found)).not.toContain('Not now.')
    await opened.view.answers.changes(SERVICE)
    await opened.view.answers.impact(SERVICE)
    const reads = readsOf(opened)
    expect(reads).toHaveLength(new Set(reads).size)
  })

  test('are read again after five minutes, and on demand', async () => {
    const opened = await open()
    await opened.view.answers.changes(SERVICE)
    const once = readsOf(opened).length
    await opened.view.answers.changes({ ...SERVICE, read: 'fresh' })
    expect(readsOf(opened)).toHaveLength(once)
    opened.clock.now += 10_000
    await opened.view.answers.changes({ ...SERVICE, read: 'fresh' })
    expect(readsOf(opened)).toHaveLength(2 * once)
    opened.clock.now += 5 * 60_000
    await opened.view.answers.changes(SERVICE)
    expect(readsOf(opened)).toHaveLength(3 * once)
  })

  test('that are known cost no request, whatever their age, until the lock changes', async () => {
    const opened = await open()
    const { view, project, clock } = opened
    expect(summaryOf(await view.answers.changes({ ...SERVICE, read: 'known' }))).toBe('unknown')
    expect(project.service.requests).toEqual([])
    await view.answers.changes(SERVICE)
    const { length } = project.service.requests
    clock.now += 60 * 60_000
    expect(await view.answers.changes({ ...SERVICE, read: 'known' })).toMatchObject({
      counts: { added: 1 },
      readAt: 0,
    })
    expect(await view.answers.impact(SERVICE)).toMatchObject({ impact: { kind: 'found' } })
    expect(project.service.requests).toHaveLength(length)
    await project.writeLock(liveLock({ slug: 'a' }))
    expect(summaryOf(await view.answers.changes({ ...SERVICE, read: 'known' }))).toBe('unknown')
    expect(project.service.requests).toHaveLength(length)
  })

  test('are read once for requests at the same time', async () => {
    const opened = await open()
    const both = [
      opened.view.answers.changes(SERVICE),
      opened.view.answers.changes({ ...SERVICE, read: 'fresh' }),
    ]
    await Promise.all(both)
    const reads = readsOf(opened)
    expect(reads).toHaveLength(new Set(reads).size)
  })

  test('are known to the list afterwards', async () => {
    const { view } = await open()
    await view.answers.service({ fresh: '' })
    await view.answers.changes(SERVICE)
    const { changes } = await view.answers.state({})
    expect(changes).toEqual({ a: 'breaking', gone: 'breaking' })
  })

  test('have one impact, with the cause of each place, and what a pull could skip', async () => {
    const { view } = await open()
    const { impact, skipped } = await view.answers.impact(SERVICE)
    expect(impact).toMatchObject({
      kind: 'found',
      places: [
        { file: 'src/main.ts', line: 2, slug: 'a' },
        { file: 'src/main.ts', line: 3, slug: 'gone' },
      ],
    })
    expect(skipped.map(({ slug }) => slug)).toEqual(['a', 'gone'])
  })

  test('of staging compare the live lock with the drafts', async () => {
    const workspace = workspaceFromLock(LOCK)
    const prompt = workspace.prompts.get('same')
    if (prompt === undefined) throw new Error('The workspace has it.')
    const staging = { ...prompt.live, version: 'v30', user: '{{ extra }}' }
    const prompts = new Map([...workspace.prompts, ['same', { ...prompt, staging }]])
    const opened = await open({ ...workspace, prompts })
    const found = await opened.view.answers.changes({ with: 'staging' })
    expect(summaryOf(found)).toEqual(['breaking same'])
    expect(readsOf(opened)).toHaveLength(1)
  })

  test('since a git revision need no request', async () => {
    const opened = await open()
    const { root, writeLock, service } = opened.project
    commitAll(root)
    await writeLock(liveLock({ slug: 'a', system: 'Be brief.' }))
    const since = (revision: string): Promise<ChangesView> =>
      opened.view.answers.changes({ base: revision })
    expect(summaryOf(await since('HEAD'))).toEqual([
      'breaking gone',
      'breaking held',
      'breaking same',
      'text a',
    ])
    expect(summaryOf(await since('--output=/tmp/x'))).toBe('REVISION_UNREADABLE')
    expect(service.requests).toEqual([])
  })

  test('report why they cannot be read', async () => {
    const { project, view } = await open()
    await project.service.close()
    expect(summaryOf(await view.answers.changes(SERVICE))).toBe('SERVICE_UNREACHABLE')
  })
})
