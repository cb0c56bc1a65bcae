import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { fakeHost, fakeProject } from '../helpers/fake-project.ts'
import { LOCK, serve, started } from '../helpers/fake-vite-server.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { SOON } from '../helpers/soon.ts'

describe('a lock that changes in a dev server', () => {
  test('and is missing right after several changes is reported once', async () => {
    const { fake, change, log } = await started()
    for (const version of ['v2', 'v3', 'v4']) {
      // Another contract, which is declared.
      fake.write(version, `{{ ${version} }}`)
      await change()
    }
    fake.remove()
    await Promise.all([change(), change()])
    await change()
    await vi.waitFor(() => expect(fake.declared).toEqual(['v1', 'v4']), SOON)
    await change()
    expect(log.filter((line) => line.includes('[LOCK_MISSING]'))).toHaveLength(1)
  })

  test.each(['read', 'declare'] as const)(
    'while the server starts is reported to it (after: %s)',
    async (step) => {
      const fake = fakeProject({ options: { page: false } })
      fake.after(step, 1, () => fake.write('v2'))
      const { watcher, change, host } = await started(fake)
      const changes: string[] = []
      watcher.on('change', (file: string) => {
        changes.push(file)
        void change(file)
      })
      const version = async (): Promise<string | undefined> =>
        (await host.session().snapshot()).plan.lock.parts[0]?.version
      await vi.waitFor(async () => expect(await version()).toBe('v2'), SOON)
      expect(changes.every((file) => file === LOCK)).toBe(true)
    },
  )

  test('is reported to the server without a watcher event, such as behind a link', async () => {
    const { fake, watcher } = await started()
    const changed = new Promise((resolve) => watcher.once('change', resolve))
    fake.write('v2')
    expect(await changed).toBe(LOCK)
  })
})

describe('outside of tests', () => {
  beforeEach(() => {
    vi.stubEnv('VITEST', undefined)
    onTestFinished(() => void vi.unstubAllEnvs())
  })

  test.each(['.env.local', 'prompts.config.mjs'])(
    'a server starts again when %s is added',
    async (name) => {
      const root = await temporaryFolder()
      await writeFile(join(root, 'package.json'), '{}')
      const fake = fakeProject({ root, options: { page: false } })
      const { restart, log } = await serve(fakeHost(fake, { root }))
      await writeFile(join(root, name), '')
      await vi.waitFor(() => expect(restart).toHaveBeenCalled(), SOON)
      expect(log.join()).toContain('restarting')
    },
  )
})
