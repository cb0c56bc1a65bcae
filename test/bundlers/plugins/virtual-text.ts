import { createUnplugin, type UnpluginInstance } from 'unplugin'

/** Another plugin with a virtual module, as simple as one can be. */
const plugin: UnpluginInstance<undefined, false> = createUnplugin(() => ({
  name: 'virtual-text',
  resolveId: { filter: { id: /^virtual-text$/ }, handler: () => '\0virtual-text' },
  load: {
    filter: { id: /^\0virtual-text$/ },
    handler: () => `export const text = 'Text number <5> for Ada.'\n`,
  },
}))

export default plugin
