import type { PluginOptions } from '../config/options.ts'

/**
 * What an entry of this package is: a call that makes the plugin of one bundler.
 *
 * The types of plugins are written out as far as bundlers ask for them. Those of unplugin import
 * the types of every bundler, of which an app has one: its type check then fails without
 * `skipLibCheck`, and two versions of Vite in one app do not take each other's plugins.
 */
export type PluginFactory<Plugin> = (options?: PluginOptions) => Plugin

/** A plugin for Vite, Rollup, Rolldown or Farm, whose hooks are all optional. */
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
