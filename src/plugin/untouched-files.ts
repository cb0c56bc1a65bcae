import { NAME } from './ids.ts'
import type { ReadImporter } from './importers.ts'

/** The part of a build of esbuild or Bun that is used here. */
export interface TakingBuild {
  onLoad(
    filter: { filter: RegExp; namespace: string },
    asked: (file: { path: string; suffix?: string }) => undefined,
  ): void
  onResolve(
    filter: { filter: RegExp },
    asked: (wanted: { path: string; importer: string; namespace: string }) => undefined,
  ): void
}

/** What {@link readUntouchedFiles} works with. */
export interface UntouchedFilesOptions {
  readonly build: TakingBuild
  /** All plugins of the build, in their order. */
  readonly plugins: readonly { readonly name: string }[]
  /** Reads a file as the bundler does, as JavaScript. */
  readonly read: (path: string) => Promise<string>
}

/**
 * Reads importers in esbuild and Bun, where a plugin can't look at a file without taking it from
 * the others: reads those files that no plugin takes. Plugins are asked in their order until one
 * takes a file, so being asked means that none before took it, and being last that none after will.
 */
export function readUntouchedFiles({ build, plugins, read }: UntouchedFilesOptions): ReadImporter {
  if (plugins.at(-1)?.name !== NAME) return () => undefined
  const untouched = new Set<string>()
  const madeByPlugins = new Set<string>()
  build.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: 'file' }, ({ path, suffix = '' }) => {
    if (suffix === '') untouched.add(path)
    return undefined
  })
  build.onResolve({ filter: /^virtual:prompts$/ }, ({ importer, namespace }) => {
    if (namespace !== 'file') madeByPlugins.add(importer)
    return undefined
  })
  return async (importer) =>
    untouched.has(importer) && !madeByPlugins.has(importer)
      ? { code: await read(importer) }
      : undefined
}
