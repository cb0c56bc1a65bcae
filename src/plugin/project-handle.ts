import { findProjectFolder } from '../config/project-folder.ts'
import { openProject, type Project, type ProjectSettings } from '../features/project/project.ts'
import { settingsFiles, fingerprintFiles } from '../features/project/settings-files.ts'
import type { BuildContext } from './build-context.ts'

/** The project of a session, which is opened again when its options change. */
export interface ProjectHandle {
  /** The project as it was opened last; the first call opens it. */
  get(): Promise<Project>
  /**
   * The project by the options as they are now.
   *
   * @throws PromptsError what {@link openProject} throws; the last project stays
   */
  refresh(): Promise<Project>
  /** The files that the options come from, whether they exist or not. */
  settingsFiles(): Promise<readonly string[]>
  /** Whether these files have changed since the last attempt to open, successful or not. */
  isStale(): Promise<boolean>
}

/** Makes what opens the project of a session; does nothing before it is asked. */
export function createProjectHandle(
  options: ProjectSettings['options'],
  getContext: () => BuildContext,
  open: typeof openProject,
): ProjectHandle {
  let opened: Promise<Opened> | undefined
  let tried: Settings | undefined
  const openNow = async (): Promise<Opened> => {
    const place = await locationOf(getContext())
    const files = settingsFiles(place)
    // Before the files are read: a change in between is then seen as one.
    const settings = { files, stamp: await fingerprintFiles(files) }
    tried = settings
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
      const next = await openNow()
      opened = Promise.resolve(next)
      return next.project
    },
    settingsFiles: async () => settingsFiles(await locationOf(getContext())),
    isStale: async () => tried !== undefined && isChanged(tried),
  }
}

interface Opened {
  readonly project: Project
  readonly settings: Settings
}

interface Settings {
  readonly files: readonly string[]
  readonly stamp: string
}

async function isChanged({ files, stamp }: Settings): Promise<boolean> {
  return (await fingerprintFiles(files)) !== stamp
}

/** Where the project of a session is. */
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
