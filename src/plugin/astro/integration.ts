import { fileURLToPath } from 'node:url'
import type { PluginOptions } from '../../config/options.ts'
import { toForwardSlashes } from '../../fs/paths.ts'
import { createVitePlugins } from '../vite/vite.ts'
import { createInstance } from '../instance.ts'
import type { HookPlugin } from '../plugin-factory.ts'

/** The part of Astro's `AstroIntegration` that is used here. Nothing is imported from Astro. */
export interface PromptsIntegration {
  readonly name: string
  readonly hooks: {
    'astro:config:setup'(setup: AstroSetup): void
    'astro:config:done'(done: AstroDone): Promise<void>
  }
}

interface AstroSetup {
  updateConfig(config: { readonly vite: { readonly plugins: HookPlugin[] } }): unknown
}

interface AstroDone {
  readonly config: { readonly root: URL }
  injectTypes(types: { readonly filename: string; readonly content: string }): unknown
}

/**
 * The integration for Astro: `integrations: [prompts()]`.
 *
 * Its types refer to the declarations, so they follow a pull in a running dev server, and exist for
 * every `tsconfig.json`.
 *
 * @throws PromptsError OPTIONS_INVALID for an invalid name
 * @example export default defineConfig({ integrations: [prompts()] })
 */
export function promptsIntegration(options: PluginOptions = {}): PromptsIntegration {
  const instance = createInstance(options)
  const { ids } = instance
  return {
    name: ids.plugin,
    hooks: {
      'astro:config:setup'({ updateConfig }) {
        updateConfig({ vite: { plugins: createVitePlugins(instance) } })
      },
      async 'astro:config:done'({ config, injectTypes }) {
        const { dts } = (await instance.openProject(fileURLToPath(config.root))).options
        if (dts === false) return
        const content = `/// <reference path=${JSON.stringify(toForwardSlashes(dts))} />\n`
        injectTypes({ filename: `${ids.workspace}.d.ts`, content })
      },
    },
  }
}
