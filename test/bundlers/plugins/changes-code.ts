import { createUnplugin, type UnpluginInstance } from 'unplugin'

/** Another plugin of an app, which replaces a name that there is not by one that no file names. */
const plugin: UnpluginInstance<undefined, false> = createUnplugin(() => ({
  name: 'changes-code',
  transform: {
    filter: { id: /main\.js$/ },
    handler: (code) => ({ code: code.replace('.wrong', "['prompt-7']"), map: null }),
  },
}))

export default plugin
