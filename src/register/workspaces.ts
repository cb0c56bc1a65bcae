import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_WORKSPACE, isWorkspaceName } from '../core/workspace-name.ts'
import { readHead } from '../fs/files.ts'

/** The lock of either environment. */
const LOCK = /^(?<name>[^.]+)(?:\.test)?\.lock\.json$/

/** Other tools have files with such names: NuGet has `packages.lock.json`. */
const LOCK_START = /^\{\s*"lockVersion":\s*\d+,\s*"environment":/

/**
 * Finds the workspaces of an app by the locks in its folder. `prompts` is included even without a
 * lock, which may be elsewhere or not pulled yet, unless it has no file and other workspaces have a
 * lock.
 */
export async function findWorkspaces(root: string): Promise<string[]> {
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
