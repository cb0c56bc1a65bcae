import type { ResolvedConfig } from 'vite'
import type { BuildContext } from '../session.ts'
import { installedVersion, viteError } from '../../fs/installed-version.ts'
import { replacementsFrom } from '../rollup/rollup.ts'

/**
 * What Vite's configuration reports about a build.
 *
 * @throws PromptsError BUNDLER_UNSUPPORTED in Vite 5 and older, which have no environments
 */
export function contextOf(config: ResolvedConfig): Partial<BuildContext> {
  const environments = config.environments as object | undefined
  if (environments === undefined)
    throw viteError(installedVersion(config.root, 'vite') ?? '5 or older')
  const { root, envDir, envPrefix = [], mode, command, server, isProduction } = config
  return {
    root,
    envDir: configuredEnvDir({ root, envDir }),
    mode,
    published: { setting: 'envPrefix', prefixes: [envPrefix].flat() },
    byUse: command === 'build',
    singlePage: hasNoServer(config),
    replacements: replacementsIn(config),
    watched: command === 'build' || server.hmr === false,
    production: command === 'build' && isProduction,
  }
}

/** Frameworks with a server set `appType`, or have an environment of their own. */
function hasNoServer({ appType, environments }: ResolvedConfig): boolean {
  const names = Object.keys(environments)
  return appType !== 'custom' && names.every((name) => name === 'client' || name === 'ssr')
}

/** What `define` and Rolldown may insert into modules, in all environments. */
function replacementsIn({ define, environments }: ResolvedConfig): string[] {
  const each = Object.values(environments)
  const defined = [define, ...each.map((environment) => environment.define)]
  return [
    // Other values become literals.
    ...defined
      .flatMap((values) => Object.values(values ?? {}))
      .filter((value) => typeof value === 'string'),
    ...each.flatMap(({ build }) => {
      // Vite 7 builds with Rollup, and has none.
      const { rolldownOptions }: Partial<typeof build> = build
      return replacementsFrom(rolldownOptions?.transform)
    }),
  ]
}

/** The folder of the env files, if it is configured. Vite's default is the root. */
function configuredEnvDir({
  root,
  envDir,
}: Pick<ResolvedConfig, 'root' | 'envDir'>): string | undefined {
  return envDir === false || envDir === root ? undefined : envDir
}
