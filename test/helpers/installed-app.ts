import { mkdir, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Lock } from '../../src/core/prompt.ts'
import { type Call, finished, type Run, startNode } from './binary.ts'
import { temporaryFolder, writeFiles } from './temporary-folder.ts'
import { lockText } from './pinned.ts'

const REPOSITORY = resolve(import.meta.dirname, '../..')

/** The Node under test: this process's, or the one that NODE_BINARY names. */
export const NODE: string = process.env['NODE_BINARY'] ?? process.execPath

export interface AppGiven {
  /** Texts by path. */
  readonly files: Readonly<Record<string, string>>
  readonly lock?: Lock
  /** Packages that are installed next to this one. */
  readonly packages?: readonly string[] | undefined
}

/** Makes an app with this package installed as a link; it is an ES module by default. */
export async function installedApp({ files, lock, packages = [] }: AppGiven): Promise<string> {
  const root = join(await temporaryFolder(), 'my app')
  const locks = lock && { 'prompts.lock.json': lockText(lock) }
  await writeFiles(root, { 'package.json': '{ "type": "module" }\n', ...files, ...locks })
  const links = packages.map((name) => [name, join(REPOSITORY, 'node_modules', name)] as const)
  for (const [name, target] of [['unplugin-prompts', REPOSITORY] as const, ...links]) {
    const link = join(root, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(target, link)
  }
  return root
}

/** Runs Node in an app, with no variables of this process but those that find programs. */
export function runNode(args: readonly string[], cwd: string, env?: Call['env']): Promise<Run> {
  return finished(startNode(NODE, args, { cwd, env }))
}
