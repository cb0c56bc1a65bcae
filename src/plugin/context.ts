import type { ParseModule } from '../codegen/assert-only-data.ts'
import { defaultMode } from '../config/options.ts'
import type { ProjectSettings } from '../features/project/project.ts'
import { createNotify } from '../features/start/notify.ts'
import type { Start } from '../features/start/start.ts'
import type { WorkspaceIds } from './ids.ts'
import type { ReadImporter } from './importers.ts'
import type { SnapshotSettings } from './snapshot.ts'

/** What sessions depend on: builds that agree in it share one. */
export interface SessionContext
  extends
    Pick<Start, 'production'>,
    SnapshotSettings,
    Pick<ProjectSettings, 'root' | 'envDir' | 'mode' | 'published'> {
  readonly ids: WorkspaceIds
  /**
   * Whether modules are loaded at any time, each from the newest lock, and are the same for all importers: in a dev
   * server. A build serves what its start has read, and gives each importer what it uses.
   */
  readonly isServer: boolean
}

/** What a bundler tells of one build or dev server, before it starts. */
export interface BuildContext extends SessionContext, Pick<Start, 'notify'> {
  /**
   * Whether a change of the lock rebuilds all modules. A dev server with hot updates requests only
   * the changed ones instead.
   */
  readonly watched: boolean
  /** Whether it is a bundle in the build of an app, which has read the lock. */
  readonly isPart: boolean
  /** Expressions that the bundler may insert into modules after all plugins. */
  readonly replacements: readonly string[]
  /** Absent in bundlers that drop unused prompts by themselves. */
  readonly readImporter?: ReadImporter
  /** The parser of a load hook, by its `this`. Default: acorn. */
  readonly parserOf?: (hook: object) => ParseModule
  /** The module graph of a hook, by its `this`. In another one, an importer may have other code. */
  readonly graphOf: (hook: object) => string
  /** Whether a hook, by its `this`, resolves an import of client code. */
  readonly isClient: (hook: object) => boolean
}

/** The context of a build now, with what its bundler tells. */
export function contextOf(ids: WorkspaceIds, told: Partial<BuildContext>): BuildContext {
  const mode = defaultMode(process.env)
  return {
    ids,
    root: process.cwd(),
    mode,
    production: mode === 'production',
    isServer: false,
    groups: Infinity,
    shape: 'namespace',
    watched: true,
    isPart: false,
    replacements: [],
    graphOf: () => '',
    isClient: () => false,
    notify: createNotify(ids.plugin),
    ...told,
  }
}
