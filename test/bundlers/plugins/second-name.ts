import type { Plugin } from 'esbuild'

/** A plugin for Bun, which has the hooks of esbuild, that adds a second name for the prompts. */
const plugin: { readonly bun: () => Plugin } = {
  bun: () => ({
    name: 'second-name',
    setup({ onResolve }) {
      onResolve({ filter: /^(?:mapped|returned)$/ }, () =>
        Promise.resolve({ path: '\0virtual:prompts', namespace: 'unplugin-prompts' }),
      )
    },
  }),
}

export default plugin
