import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Lock } from '../../../src/core/prompt.ts'
import { watchFiles } from '../../../src/fs/watch.ts'
import { openProject, type Project } from '../../../src/features/project/project.ts'
import { LOCAL_KEYS } from '../../../src/local-service/respond.ts'
import { parseWorkspace, workspaceFromLock } from '../../../src/local-service/workspace.ts'
import { type PageServer, type PageSource, servePage } from '../../../src/page/server/page.ts'
import { APP_TSCONFIG, appFolder } from '../app-folder.ts'
import { type RecordingServer, startRecording } from '../local-service.ts'
import { lockOf, lockText } from '../pinned.ts'

/** A project in its own folder, with a local service. Both are removed after the test. */
export interface TestProject {
  readonly root: string
  readonly lockPath: string
  readonly service: RecordingServer
  /** Variables by which commands find the service. */
  readonly env: Readonly<Record<string, string>>
  /** What the service serves from now on. */
  serve(served: Lock): void
  readLock(): Promise<string>
  writeLock(lock: Lock): Promise<void>
  open(): Promise<Project>
}

interface GivenProject {
  /** What the service serves. Default: the lock. */
  readonly served?: Lock
  readonly env?: Readonly<Record<string, string>>
  /** The app's files, by path. */
  readonly files?: Readonly<Record<string, string>>
}

export async function testProject(
  lock: Lock,
  { served = lock, env = {}, files = {} }: GivenProject = {},
): Promise<TestProject> {
  const root = await appFolder(files)
  const lockPath = join(root, 'prompts.lock.json')
  // The service reads its workspace once.
  const { planStatus, prompts } = workspaceFromLock(served)
  const workspace = { planStatus, prompts: new Map(prompts) }
  const service = await startRecording({ readWorkspace: async () => workspace })
  const writeLock = (next: Lock): Promise<void> => writeFile(lockPath, lockText(next))
  await writeLock(lock)
  const processEnv = { PROMPTS_BASE_URL: service.url, PROMPTS_API_KEY: LOCAL_KEYS.live, ...env }
  const place = { root, envDir: root, mode: 'development' }
  return {
    root,
    lockPath,
    service,
    env: processEnv,
    serve(next) {
      workspace.prompts.clear()
      for (const [slug, prompt] of workspaceFromLock(next).prompts)
        workspace.prompts.set(slug, prompt)
    },
    readLock: () => readFile(lockPath, 'utf8'),
    writeLock,
    open: () => openProject({ ...place, options: {}, processEnv, warn: () => undefined }),
  }
}

/** The files of an app in TypeScript that imports prompts. Its statements begin in line 2. */
export function appFiles(...statements: readonly string[]): Record<string, string> {
  const main = [`import { prompts } from 'virtual:prompts'`, ...statements].join('\n')
  return { 'tsconfig.json': APP_TSCONFIG, 'src/main.ts': main }
}

/** The lock that a pull from the playground would write. */
export async function playgroundLock(): Promise<Lock> {
  const path = resolve(import.meta.dirname, '../../../playground/workspace.yaml')
  const { prompts } = parseWorkspace(await readFile(path, 'utf8'), path)
  const parts = [...prompts.values()]
  return lockOf({
    live: parts.map(({ live }) => live),
    staging: parts.flatMap(({ staging }) => staging ?? []),
  })
}

/** Such a project, with the address of a path of its page. */
export async function projectAt(
  path: string,
  ...given: Parameters<typeof testProject>
): Promise<TestProject & { readonly url: string }> {
  const project = await testProject(...given)
  return { ...project, url: (await servedPage(project)).url + path }
}

/** Serves the page of a project until the end of the test, and tells it of its lock. Its clock stands at noon. */
export async function servedPage(
  { open }: Pick<TestProject, 'open'>,
  source: Partial<PageSource> = {},
): Promise<PageServer> {
  const now = (): number => Date.UTC(2026, 4, 4, 12, 0)
  const project = await open()
  const server = await servePage({ project, now, ...source }, 0)
  const paths = [project.lock.path]
  const watcher = watchFiles({ paths, onChange: async () => server.lockChanged() })
  onTestFinished(async () => void (await Promise.all([watcher.close(), server.close()])))
  return server
}
