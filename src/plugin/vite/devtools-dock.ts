import { pagePath } from '../../page/protocol.ts'
import type { Host } from '../host.ts'
import { pageTitle } from '../page-address.ts'

/** The part of `@vitejs/devtools-kit`'s context that a dock needs. Nothing is imported from it. */
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

/** The property of a Vite plugin that `@vitejs/devtools` reads. */
interface DevtoolsHooks {
  readonly devtools: { readonly setup: (context: DevtoolsContext) => Promise<void> }
}

/**
 * Registers the page as a dock in Vite DevTools, if that is installed. There is no dock in a build,
 * or if the option `page` is `false`.
 */
export function devtoolsDock({ ids, session }: Pick<Host, 'ids' | 'session'>): DevtoolsHooks {
  const { workspace } = ids
  return {
    devtools: {
      async setup({ mode, viteConfig, docks }) {
        if (mode === 'build' || !(await session().project()).options.page) return
        const url = `${viteConfig.base.replace(/\/$/, '')}${pagePath(workspace)}/`
        docks.register({
          id: workspace,
          title: pageTitle(workspace),
          icon: `${url}icon.svg`,
          type: 'iframe',
          url,
        })
      },
    },
  }
}
