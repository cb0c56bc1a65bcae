import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findProjectFolder, hasWorkspace } from '../config/config-file.ts'
import { defaultMode } from '../config/options.ts'
import { DEFAULT_WORKSPACE, isWorkspaceName, pluginName } from '../core/workspace-name.ts'
import { openProject } from '../features/project/project.ts'
import { createNotify } from '../features/start/notify.ts'
import { startProject } from '../features/start/start.ts'
import { readText } from '../fs/files.ts'
import { GROUPS, idsOf, type ModuleName, type WorkspaceIds } from '../plugin/ids.ts'
import { createSnapshot, type Snapshot } from '../plugin/snapshot.ts'
import type { Sources } from './hooks.ts'

interface AppProcess {
  /** The project's folder or one below it, absolute. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Prints a message for the user who runs the app. */
  readonly print: (line: string) => void
}

/**
 * The modules of all workspaces of an app, loaded from the locks as in a build.
 */
export async function startSources({ folder, ...process }: AppProcess): Promise<Sources> {
  const root = await findProjectFolder(folder, DEFAULT_WORKSPACE)
  const names = await findWorkspaces(root)
  const sources = await Promise.all(names.map((name) => startWorkspace(name, root, process)))
  return Object.fromEntries(sources.flatMap((modules) => Object.entries(modules)))
}

async function startWorkspace(
  name: string,
  root: string,
  { env, print }: Omit<AppProcess, 'folder'>,
): Promise<Sources> {
  const mode = defaultMode(env)
  const notify = createNotify(pluginName(name), (_level, text) => print(text))
  const project = await openProject({
    root,
    name,
    mode,
    options: {},
    processEnv: env,
    warn: (message) => notify('warn', message),
  })
  const production = env['NODE_ENV'] === 'production'
  // The folder of a running app may be read-only. A pull still writes the declarations next to its lock.
  const unwritten = { ...project, writeDeclarations: async () => [] }
  const { plan } = await startProject(unwritten, { production, notify })
  const ids = idsOf(name)
  // The same as in a dev server, with all prompts.
  const settings = { ids, shape: 'namespace', groups: GROUPS } as const
  return printSources(createSnapshot(plan, settings), ids)
}

/**
 * Prints the modules for Node.
 */
function printSources({ parts, code }: Snapshot, ids: WorkspaceIds): Sources {
  const modules: ModuleName[] = [
    { kind: 'entry', staging: false },
    { kind: 'all', staging: false },
    { kind: 'entry', staging: true },
    { kind: 'all', staging: true },
    ...[...parts().keys()].map((part) => ({ kind: 'definitions', part }) as const),
    { kind: 'runtime' },
  ]
  return Object.fromEntries(
    modules.map((module) => [ids.module(module), code(module, { use: 'all' })]),
  )
}

const LOCK = /^(?<name>[^.]+)\.lock\.json$/

/**
 * Finds the workspaces of an app by the locks in its folder. `prompts` is included even without a
 * lock, which may be elsewhere or not pulled yet, unless it has no lock and no configuration file and
 * other workspaces have a lock.
 */
async function findWorkspaces(root: string): Promise<string[]> {
  const files = await readdir(root).catch((): string[] => [])
  const names = await Promise.all(files.map((file) => workspaceOf(root, file)))
  const others = names
    .filter((name) => name !== undefined)
    .filter((name) => name !== DEFAULT_WORKSPACE)
  const hasDefault = hasWorkspace(files, DEFAULT_WORKSPACE)
  return hasDefault || others.length === 0 ? [DEFAULT_WORKSPACE, ...others] : others
}

async function workspaceOf(root: string, file: string): Promise<string | undefined> {
  const name = LOCK.exec(file)?.groups?.['name']
  if (!isWorkspaceName(name)) return undefined
  const text = await readText(join(root, file)).catch(() => undefined)
  return text === undefined || isOfOtherTool(text) ? undefined : name
}

/** NuGet has `packages.lock.json`. A broken lock is no JSON, such as one with conflict markers. */
function isOfOtherTool(text: string): boolean {
  try {
    return !('prompts' in Object(JSON.parse(text)))
  } catch {
    return false
  }
}
