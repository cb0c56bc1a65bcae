import type { BunBuild, BunPlugin } from '../../../src/plugin/bun/bun.ts'

/** A plugin for Bun that adds a second name for the module of the prompts. */
const plugin: { readonly bun: () => BunPlugin } = {
  bun: () => ({
    name: 'second-name',
    setup({ onResolve }: BunBuild) {
      onResolve({ filter: /^(?:mapped|returned)$/ }, () =>
        Promise.resolve({ path: '\0virtual:prompts', namespace: 'unplugin-prompts' }),
      )
    },
  }),
}

export default plugin
