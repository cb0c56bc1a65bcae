import { expect, test } from 'vitest'
import { Host } from '../../../src/plugin/host.ts'
import { idsOf } from '../../../src/plugin/ids.ts'
import { buildPlugins } from '../../../src/plugin/rollup/build-plugins.ts'
import { vitestPlugin } from '../../../src/plugin/vite/vitest.ts'
import {
  DEFINITIONS,
  fakeContext,
  fakeHost,
  fakeProject,
  fakeSession,
} from '../../helpers/fake-project.ts'

async function load(mode: 'build' | 'dev', module = DEFINITIONS): Promise<unknown> {
  const host = fakeHost(fakeProject(), { isServer: mode === 'dev' })
  const [serve] = buildPlugins(idsOf('prompts'), async () => host) as unknown as [ServePlugin]
  return serve.load.handler.call({ addWatchFile: () => undefined }, module)
}

interface ServePlugin {
  readonly load: { handler(this: object, id: string): Promise<unknown> }
  buildStart(this: object): Promise<void>
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
  const session = fakeSession(fake)
  const start = (isPart: boolean): Promise<void> => {
    const host = new Host(fakeContext({ isPart, watched: false }), session)
    const [serve] = buildPlugins(idsOf('prompts'), async () => host) as unknown as [ServePlugin]
    return serve.buildStart.call({})
  }
  await start(false)
  const { length } = fake.steps
  await start(true)
  expect(fake.steps).toHaveLength(length)
  await start(false)
  expect(fake.steps.slice(length)).toEqual(['text'])
})

type Generate = (module: { readonly id: string }) => false | undefined

const { configureVitest } = vitestPlugin(idsOf('prompts'), async () =>
  fakeHost(fakeProject()),
) as unknown as { configureVitest(context: object): void }

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
