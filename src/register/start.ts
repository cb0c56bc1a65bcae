import { pluginName, virtualModuleId } from '../core/workspace-name.ts'
import { planModule } from '../codegen/plan-module.ts'
import { openProject, type Project } from '../features/project/project.ts'
import { createNotify, startProject, warnOfCollisions } from '../features/start/start.ts'
import type { Sources } from './hooks.ts'
import { printSources } from './modules.ts'
import { findWorkspaces } from './workspaces.ts'

/** The process of an app. */
export interface AppProcess {
  /** The project's folder, absolute. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Prints a message for the user who runs the app. */
  readonly print: (line: string) => void
}

/**
 * The modules of all workspaces of an app, loaded from the locks as in a build.
 *
 * @throws PromptsError what opening a project and loading its snapshot throw, MODULE_REFUSED
 */
export async function startSources(process: AppProcess): Promise<Sources> {
  const names = await findWorkspaces(process.root)
  const sources = await Promise.all(names.map((name) => startWorkspace(name, process)))
  return Object.fromEntries(sources.flatMap((each) => Object.entries(each)))
}

async function startWorkspace(name: string, { root, env, print }: AppProcess): Promise<Sources> {
  const mode = env['NODE_ENV'] ?? ''
  const notify = createNotify(pluginName(name), (_level, text) => print(text))
  const project = await openProject({
    root,
    name,
    mode: mode === '' ? 'production' : mode,
    options: {},
    processEnv: env,
    warn: (message) => notify('warn', message),
  })
  const lock = await startProject(withoutWriting(project), {
    production: mode === 'production',
    notify,
  })
  const plan = planModule(lock)
  warnOfCollisions(plan, notify)
  return printSources(plan, virtualModuleId(name))
}

/**
 * The project without updates of the declarations: the folder of a running app may be read-only. A
 * pull still writes them next to its lock.
 */
function withoutWriting(project: Project): Project {
  return { ...project, writeDeclarations: async () => 'off' }
}
