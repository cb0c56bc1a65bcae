import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { printLock } from '../../../src/core/lock/print-lock.ts'
import type { Lock } from '../../../src/core/prompt.ts'
import { sha256 } from '../../../src/fs/files.ts'
import { openProject, type Project } from '../../../src/features/project/project.ts'
import { LOCAL_KEYS } from '../../../src/local-service/respond.ts'
import {
  parseWorkspace,
  type Workspace,
  workspaceFromLock,
} from '../../../src/local-service/workspace.ts'
import type { PageSource } from '../../../src/page/server/page.ts'
import { type PageServer, servePage } from '../../../src/page/server/page.ts'
import { appFolder } from '../app-folder.ts'
import { type RecordingServer, startRecording } from '../local-service.ts'
import { lockOf } from '../pinned.ts'

/** The time at which the page checks the service in these tests. */
const NOON: number = Date.UTC(2026, 4, 4, 12, 0)

/** A project in its own folder, with a local service. Both are removed after the test. */
export interface TestProject {
  readonly root: string
  readonly lockPath: string
  readonly service: RecordingServer
  /** What the service serves from now on. */
  serve(workspace: Workspace): Promise<void>
  writeLock(lock: Lock): Promise<void>
  open(): Promise<Project>
}

export async function playgroundWorkspace(): Promise<Workspace> {
  const path = resolve(import.meta.dirname, '../../../playground/workspace.yaml')
  return parseWorkspace(await readFile(path, 'utf8'), path)
}

/** The lock that a pull from a workspace would write. */
export function lockFrom(workspace: Workspace): Lock {
  const prompts = [...workspace.prompts.values()]
  return lockOf({
    live: prompts.map(({ live }) => live),
    staging: prompts.flatMap(({ staging }) => staging ?? []),
  })
}

/** Makes a project with a lock and a service that serves `workspace`, by default the lock. */
export async function testProject(
  lock: Lock,
  {
    workspace = workspaceFromLock(lock),
    env = {},
    files = {},
  }: {
    workspace?: Workspace
    env?: Record<string, string>
    /** The app's files, by path. */
    files?: Readonly<Record<string, string>>
  } = {},
): Promise<TestProject> {
  const root = await appFolder(files)
  const lockPath = join(root, 'prompts.lock.json')
  const { service, serve } = await switchableService(root, workspace)
  const writeLock = (next: Lock): Promise<void> => writeFile(lockPath, printLock(next, sha256))
  await writeLock(lock)
  const processEnv = { PROMPTS_BASE_URL: service.url, PROMPTS_API_KEY: LOCAL_KEYS.live, ...env }
  const place = { root, envDir: root, mode: 'development' }
  return {
    root,
    lockPath,
    service,
    writeLock,
    serve,
    async open() {
      const warn = (): void => undefined
      return openProject({ ...place, options: {}, processEnv, warn })
    },
  }
}

/** A service whose workspace can be replaced: it reads again when its file changes. */
async function switchableService(
  root: string,
  workspace: Workspace,
): Promise<Pick<TestProject, 'service' | 'serve'>> {
  const state = { workspace, tell: (): void => undefined }
  const watchPath = join(root, 'workspace-changes')
  await writeFile(watchPath, '')
  const service = await startRecording({
    readWorkspace: async () => state.workspace,
    watchPath,
    onReload: () => state.tell(),
  })
  const serve = async (next: Workspace): Promise<void> => {
    state.workspace = next
    const reloaded = new Promise<void>((done) => (state.tell = done))
    await appendFile(watchPath, 'changed\n')
    await reloaded
  }
  return { service, serve }
}

export async function servedPage(
  { open }: Pick<TestProject, 'open'>,
  options: Partial<PageSource> = {},
): Promise<PageServer> {
  const source = { project: await open(), now: () => NOON, ...options }
  const server = await servePage(source, 0)
  onTestFinished(() => server.close())
  return server
}
