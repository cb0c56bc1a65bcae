import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readText } from '../../fs/files.ts'

/** What of a project the setup looks at. */
export interface ProjectFiles {
  /** Absolute. */
  readonly root: string
  /** Names of the files and folders in it. */
  readonly names: ReadonlySet<string>
  /** Text of its package.json; `undefined` where there is none. */
  readonly manifest: string | undefined
  /** Names of all packages that it depends on, in whatever way. */
  readonly dependencies: ReadonlySet<string>
}

/**
 * Looks at a project's folder.
 *
 * @throws PromptsError FILE_UNREADABLE
 */
export async function readProjectFiles(root: string): Promise<ProjectFiles> {
  const names = new Set(await readdir(root).catch(() => []))
  const manifest = await readText(join(root, 'package.json'))
  return { root, names, manifest, dependencies: dependenciesOf(manifest ?? '') }
}

const FIELDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

function dependenciesOf(manifest: string): Set<string> {
  const parsed = parseObject(manifest)
  return new Set(
    FIELDS.flatMap((field) => {
      const value = parsed[field]
      return typeof value === 'object' && value !== null ? Object.keys(value) : []
    }),
  )
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
