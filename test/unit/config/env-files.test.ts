import { expect, test } from 'vitest'
import type { EnvSource } from '../../../src/config/env-files.ts'
import { readEnvironment } from '../../../src/config/env-files.ts'
import { rejection } from '../../helpers/service-client.ts'
import { type Files, temporaryFolder } from '../../helpers/temporary-folder.ts'

/** The environment of a folder with these files. */
async function environment(
  files: Files,
  processEnv: EnvSource['values'] = {},
): Promise<EnvSource[]> {
  return readEnvironment([await temporaryFolder(files)], 'production', processEnv)
}

test('the process comes first, then files from the most to the least special', async () => {
  const files = {
    '.env': 'KEY=1',
    '.env.local': 'KEY=2',
    '.env.production': 'KEY=3',
    '.env.production.local': 'KEY=4',
    // Files of other modes are left out.
    '.env.development': 'KEY=5',
    '.env.test.local': 'KEY=6',
  }
  expect(await environment(files, { KEY: '5' })).toEqual([
    { name: 'the environment', values: { KEY: '5' } },
    ...[
      { name: '.env.production.local', values: { KEY: '4' } },
      { name: '.env.production', values: { KEY: '3' } },
      { name: '.env.local', values: { KEY: '2' } },
      { name: '.env', values: { KEY: '1' } },
    ].map((file) => ({ ...file, path: expect.stringMatching(`/${file.name}$`) })),
  ])
})

test.each([
  ['KEY=plain', 'plain'],
  ['KEY="quoted"', 'quoted'],
  ["KEY='a b'", 'a b'],
  ['KEY=$HOME', '$HOME'],
  ['KEY=a$$b${c}', 'a$$b${c}'],
  ['KEY="a\\$b"', 'a\\$b'],
  ['KEY=a=b', 'a=b'],
  ['export KEY=a', 'a'],
  ['# KEY=no\nKEY=a # comment', 'a'],
  ['KEY=a\r\nOTHER=b\r\n', 'a'],
  ['  KEY  =  a  ', 'a'],
  ['KEY=', ''],
  ['a line without a sign\nKEY=a', 'a'],
  ['nothing\n\n  export KEY=c', 'c'],
  ['OTHER=a\n\tKEY=b', 'b'],
  ['KEY="a\nnothing\nb"', 'a\nnothing\nb'],
  // As an editor may begin a file.
  ['\ufeffKEY=1', '1'],
])('%j has the value %j, which is not expanded', async (text, value) => {
  const [, file] = await environment({ '.env': text })
  expect(file?.values['KEY']).toBe(value)
})

test('a comment in another encoding than UTF-8 hides nothing', async () => {
  const [, file] = await environment({ '.env': Buffer.from('# Schl\xfcssel\nKEY=1', 'latin1') })
  expect(file?.values).toEqual({ KEY: '1' })
})

test('a folder called .env is ignored, as for virtual environments of Python', async () => {
  expect(await environment({ '.env/bin/python': '', '.env.local': 'KEY=1' })).toHaveLength(2)
})

test.each([
  ['UTF-16 LE', '\ufeffKEY=1', (bytes: Buffer) => bytes],
  ['UTF-16 LE', 'KEY=1', (bytes: Buffer) => bytes],
  ['UTF-16 BE', '\ufeffKEY=1', (bytes: Buffer) => bytes.swap16()],
  ['UTF-16 BE', 'KEY=1', (bytes: Buffer) => bytes.swap16()],
])('a file in %s with %j is an error that names both', async (encoding, text, order) => {
  const file = order(Buffer.from(text, 'utf16le'))
  expect(await rejection(environment({ '.env.local': file }))).toMatchObject({
    code: 'FILE_NOT_UTF8',
    details: { path: expect.stringMatching(/\.env\.local$/), encoding },
  })
})
