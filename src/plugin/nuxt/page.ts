import { idsOf } from '../ids.ts'
import { pagePath } from '../../page/protocol.ts'
import { formatAddress, pageTitle } from '../page-address.ts'
import type { DevtoolsTabs, Nuxt } from './nuxt-types.ts'

/** Prints the address of the page when Nuxt listens, and adds a tab to Nuxt DevTools. */
export function addPage(nuxt: Nuxt, workspace: string): void {
  const { baseURL, buildAssetsDir } = nuxt.options.app
  // Vite serves below this folder, in Nuxt's own server.
  const base = `/${baseURL}/${buildAssetsDir}`.replaceAll(/\/+/g, '/').replace(/\/$/, '')
  const path = `${base}${pagePath(workspace)}/`
  nuxt.hook('listen', (_server: never, { url }: { readonly url: string }) => {
    const address = new URL(path, url)
    // A server for the network reports the address that it is bound to.
    if (['0.0.0.0', '[::]'].includes(address.hostname)) address.hostname = 'localhost'
    console.log(formatAddress('Prompts', address.href))
  })
  nuxt.hook('devtools:customTabs', (tabs: DevtoolsTabs) => {
    tabs.push({
      name: idsOf(workspace).plugin,
      title: pageTitle(workspace),
      icon: `${path}icon.svg`,
      view: { type: 'iframe', src: path },
    })
  })
}
