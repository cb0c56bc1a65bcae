import { expect, test } from 'vitest'
import { viteHooks } from '../../../src/plugin/vite/vite.ts'
import { fakeHost, fakeProject } from '../../helpers/fake-project.ts'

async function load(
  mode: 'build' | 'dev',
  module = '\0virtual:prompts/definitions/0',
): Promise<unknown> {
  const hooks = viteHooks(fakeHost(fakeProject()))
  const { handler } = hooks.load as { handler: (this: object, id: string) => Promise<unknown> }
  return handler.call({ environment: { mode }, addWatchFile: () => undefined }, module)
}

test('a dev server gets modules with an empty source map, since a full one would be as long', async () => {
  expect(await load('dev')).toEqual({ code: await load('build'), map: { mappings: '' } })
  expect(await load('build')).toContain('definePrompt(')
})

test("leaves the app's modules alone in Vite 6.0 to 6.2, which have no filters", async () => {
  expect(await load('dev', '/nowhere/src/main.js')).toBeUndefined()
})
