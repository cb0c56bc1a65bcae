import { findProjectFolder } from '../config/project-folder.ts'
import { openProject, type Project, type ProjectSettings } from '../features/project/project.ts'
import { settingsFiles, hashFiles } from '../features/project/settings-files.ts'
import type { BuildContext } from './build-context.ts'

/** The project of a session. It is reopened when its configuration changes. */
export interface ProjectHandle {
  /** The project as last opened. The first call opens it. */
  get(): Promise<Project>
  /**
   * Reopens the project if its configuration has changed.
   *
   * @throws PromptsError what {@link openProject} throws; `get` still returns the last project
   */
  refresh(): Promise<Project>
  /** The configuration and env files, existing or not. */
  settingsFiles(): Promise<readonly string[]>
  /**
   * Whether these files have changed since the last attempt to open the project, even a failed one.
   */
  isStale(): Promise<boolean>
}

/** Creates the handle. Nothing is read before the first call. */
export function createProjectHandle(
  options: ProjectSettings['options'],
  getContext: () => BuildContext,
  open: typeof openProject,
): ProjectHandle {
  let opened: Promise<Opened> | undefined
  /** The files at the last attempt to open the project. */
  let lastRead: Settings | undefined
  const openNow = async (): Promise<Opened> => {
    const place = await locationOf(getContext())
    const files = settingsFiles(place)
    // Before the files are read, so a change in between is detected.
    const settings = { files, hash: await hashFiles(files) }
    lastRead = settings
    const { notify, production } = getContext()
    const warn = (message: string): void => notify('warn', message)
    const given = { ...place, options, processEnv: process.env, map: !production, warn }
    return { settings, project: await open(given) }
  }
  return {
    async get() {
      return (await (opened ??= openNow())).project
    },
    async refresh() {
      const last = await opened?.catch(() => undefined)
      if (last !== undefined && !(await isChanged(last.settings))) return last.project
      const next = openNow()
      // A failure leaves the last project. Without one, `get` then throws the newest error.
      if (last === undefined) opened = next
      const { project } = await next
      opened = next
      return project
    },
    settingsFiles: async () => settingsFiles(await locationOf(getContext())),
    isStale: async () => lastRead !== undefined && isChanged(lastRead),
  }
}

interface Opened {
  readonly project: Project
  readonly settings: Settings
}

interface Settings {
  readonly files: readonly string[]
  readonly hash: string
}

async function isChanged({ files, hash }: Settings): Promise<boolean> {
  return (await hashFiles(files)) !== hash
}

/** The location of a session's project. */
async function locationOf({
  ids,
  root: from,
  envDir,
  mode,
  published,
}: BuildContext): Promise<Omit<ProjectSettings, 'options' | 'processEnv' | 'warn'>> {
  const name = ids.workspace
  return { root: await findProjectFolder(from, name), name, envDir, mode, published }
}
