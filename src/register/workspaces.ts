import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_WORKSPACE, isWorkspaceName } from '../core/workspace-name.ts'
import { readHead } from '../fs/files.ts'

/** Of either environment. */
const LOCK = /^(?<name>[^.]+)(?:\.test)?\.lock\.json$/

/** Other tools have files of such names: NuGet has `packages.lock.json`. */
const LOCK_START = /^\{\s*"lockVersion":\s*\d+,\s*"environment":/

/**
 * The workspaces of an app in a folder, which nobody names to Node: those that have a lock there.
 * `prompts` is one of them, since its lock may be elsewhere or yet to be pulled, unless there is
 * no file of it and others have theirs.
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
