import type { UnpluginOptions } from 'unplugin'
import { createBuildWatch } from '../build-watch.ts'
import type { Host } from '../host.ts'
import { assertSinglePlugin } from '../ids.ts'
import { createHooks } from '../index.ts'
import { type BuildClient, watchClient } from './rollup-client.ts'
import type { RollupContext } from './rollup-context.ts'
import { rollupOutput } from './rollup-output.ts'

type BuildThis = Pick<RollupContext, 'meta' | 'environment' | 'addWatchFile' | 'getModuleInfo'>

interface BuildHooks {
  buildStart(this: BuildThis, options: { readonly plugins?: readonly unknown[] }): Promise<void>
  buildEnd(this: BuildThis, error?: Error): Promise<void>
  closeWatcher(): void
}

/** The hooks for Rollup. */
export function rollupHooks(host: Host): UnpluginOptions {
  return { ...createHooks(host), rollup: { ...buildHooks(host), ...rollupOutput(host) } }
}

/**
 * The hooks around a build of Rollup, Rolldown and Vite.
 *
 * @param client - what is known of client code. Default: nothing, as in Rollup, which has no platform.
 */
export function buildHooks({ ids, start, session }: Host, client?: BuildClient): BuildHooks {
  const watch = createBuildWatch(session)
  return {
    async buildStart({ plugins = [] }) {
      watch.stop()
      client?.startBuild(this)
      // Vite's workers share plugins with the app, so its configuration is checked instead.
      if (this.environment === undefined) assertSinglePlugin(ids, plugins)
      await start(this)
    },
    /** All importers of a module are known only now. */
    async buildEnd(error) {
      if (this.meta.watchMode && this.environment?.mode !== 'dev') watch.start()
      if (error === undefined) await client?.checkBuild(this)
    },
    closeWatcher: watch.stop,
  }
}

/** The hooks for Rolldown. */
export function rolldownHooks(host: Host): UnpluginOptions {
  return { ...createHooks(host), rolldown: { ...optionHooks(host), ...rollupOutput(host) } }
}

/**
 * Rolldown also reports its root and platform. The platform is `browser` by default, so only an
 * explicit one counts as client code.
 */
function optionHooks(host: Host): Exclude<UnpluginOptions['rolldown'], undefined> {
  let isBrowser = false
  const client = watchClient(host.guard, () => isBrowser)
  return {
    ...buildHooks(host, client),
    options({ cwd, platform, transform }) {
      isBrowser = platform === 'browser'
      host.setContext({
        ...(cwd === undefined ? {} : { root: cwd }),
        replacements: replacementsFrom(transform),
        clientChain: client.chain,
      })
    },
  }
}

/** The part of Rolldown's options that replaces code after all plugins. */
interface Transform {
  readonly define?: Readonly<Record<string, string>>
  /** Modules imported for undeclared names. */
  readonly inject?: Readonly<Record<string, unknown>>
}

/** The expressions that Rolldown may insert into modules. Injected imports are string literals. */
export function replacementsFrom({ define = {}, inject = {} }: Transform = {}): string[] {
  const imported = Object.values(inject).flat()
  return [...Object.values(define), ...imported.map((request) => JSON.stringify(request))]
}
