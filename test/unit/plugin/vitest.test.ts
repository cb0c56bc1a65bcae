import { expect, test } from 'vitest'
import { vitestHooks } from '../../../src/plugin/vite/vite.ts'
import { fakeHost, fakeProject } from '../../helpers/fake-project.ts'

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
