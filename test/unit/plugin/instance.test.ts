import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createInstance } from '../../../src/plugin/instance.ts'
import { fakeContext } from '../../helpers/fake-project.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

test('a plugin evaluates the configuration once for a framework and all its builds', async () => {
  const root = await temporaryFolder({ 'package.json': '{}' })
  const config = 'globalThis.evaluated = [...(globalThis.evaluated ?? []), 1]\nexport default {}\n'
  await writeFile(join(root, 'prompts.config.js'), config)
  const instance = createInstance()
  expect((await instance.openProject(root)).options).toMatchObject({ root })
  const client = instance.session(fakeContext({ root, byUse: true }))
  const server = instance.session(fakeContext({ root }))
  await Promise.all([client.project(), server.project()])
  expect(Reflect.get(globalThis, 'evaluated')).toEqual([1])
  Reflect.deleteProperty(globalThis, 'evaluated')
})
