import { expect, test } from 'vitest'
import { viteHooks } from '../../../src/plugin/vite/vite.ts'
import { fakeHost, fakeProject } from '../../helpers/fake-project.ts'

async function load(mode: 'build' | 'dev'): Promise<unknown> {
  const hooks = viteHooks(fakeHost(fakeProject()))
  const { handler } = hooks.load as { handler: (this: object, id: string) => Promise<unknown> }
  return handler.call(
    { environment: { mode }, addWatchFile: () => undefined },
    '\0virtual:prompts/definitions/0',
  )
}

test('a dev server gets modules with an empty source map, since a full one would be as long', async () => {
  expect(await load('dev')).toEqual({ code: await load('build'), map: { mappings: '' } })
  expect(await load('build')).toContain('definePrompt(')
})
