import type { Lock } from '../../src/core/prompt.ts'
import {
  openProject,
  type Project,
  type ProjectSettings,
} from '../../src/features/project/project.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { lockText } from './pinned.ts'

export interface TestProject {
  readonly root: string
  readonly project: Project
  readonly warnings: readonly string[]
}

/** What is given of a project; the process has no variables unless some are given. */
export interface GivenProject extends Partial<
  Pick<ProjectSettings, 'options' | 'processEnv' | 'mode' | 'envDir' | 'published'>
> {
  /** Texts by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Written to `prompts.lock.json`. */
  readonly lock?: Lock
}

export async function openTestProject({
  files = {},
  lock,
  ...given
}: GivenProject): Promise<TestProject> {
  const locks = lock && { 'prompts.lock.json': lockText(lock) }
  const root = await temporaryFolder({ ...files, ...locks })
  const warnings: string[] = []
  const warn = (message: string): void => void warnings.push(message)
  const settings = { mode: 'production', options: {}, processEnv: {}, ...given }
  return { root, project: await openProject({ root, warn, ...settings }), warnings }
}
