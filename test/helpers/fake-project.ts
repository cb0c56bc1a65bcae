import { PromptsError } from '../../src/errors/prompts-error.ts'
import { type Entry, entriesOf } from '../../src/core/lock/entry.ts'
import type { Lock } from '../../src/core/prompt.ts'
import type { Options } from '../../src/config/options.ts'
import { definitionKey } from '../../src/codegen/print-module.ts'
import { resolveOptions } from '../../src/config/resolve-options.ts'
import type { LockRequest } from '../../src/fs/lock-store.ts'
import { type BuildContext, contextOf } from '../../src/plugin/context.ts'
import { createSession, Host } from '../../src/plugin/host.ts'
import { idsOf } from '../../src/plugin/ids.ts'
import type { Session } from '../../src/plugin/session.ts'
import type { Project } from '../../src/features/project/project.ts'
import { locateApps } from '../../src/plan/apps.ts'
import { liveLock } from './pinned.ts'

/** What a session does with its project, one after the other. */
export type Step = 'open' | 'text' | 'read' | 'declare' | 'pull'

/** A project in memory, whose lock a test changes at any point of a session's work. */
export interface FakeProject {
  readonly project: Project
  readonly steps: Step[]
  /** The versions of the prompt that were declared. */
  readonly declared: string[]
  /** Writes a lock with one prompt of this version. */
  write(version: string, user?: string): void
  /** Leaves a lock that can't be read. */
  corrupt(): void
  remove(): void
  /** Runs this once, right after the session has done the step for the given time. */
  after(step: Step, count: number, action: () => void): void
}

/** What is in the lock: a version, something broken, or no file. */
type Content =
  | { readonly version: string; readonly user?: string | undefined }
  | 'broken'
  | undefined

interface FakeProjectOptions {
  readonly root?: string
  readonly options?: Options
}

/** Makes a project whose lock has one prompt, `greeting`, of version `v1`. */
export function fakeProject({
  root = '/nowhere',
  options = {},
}: FakeProjectOptions = {}): FakeProject {
  let content: Content = { version: 'v1' }
  const steps: Step[] = []
  const declared: string[] = []
  const actions = new Map<string, () => void>()
  const done = (step: Step): void => {
    steps.push(step)
    actions.get(`${step} ${steps.filter((each) => each === step).length}`)?.()
  }
  const resolved = resolveOptions({
    root,
    layers: [{ source: 'the test', options }],
    env: [],
  })
  const path = resolved.lock
  const openLock = async ({ text }: LockRequest): Promise<readonly Entry[]> => {
    const found = text === undefined ? content : (JSON.parse(text) as Content)
    done('read')
    if (found === undefined) throw new PromptsError('LOCK_MISSING', { path, workspace: 'prompts' })
    if (found === 'broken')
      throw new PromptsError('LOCK_CONFLICTED', { path, workspace: 'prompts', line: 1 })
    return entriesOf(lockOf(found.version, found.user))
  }
  const project: Project = {
    options: resolved,
    apps: async () => [resolved],
    locate: async () => locateApps([resolved]),
    lock: {
      path,
      workspace: 'prompts',
      readHash: () => Promise.reject(new Error('A session compares texts.')),
      async readText() {
        const text = content && JSON.stringify(content)
        done('text')
        return text
      },
      readFormer: () => Promise.reject(new Error('A session pulls as a whole.')),
      read: () => Promise.reject(new Error('A session opens the lock.')),
      open: openLock,
      write: () => Promise.reject(new Error('A session writes no lock.')),
    },
    prepare: () =>
      Promise.resolve({ plan: { after: lockOf('pulled') }, report: { reads: 1 } } as never),
    show: () => Promise.reject(new Error('A session shows no lock.')),
    edit: () => Promise.reject(new Error('A session edits no lock.')),
    preview: () => Promise.reject(new Error('A session asks nobody.')),
    async commit() {
      content = { version: 'pulled' }
      done('pull')
      return [path]
    },
    withService: () => Promise.reject(new Error('There is no service.')),
    writeGenerated: () => Promise.reject(new Error('A session writes declarations only.')),
    readLock: () => Promise.reject(new Error('A session opens the lock.')),
    openLock,
    async writeDeclarations({ parts }) {
      declared.push(parts.map(({ version }) => version).join())
      done('declare')
      return []
    },
  }
  return {
    project,
    steps,
    declared,
    write: (version, user) => (content = { version, user }),
    corrupt: () => (content = 'broken'),
    remove: () => (content = undefined),
    after: (step, count, action) => void actions.set(`${step} ${count}`, action),
  }
}

function lockOf(version: string, user = ''): Lock {
  return liveLock({ slug: 'greeting', version, user })
}

/** The id of the module with its prompt. */
export const DEFINITIONS: string = idsOf('prompts').resolved({
  kind: 'definitions',
  part: definitionKey({ slug: 'greeting', environment: 'live' }),
})

/** Where a session works in these tests; nothing is said. */
export function fakeContext(told: Partial<BuildContext> = {}): BuildContext {
  return contextOf(idsOf('prompts'), {
    root: '/nowhere',
    mode: 'development',
    production: false,
    notify: quiet,
    ...told,
  })
}

export const quiet = (): void => undefined

export function fakeSession(fake: FakeProject, told: Partial<BuildContext> = {}): Session {
  return createSession({ options: {} }, fakeContext(told), async () => {
    fake.steps.push('open')
    return fake.project
  })
}

export function fakeHost(fake: FakeProject, told: Partial<BuildContext> = {}): Host {
  return new Host(fakeContext(told), fakeSession(fake, told))
}
