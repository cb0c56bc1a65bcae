import { describe, expect, test } from 'vitest'
import { idsOf } from '../../../src/plugin/ids.ts'
import { type EmittedFile, inspectOutput } from '../../../src/plugin/output.ts'
import { fakeProject, fakeSession } from '../../helpers/fake-project.ts'
import { rejection } from '../../helpers/service-client.ts'

const KEY = 'svc_live_Canary0123456789'

/** Inspects files by name; returns those that were read. */
async function inspect(
  contents: Readonly<Record<string, string | Uint8Array>>,
  options = {},
): Promise<string[]> {
  const reads: string[] = []
  const files = Object.entries(contents).map(([file, content]): EmittedFile => ({
    file,
    read() {
      reads.push(file)
      return content
    },
  }))
  const session = fakeSession(fakeProject({ options }))
  const host = { ids: idsOf('prompts'), session: () => session }
  await inspectOutput(host, files)
  return reads
}

describe('the output of a build', () => {
  test.each([
    ['main.js', `const key = '${KEY}'`],
    ['main.js.map', JSON.stringify({ sourcesContent: [`// ${KEY}`] })],
    ['index.html', `<p>${KEY}</p>`],
    ['data.bin', Buffer.from(`\0\u00ff${KEY}\0`)],
    ['view.bin', Buffer.from(`012345${KEY}`).subarray(6)],
  ])('is refused if %s contains the key', async (file, content) => {
    const error = await rejection(inspect({ 'a.js': '1', [file]: content }, { apiKey: KEY }))
    expect(error).toMatchObject({ code: 'KEY_IN_BUNDLE' })
    expect(error).toMatchObject({ message: expect.stringContaining(file) })
  })

  test('may contain another key, and is read once', async () => {
    const files = { 'a.js': KEY, 'b.css': KEY }
    expect(await inspect(files, { apiKey: `${KEY}0` })).toEqual(['a.js', 'b.css'])
  })

  test('is not read if there is no key', async () => {
    expect(await inspect({ 'a.js': KEY }, { manifest: true })).toEqual([])
  })
})

describe('the manifest of a build', () => {
  const host = (manifest: boolean): Parameters<typeof inspectOutput>[0] => {
    const session = fakeSession(fakeProject({ options: { manifest } }))
    return { ids: idsOf('prompts'), session: () => session }
  }
  const output = (...modules: string[]): EmittedFile[] => [
    { file: 'a.js', read: () => '', modules: () => modules },
  ]

  test.each([
    ['Rollup', '\0virtual:prompts/definitions/0'],
    ['esbuild', 'unplugin-prompts:\0virtual:prompts/definitions/0'],
    ['webpack', '/load.js??ref!/app/_virtual_%00virtual%3Aprompts%2Fdefinitions%2F0'],
  ])('knows the module of a prompt as %s names it', async (_, name) => {
    const { text = '' } = (await inspectOutput(host(true), output('/app/main.js', name))) ?? {}
    expect(JSON.parse(text)).toMatchObject({
      chunks: [{ file: 'a.js', prompts: [{ slug: 'greeting', version: 'v1' }] }],
    })
  })

  test.each(['\0virtual:prompts', '\0virtual:billing-prompts/definitions/0', '/app/definitions/0'])(
    'has no prompt of the module %j',
    async (name) => {
      const { text = '' } = (await inspectOutput(host(true), output(name))) ?? {}
      expect(JSON.parse(text)).toMatchObject({ chunks: [] })
    },
  )

  test('asks for no modules if the option is not set', async () => {
    const modules = (): never => {
      throw new Error('asked')
    }
    const files = [{ file: 'a.js', read: () => '', modules }]
    expect(await inspectOutput(host(false), files)).toBeUndefined()
  })
})
