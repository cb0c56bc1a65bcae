import { findProjectFolder } from '../../config/config-file.ts'
import { envVariable } from '../../core/workspace-name.ts'
import {
  openProject,
  type Project,
  type ProjectSettings,
  settingsFiles,
} from '../../features/project/project.ts'
import { createNotify, type Notify } from '../../features/start/notify.ts'
import { readPlan, startProject } from '../../features/start/start.ts'
import { reportClientImport } from '../client-guard.ts'
import { GROUPS, idsOf, moduleOf, type WorkspaceIds } from '../ids.ts'
import { createSnapshot } from '../snapshot.ts'
import { listStagedContracts } from '../staged-contracts.ts'
import {
  type LoaderInstance,
  type LoaderOptions,
  MODULE_FILE,
  parseQuery,
  toQuery,
} from './turbopack.ts'

/** As much of a loader's `this` as is used here. */
export interface LoaderContext {
  /** The folder of the app, absolute. */
  readonly rootContext: string
  readonly resourceQuery: string
  readonly mode?: string
  getOptions(): LoaderOptions
  addDependency(path: string): void
}

/**
 * The code of the module that the query names, from the lock as it is now. Turbopack runs it again
 * when the lock or a file of the options changes, or is created.
 *
 * @throws PromptsError what opening the project and reading the lock throw, MODULE_UNKNOWN,
 *   PROMPTS_IN_CLIENT, TEST_IN_PRODUCTION
 */
export async function loadModule(context: LoaderContext): Promise<string> {
  const { id, browser } = parseQuery(context.resourceQuery)
  const [entry = ''] = id.split('/', 1)
  const { instances } = context.getOptions()
  const name = entry.replace('virtual:', '')
  const ids = idsOf(name)
  const module = moduleOf(ids, id)
  // Next shows no warning about a file in node_modules.
  const notify = createNotify(ids.plugin)
  const project = await open(context, name, instances[name], notify)
  const isStart = module.kind === 'entry' || module.kind === 'all'
  // Turbopack names the importers itself.
  if (browser && isStart) reportClientImport(project, notify)
  const production = context.mode === 'production'
  const start = { production, notify }
  const plan = isStart ? (await startProject(project, start)).plan : await readPlan(project, start)
  // How the modules import each other.
  const specifier: WorkspaceIds['module'] = (part) =>
    `./${MODULE_FILE}${toQuery({ id: ids.module(part), browser: false })}`
  const target = { ids: { module: specifier }, shape: 'namespace', groups: GROUPS } as const
  // Each entry imports this module. The importers, and so the names that they use, are unknown.
  if (production && module.kind === 'all' && !module.staging)
    for (const warning of listStagedContracts(project, plan, 'all')) notify('warn', warning)
  return createSnapshot(plan, target).code(module, { use: 'all' })
}

/** Each file is a dependency before it is read, so that an error about it disappears when it is fixed. */
async function open(
  context: LoaderContext,
  name: string,
  { options, environment }: Partial<LoaderInstance> = {},
  notify: Notify,
): Promise<Project> {
  const root = await findProjectFolder(context.rootContext, name)
  const mode = context.mode ?? 'production'
  const settings: ProjectSettings = {
    root,
    name,
    mode,
    options: { ...options, pull: 'never' },
    processEnv: { ...process.env, [envVariable(name, 'ENVIRONMENT')]: environment },
    configCache: new Map(),
    warn: (message) => notify('warn', message),
  }
  for (const path of await settingsFiles(settings)) context.addDependency(path)
  const project = await openProject(settings)
  context.addDependency(project.lock.path)
  return project
}
