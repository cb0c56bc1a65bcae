import { DEFAULT_WORKSPACE } from '../../core/workspace-name.ts'
import { pagePath } from '../../page/protocol.ts'
import type { Host } from '../host.ts'

/** As much of the context of `@vitejs/devtools-kit` as a dock needs; nothing is imported for it. */
interface DevtoolsContext {
  readonly mode?: 'dev' | 'build'
  readonly viteConfig: { readonly base: string }
  readonly docks: {
    register(entry: {
      readonly id: string
      readonly title: string
      readonly icon: string
      readonly type: 'iframe'
      readonly url: string
    }): unknown
  }
}

/** What `@vitejs/devtools` looks for in a Vite plugin. */
interface DevtoolsHooks {
  readonly devtools: { readonly setup: (context: DevtoolsContext) => Promise<void> }
}

/**
 * Offers the page as a dock in Vite DevTools, which calls this if it is installed. A build has no
 * page to show, nor has a project that switches it off.
 */
export function devtoolsDock({ ids, session }: Pick<Host, 'ids' | 'session'>): DevtoolsHooks {
  const { workspace } = ids
  return {
    devtools: {
      async setup({ mode, viteConfig, docks }) {
        if (mode === 'build' || !(await session.project()).options.page) return
        const url = `${viteConfig.base.replace(/\/$/, '')}${pagePath(workspace)}/`
        docks.register({
          id: workspace,
          title: workspace === DEFAULT_WORKSPACE ? 'Prompts' : `Prompts: ${workspace}`,
          icon: `${url}icon.svg`,
          type: 'iframe',
          url,
        })
      },
    },
  }
}
