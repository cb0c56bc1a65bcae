import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { PromptsError } from '../../../src/errors/prompts-error.ts'
import { viteServerHooks } from '../../../src/plugin/vite/vite-server.ts'
import { fakeHost, fakeProject } from '../../helpers/fake-project.ts'
import { DEFINITIONS, serveWith, started } from '../../helpers/fake-vite-server.ts'
import { SOON } from '../../helpers/soon.ts'

describe('a lock that changes in a dev server', () => {
  test('updates the modules that changed, once, even if other plugins filter the update', async () => {
    const { fake, change, invalidated } = await started()
    fake.write('v2')
    expect(await change()).toEqual([DEFINITIONS])
    expect(invalidated).toEqual([DEFINITIONS])
    expect(await change()).toEqual([])
  })

  test('ignores changes of other files', async () => {
    const { fake, change } = await started()
    fake.write('v2')
    expect(await change('/nowhere/other.json')).toBeUndefined()
  })

  test('and is broken shows in the overlay, until it is fixed; another fault is reported again', async () => {
    const { fake, change, log, sent } = await started()
    fake.corrupt()
    await change()
    expect(sent.map(({ type }) => type)).toEqual(['error'])
    fake.remove()
    await change()
    fake.write('v2')
    await change()
    fake.corrupt()
    await change()
    expect(sent.map(({ type }) => type)).toEqual(['error', 'error', 'update', 'error'])
    expect(log.map((line) => /\[(LOCK_\w+)\]/.exec(line)?.[1])).toEqual([
      'LOCK_CONFLICTED',
      'LOCK_MISSING',
      'LOCK_CONFLICTED',
    ])
  })
})

test('pending updates are looked up once for all servers of one plugin', async () => {
  vi.stubEnv('VITEST', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const options = { page: false, apiKey: 'svc_live_x', baseUrl: 'http://127.0.0.1:9' }
  const fake = fakeProject({ options })
  const asked = vi
    .spyOn(fake.project, 'withService')
    .mockRejectedValue(new PromptsError('KEY_MISSING', { variable: 'PROMPTS_API_KEY' }))
  const hooks = viteServerHooks(fakeHost(fake))
  await serveWith(hooks)
  await serveWith(hooks)
  await vi.waitFor(() => expect(asked).toHaveBeenCalled(), SOON)
  expect(asked).toHaveBeenCalledOnce()
})
