import { createUnplugin, type UnpluginInstance } from 'unplugin'

/** Another plugin of an app, which lets `main.js` use a prompt that its file does not name. */
const plugin: UnpluginInstance<undefined, false> = createUnplugin(() => ({
  name: 'changes-code',
  transform: {
    filter: { id: /main\.js$/ },
    handler: (code) => ({ code: `${code}\nsay(prompts['prompt-7'].slug)\n`, map: null }),
  },
}))

export default plugin
