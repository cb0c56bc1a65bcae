import { createUnplugin, type UnpluginInstance } from 'unplugin'

/** Another plugin of an app, which replaces a name that there is not. */
const plugin: UnpluginInstance<undefined, false> = createUnplugin(() => ({
  name: 'corrects-name',
  transform: {
    filter: { id: /main\.js$/ },
    handler: (code) => ({ code: code.replace('prompts.wrong', 'prompts.reply'), map: null }),
  },
}))

export default plugin
