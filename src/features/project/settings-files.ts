import { DEFAULT_WORKSPACE } from '../../core/workspace-name.ts'
import { configPaths } from '../../config/config-file.ts'
import { sha256, readText } from '../../fs/files.ts'
import { envPaths, sharedFolder } from '../../config/env-files.ts'
import type { ProjectSettings } from './project.ts'

/**
 * The configuration and env files of a project, existing or not.
 *
 * @param lock - its path, once it is known
 */
export function settingsFiles(
  {
    root,
    name = DEFAULT_WORKSPACE,
    envDir = root,
    mode,
  }: Pick<ProjectSettings, 'root' | 'name' | 'envDir' | 'mode'>,
  lock?: string,
): string[] {
  return [...configPaths(root, name), ...envPaths([envDir, ...sharedFolder(root, lock)], mode)]
}

/** A hash of the content of files. Files that can't be read count as missing. */
export async function hashFiles(paths: readonly string[]): Promise<string> {
  const texts = await Promise.all(paths.map((path) => readText(path).catch(() => undefined)))
  return sha256(JSON.stringify(texts))
}
