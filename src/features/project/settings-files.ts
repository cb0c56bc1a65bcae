import { DEFAULT_WORKSPACE } from '../../core/workspace-name.ts'
import { configPaths } from '../../config/config-file.ts'
import { sha256 } from '../../fs/digest.ts'
import { envPaths } from '../../config/env-files.ts'
import { readText } from '../../fs/files.ts'
import type { ProjectSettings } from './project.ts'

/** The files that the options of a project come from, whether they exist or not. */
export function settingsFiles({
  root,
  name = DEFAULT_WORKSPACE,
  envDir = root,
  mode,
}: Pick<ProjectSettings, 'root' | 'name' | 'envDir' | 'mode'>): string[] {
  return [...configPaths(root, name), ...envPaths(envDir, mode)]
}

/** A mark of the content of files; all that can't be read, such as a folder, are alike. */
export async function fingerprintFiles(paths: readonly string[]): Promise<string> {
  const texts = await Promise.all(paths.map((path) => readText(path).catch(() => undefined)))
  return sha256(JSON.stringify(texts))
}
