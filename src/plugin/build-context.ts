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
  /** Whether each importer gets only what it uses: in builds, not in dev servers. */
  readonly byUse: boolean
  /**
   * Whether a change of the lock rebuilds all modules. A dev server with hot updates requests only
   * the changed ones instead.
   */
  readonly watched: boolean
  /** Expressions that the bundler may insert into modules after all plugins. */
  readonly replacements: readonly string[]
  readonly readImporter: ReadImporter
  /**
   * For an import in client code, the chain of modules that leads to it, the importer first.
   * `undefined` for other code.
   *
   * @param context - `this` of the hook
   */
  readonly clientChain: (importer: string, context: object) => ClientChain | Promise<ClientChain>
}

type ClientChain = readonly string[] | undefined
