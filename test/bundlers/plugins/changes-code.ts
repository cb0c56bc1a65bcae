import { readFile } from 'node:fs/promises'
import { compile } from 'svelte/compiler'
import { createUnplugin, type UnpluginInstance } from 'unplugin'
import { compileScript, parse } from 'vue/compiler-sfc'

/** Another plugin of an app: compiles components, and replaces a name that there is not by one that no file names. */
const plugin: UnpluginInstance<undefined, false> = createUnplugin(() => ({
  name: 'changes-code',
  load: {
    filter: { id: /\.(?:vue|svelte)$/ },
    async handler(id) {
      const source = await readFile(id, 'utf8')
      return id.endsWith('.vue') ? compileVue(source, id) : compileSvelte(source, id)
    },
  },
  transform: {
    filter: { id: /main\.js$/ },
    handler: (code) => ({ code: code.replace('.wrong', "['prompt-6']"), map: null }),
  },
}))

function compileVue(source: string, filename: string): string {
  const { descriptor } = parse(source, { filename })
  return compileScript(descriptor, { id: 'test', inlineTemplate: true }).content
}

function compileSvelte(source: string, filename: string): string {
  return compile(source, { filename, generate: 'client' }).js.code
}

export default plugin
