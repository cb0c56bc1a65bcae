import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findProjectFolder } from '../../../src/config/config-file.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** A folder with these files and the empty folders `app/inner` in it. */
async function folderWith(files: readonly string[]): Promise<string> {
  const root = await temporaryFolder()
  await mkdir(join(root, 'app/inner'), { recursive: true })
  for (const file of files) await writeFile(join(root, file), '')
  return root
}

describe('the project of a folder', () => {
  test.each(['package.json', 'prompts.lock.json', 'prompts.config.ts', 'prompts.config.mjs'])(
    'is the nearest one upwards with a %s',
    async (mark) => {
      const root = await folderWith([mark])
      expect(await findProjectFolder(join(root, 'app/inner'), 'prompts')).toBe(root)
    },
  )

  test('is the folder itself if it contains such a file', async () => {
    const root = await folderWith(['package.json', 'app/prompts.lock.json'])
    expect(await findProjectFolder(join(root, 'app'), 'prompts')).toBe(join(root, 'app'))
  })

  test('is not found by the files of another workspace', async () => {
    const root = await folderWith(['package.json', 'app/prompts.lock.json'])
    expect(await findProjectFolder(join(root, 'app'), 'billing-prompts')).toBe(root)
  })

  test('is the folder itself if there is no such file', async () => {
    const root = await folderWith(['app/prompts.configuration.md'])
    expect(await findProjectFolder(join(root, 'app'), 'prompts')).toBe(join(root, 'app'))
  })

  test('may be above a folder that does not exist', async () => {
    const root = await folderWith(['package.json'])
    expect(await findProjectFolder(join(root, 'gone'), 'prompts')).toBe(root)
  })
})
