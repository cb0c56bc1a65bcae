import type { ProjectSettings } from '../features/project/project.ts'
import type { Start } from '../features/start/start.ts'
import type { WorkspaceIds } from './ids.ts'
import type { ReadImporter } from './importers.ts'

/** What the bundler reports about a build or dev server before it starts. */
export interface BuildContext
  extends Start, Pick<ProjectSettings, 'root' | 'envDir' | 'mode' | 'published'> {
  readonly ids: WorkspaceIds
  /** The bundler's name, as unplugin calls it. */
  readonly bundler: string
  /** Whether each importer gets just what it uses: in builds, and not where modules are served. */
  readonly byUse: boolean
  /**
   * Whether modules are to be built again when the lock changes. A dev server with hot updates
   * asks for what has changed, and would else fetch them all again.
   */
  readonly watched: boolean
  /** Expressions that the bundler may put into modules when all plugins have seen them. */
  readonly replacements: readonly string[]
  /** How to read a module that imports prompts. */
  readonly readImporter: ReadImporter
  /**
   * For an import in code for the browser, the chain of modules that leads to it: the importer,
   * what imports that, and so on. `undefined` for all other code.
   *
   * @param context - `this` of the hook
   */
  readonly clientChain: (importer: string, context: object) => ClientChain | Promise<ClientChain>
}

type ClientChain = readonly string[] | undefined
