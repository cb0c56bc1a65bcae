import { expect, test } from 'vitest'
import { vitestHooks, viteHooks } from '../../../src/plugin/vite/vite.ts'
import { DEFINITIONS, fakeHost, fakeProject } from '../../helpers/fake-project.ts'

async function load(mode: 'build' | 'dev', module = DEFINITIONS): Promise<unknown> {
  const hooks = viteHooks(fakeHost(fakeProject()))
  const { handler } = hooks.load as { handler: (this: object, id: string) => Promise<unknown> }
  return handler.call({ environment: { mode }, addWatchFile: () => undefined }, module)
}

test('a dev server gets modules with an empty source map, since a full one would be as long', async () => {
  expect(await load('dev')).toEqual({ code: await load('build'), map: { mappings: '' } })
  expect(await load('build')).toContain('definePrompt(')
})

test('the modules of an app are left alone in Vite 6.0 to 6.2, which have no filters', async () => {
  expect(await load('dev', '/nowhere/src/main.js')).toBeUndefined()
})

test('the bundle of a worker starts with what the build of the app has read', async () => {
  const fake = fakeProject()
  const { buildStart } = viteHooks(fakeHost(fake)) as {
    buildStart(this: object, options: object): Promise<void>
  }
  const start = (isWorker: boolean): Promise<void> => {
    const environment = { mode: 'build', config: { isWorker } }
    const context = { environment, meta: { watchMode: false }, addWatchFile: () => undefined }
    return buildStart.call(context, {})
  }
  await start(false)
  const { length } = fake.steps
  await start(true)
  expect(fake.steps).toHaveLength(length)
  await start(false)
  expect(fake.steps.slice(length)).toEqual(['text'])
})

type Generate = (module: { readonly id: string }) => false | undefined

const { configureVitest } = vitestHooks(fakeHost(fakeProject()))

test.each(['defineCacheKeyGenerator', 'experimental_defineCacheKeyGenerator'])(
  'modules with prompts stay out of the cache of Vitest, which offers %s',
  (name) => {
    const generators: Generate[] = []
    configureVitest({ [name]: (generate: Generate) => void generators.push(generate) })
    const cached = ['\0virtual:prompts', '\0virtual:prompts/all', '/src/main.ts'].map((id) =>
      generators.map((generate) => generate({ id })),
    )
    expect(cached).toEqual([[false], [false], [undefined]])
  },
)

test('a Vitest without such a cache is left alone', () => {
  expect(() => configureVitest({})).not.toThrow()
})
