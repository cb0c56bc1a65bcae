import type { PluginOptions } from '../config/options.ts'

/**
 * The default export of an entry point: a function that creates the plugin of one bundler.
 *
 * The plugin types below have only what bundlers require. unplugin's own types import the types of
 * every bundler, and an app has one: its type check would fail without `skipLibCheck`, and two
 * versions of Vite in one app would reject each other's plugins.
 */
export type PluginFactory<Plugin> = (options?: PluginOptions) => Plugin

/** A plugin for Vite, Rollup or Rolldown, whose hooks are all optional. */
export interface HookPlugin {
  readonly name: string
}

/** A plugin for esbuild or Rsbuild. */
export interface SetupPlugin {
  readonly name: string
  setup(build: object): void | Promise<void>
}

/** A plugin for webpack or Rspack. */
export interface ApplyPlugin {
  apply(compiler: object): void
}
