import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { EnvSource } from '../../../src/config/env-files.ts'
import { readEnvironment } from '../../../src/config/env-files.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** The environment of a folder with these files. */
async function environment(
  files: Readonly<Record<string, string>>,
  processEnv: EnvSource['values'] = {},
  mode: string = 'production',
): Promise<EnvSource[]> {
  const folder = await temporaryFolder()
  const writes = Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text))
  await Promise.all(writes)
  return readEnvironment([folder], mode, processEnv)
}

/** The value that wins. */
async function winner(
  files: Readonly<Record<string, string>>,
  processEnv?: EnvSource['values'],
): Promise<unknown> {
  const sources = await environment(files, processEnv)
  return sources.find(({ values }) => values['KEY'] !== undefined)?.values['KEY']
}

describe('the environment of a project', () => {
  test('is the process first, then files from the most to the least special', async () => {
    const files = {
      '.env': 'KEY=1',
      '.env.local': 'KEY=2',
      '.env.production': 'KEY=3',
      '.env.production.local': 'KEY=4',
    }
    expect(await environment(files, { KEY: '5' })).toEqual([
      { name: 'the environment', values: { KEY: '5' } },
      { name: '.env.production.local', values: { KEY: '4' } },
      { name: '.env.production', values: { KEY: '3' } },
      { name: '.env.local', values: { KEY: '2' } },
      { name: '.env', values: { KEY: '1' } },
    ])
  })

  test('has the first variable of a file that an editor began with a byte order mark', async () => {
    expect(await winner({ '.env': '\ufeffKEY=1\n' })).toBe('1')
  })

  test('is only the process if there are no files', async () => {
    expect(await environment({}, { A: 'a' })).toEqual([
      { name: 'the environment', values: { A: 'a' } },
    ])
  })

  test('leaves files of other modes out', async () => {
    const files = { '.env.development': 'KEY=1', '.env.test.local': 'KEY=2' }
    expect(await winner(files)).toBeUndefined()
  })
})

describe('a value is not expanded', () => {
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
  ])('%j', async (text, value) => {
    expect(await winner({ '.env': text })).toBe(value)
  })
})

test('a folder called .env is ignored, as for virtual environments of Python', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, '.env'))
  await writeFile(join(folder, '.env.local'), 'KEY=1')
  expect(await readEnvironment([folder], 'production', {})).toHaveLength(2)
})

test.each([
  ['UTF-16 LE', '\ufeffKEY=1', (bytes: Buffer) => bytes],
  ['UTF-16 LE', 'KEY=1', (bytes: Buffer) => bytes],
  ['UTF-16 BE', '\ufeffKEY=1', (bytes: Buffer) => bytes.swap16()],
  ['UTF-16 BE', 'KEY=1', (bytes: Buffer) => bytes.swap16()],
])(
  'a file in %s is an error that names the file and the encoding: %j',
  async (encoding, text, order) => {
    const folder = await temporaryFolder()
    const path = join(folder, '.env.local')
    await writeFile(path, order(Buffer.from(text, 'utf16le')))
    await expect(readEnvironment([folder], 'production', {})).rejects.toMatchObject({
      code: 'FILE_NOT_UTF8',
      details: { path, encoding },
    })
  },
)
