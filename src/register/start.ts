import { defaultMode } from '../config/env-files.ts'
import { pluginName, virtualModuleId } from '../core/workspace-name.ts'
import { planModule, type ModulePlan } from '../codegen/plan-module.ts'
import { openProject, type Project } from '../features/project/project.ts'
import { createNotify, startProject, warnOfCollisions } from '../features/start/start.ts'
import type { Sources } from './hooks.ts'
import { findWorkspaces } from './workspaces.ts'
import {
  type PrintTarget,
  printAll,
  printDefinitions,
  printEntry,
} from '../codegen/print-module.ts'
import runtime from '../runtime/index.ts?text'

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
  const lock = await startProject(withoutWriting(project), {
    production: env['NODE_ENV'] === 'production',
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

/**
 * Prints the modules for Node: the same as for bundlers, with all prompts.
 *
 * @param entry - the specifier in the app: `virtual:prompts`
 * @throws PromptsError MODULE_REFUSED
 */
function printSources(plan: ModulePlan, entry: string): Sources {
  const target = {
    all: `${entry}/all`,
    definitions: `${entry}/definitions`,
    runtime: `${entry}/runtime`,
  } as const satisfies PrintTarget
  return {
    [entry]: printEntry(plan, target, 'namespace'),
    [target.all]: printAll(plan, target, 'namespace'),
    [target.definitions]: printDefinitions(plan, target),
    [target.runtime]: runtime,
  }
}
