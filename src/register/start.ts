import { defaultMode } from '../config/env-files.ts'
import {
  pluginName,
  stagingId,
  virtualModuleId,
  DEFAULT_WORKSPACE,
  isWorkspaceName,
} from '../core/workspace-name.ts'
import { isDefinedIn, type ModulePlan, planDifferent, planModule } from '../codegen/plan-module.ts'
import { asPromptsError, isPromptsError } from '../errors/prompts-error.ts'
import { openProject, type Project } from '../features/project/project.ts'
import { createNotify, startProject, warnOfCollisions } from '../features/start/start.ts'
import type { Sources } from './hooks.ts'
import {
  type PrintTarget,
  printAll,
  printDefinitions,
  printEntry,
} from '../codegen/print-module.ts'
import runtime from '../runtime/index.ts?text'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readHead } from '../fs/files.ts'

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
  const testLock = await project.readTestLock().catch(asPromptsError)
  // An app that doesn't import it needs none.
  if (isPromptsError(testLock) && testLock.code !== 'STAGING_MISSING')
    notify('warn', testLock.message)
  const plan = planModule(lock, isPromptsError(testLock) ? undefined : testLock)
  warnOfCollisions(plan, notify)
  return printSources(plan, name)
}

/**
 * The project without updates of the declarations: the folder of a running app may be read-only. A
 * pull still writes them next to its lock.
 */
function withoutWriting(project: Project): Project {
  return { ...project, writeDeclarations: async () => [] }
}

/**
 * Prints the modules for Node: the same as for bundlers, with all prompts.
 *
 * @throws PromptsError MODULE_REFUSED
 */
function printSources(plan: ModulePlan, name: string): Sources {
  const [entry, staging] = [virtualModuleId(name), stagingId(name)]
  const printModules = (id: string, all: ModulePlan, defined: ModulePlan): Sources => {
    const target: PrintTarget = {
      all: `${id}/all`,
      definitions: (prompt) => `${isDefinedIn(plan, prompt) ? entry : staging}/definitions`,
      runtime: `${entry}/runtime`,
    }
    return {
      [id]: printEntry(all, target, 'namespace'),
      [`${id}/all`]: printAll(all, target, 'namespace'),
      [`${id}/definitions`]: printDefinitions(defined, target),
    }
  }
  return {
    ...printModules(entry, plan, plan),
    ...(plan.staging && printModules(staging, plan.staging, planDifferent(plan))),
    [`${entry}/runtime`]: runtime,
  }
}

/** The lock of either environment. */
const LOCK = /^(?<name>[^.]+)(?:\.test)?\.lock\.json$/

/** Other tools have files with such names: NuGet has `packages.lock.json`. */
const LOCK_START = /^\{\s*"lockVersion":\s*\d+,\s*"environment":/

/**
 * Finds the workspaces of an app by the locks in its folder. `prompts` is included even without a
 * lock, which may be elsewhere or not pulled yet, unless it has no file and other workspaces have a
 * lock.
 */
async function findWorkspaces(root: string): Promise<string[]> {
  const files = await readdir(root).catch((): string[] => [])
  const found = await Promise.all(files.map((file) => workspaceOf(root, file)))
  const others = found
    .filter((name) => name !== undefined)
    .filter((name) => name !== DEFAULT_WORKSPACE)
  const hasDefault = files.some((file) => file.startsWith(`${DEFAULT_WORKSPACE}.`))
  return [...new Set(hasDefault || others.length === 0 ? [DEFAULT_WORKSPACE, ...others] : others)]
}

async function workspaceOf(root: string, file: string): Promise<string | undefined> {
  const name = LOCK.exec(file)?.groups?.['name']
  if (!isWorkspaceName(name)) return undefined
  const beginning = await readHead(join(root, file)).catch(() => undefined)
  return beginning !== undefined && LOCK_START.test(beginning) ? name : undefined
}
