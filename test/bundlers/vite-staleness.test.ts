import { rename, rm, symlink, writeFile } from 'node:fs/promises'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { InlineConfig, Plugin } from 'vite'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import {
  devServer,
  greeting,
  greetingApp,
  outsideOfTests,
  servedToClient,
  serves,
} from './vite-server.ts'
import { lockText } from '../helpers/pinned.ts'

/** Vite's own watcher as users have it; that of the other tests polls. */
const BY_EVENTS: InlineConfig = { server: { watch: { usePolling: false } } }

function lockOf(version: string): string {
  return lockText(greeting(version))
}

/** An app whose lock has version `v1`. */
async function app(): Promise<{ root: string; lock: string }> {
  const root = await greetingApp()
  return { root, lock: join(root, 'prompts.lock.json') }
}

describe('a dev server of Vite uses', () => {
  test.each(['configureServer', 'buildStart', 'afterStart'] as const)(
    'a lock that changes while it starts (%s)',
    async (moment) => {
      const { root, lock } = await app()
      const change = (): void => writeFileSync(lock, lockOf('v2'))
      const plugin: Plugin = {
        name: 'changes-lock',
        enforce: 'post',
        ...(moment === 'configureServer' && { configureServer: change }),
        ...(moment === 'buildStart' && { buildStart: change }),
      }
      const dev = await devServer(root, {}, { ...BY_EVENTS, plugins: [plugin] })
      if (moment === 'afterStart') change()
      await serves(dev, 'v2')
    },
  )

  test('a lock that is written in place after the target of its link was replaced', async () => {
    const { root, lock } = await app()
    const shared = await temporaryFolder()
    const target = join(shared, 'target.json')
    await rename(lock, target)
    await symlink(target, lock)
    const dev = await devServer(root, {}, BY_EVENTS)
    await serves(dev, 'v1')
    await writeFile(`${target}.new`, lockOf('v2'))
    await rename(`${target}.new`, target)
    await serves(dev, 'v2')
    await writeFile(target, lockOf('v3'))
    await serves(dev, 'v3')
    const other = join(shared, 'other.json')
    await writeFile(other, lockOf('v4'))
    await rm(lock)
    await symlink(other, lock)
    await serves(dev, 'v4')
  })

  test('prompts.config.ts when it is added, changed and removed, by a restart', async () => {
    outsideOfTests()
    const { root } = await app()
    for (const version of ['v2', 'v3'])
      await writeFile(join(root, `${version}.lock.json`), lockOf(version))
    const dev = await devServer(root)
    await serves(dev, 'v1')
    const config = join(root, 'prompts.config.ts')
    await writeFile(config, `export default { lock: 'v2.lock.json' }`)
    await serves(dev, 'v2')
    expect(dev.log.join('\n')).toContain('server restarted.')
    await writeFile(config, `export default { lock: 'v3.lock.json' }`)
    await serves(dev, 'v3')
    await rm(config)
    await serves(dev, 'v1')
  })

  test('a changed lock on the server if another plugin drops updates that the client has too (Astro)', async () => {
    const { root, lock } = await app()
    const astroLike: Plugin = {
      name: 'skips-modules-of-the-client',
      hotUpdate: {
        order: 'post',
        handler({ modules, server }) {
          if (this.environment.name !== 'ssr') return undefined
          const { client } = server.environments
          return modules.filter(({ id }) => !id || !client.moduleGraph.getModuleById(id))
        },
      },
    }
    const dev = await devServer(root, {}, { plugins: [astroLike] })
    await serves(dev, 'v1')
    await servedToClient(dev)
    await writeFile(lock, lockOf('v2'))
    await serves(dev, 'v2')
  })
})
