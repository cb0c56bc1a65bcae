import { expect, test } from 'vitest'
import { createInstance } from '../../../src/plugin/instance.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

test('a plugin evaluates the configuration once for a framework and all its builds', async () => {
  const config = 'globalThis.evaluated = [...(globalThis.evaluated ?? []), 1]\nexport default {}\n'
  const root = await temporaryFolder({ 'package.json': '{}', 'prompts.config.js': config })
  const instance = createInstance()
  expect((await instance.openProject(root)).options).toMatchObject({ root })
  const builds = [instance.build({ root }), instance.build({ root, isServer: true })]
  await Promise.all(builds.map(async (build) => (await build()).loaded().catch(() => undefined)))
  expect(Reflect.get(globalThis, 'evaluated')).toEqual([1])
  Reflect.deleteProperty(globalThis, 'evaluated')
})
