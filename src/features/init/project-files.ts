import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readText } from '../../fs/files.ts'

/** The files and dependencies of a project. */
export interface ProjectFiles {
  /** Absolute. */
  readonly root: string
  /** Names of the files and folders in the root. */
  readonly names: ReadonlySet<string>
  /** Text of its package.json; `undefined` if there is none. */
  readonly manifest: string | undefined
  /** Names of all its dependencies, of every kind. */
  readonly dependencies: ReadonlySet<string>
}

/**
 * Reads the root of a project.
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
  try {
    const parsed = JSON.parse(manifest) as Readonly<Record<string, object | undefined>> | null
    return new Set(FIELDS.flatMap((field) => Object.keys(parsed?.[field] ?? {})))
  } catch {
    return new Set()
  }
}

/** A file that the setup creates or changes. */
export interface FileChange {
  /** Name in the root. */
  readonly name: string
  readonly kind: 'created' | 'updated'
  /** Its new text. */
  readonly text: string
  /** A short description of the change. */
  readonly what: string
}

/** A step that the user has to do. */
export interface ManualStep {
  readonly what: string
  /** Lines to copy, if any. */
  readonly lines: readonly string[]
}

/** The plan of one part of the setup: a change, a manual step, both or nothing. */
export interface PlannedPart {
  readonly change?: FileChange
  readonly manual?: ManualStep
}
