import { planModule } from '../emit/plan-module.ts'
import { openProject, type Project } from '../project.ts'
import { type Notify, startProject, warnOfCollisions } from '../start.ts'
import type { Sources } from './hooks.ts'
import { printSources } from './modules.ts'

/** Where an app runs. */
export interface Process {
  /** The project's folder, absolute. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly notify: Notify
}

/**
 * The modules that an app gets, from the lock, by the rules of a build.
 *
 * @throws PromptsError what opening a project and loading its snapshot throw, MODULE_REFUSED
 */
export async function startSources({ root, env, notify }: Process): Promise<Sources> {
  const mode = env['NODE_ENV'] ?? ''
  const project = await openProject({
    root,
    mode: mode === '' ? 'production' : mode,
    options: {},
    processEnv: env,
    warn: (message) => notify('warn', message),
  })
  const lock = await startProject(leavingFiles(project), {
    production: mode === 'production',
    notify,
  })
  const plan = planModule(lock)
  warnOfCollisions(plan, notify)
  return printSources(plan)
}

/**
 * The project with declarations left as they are: where an app runs, the folder may be read-only
 * and the declarations gone. A pull still writes them, beside its lock.
 */
function leavingFiles(project: Project): Project {
  return { ...project, writeDeclarations: async () => 'off' }
}
