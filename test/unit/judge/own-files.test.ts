import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ignoredFiles } from '../../../src/judge/own-files.ts'
import { commitAll, git } from '../../helpers/git-repository.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

test('a file behind a link is ignored if git ignores the file itself', async () => {
  const root = await temporaryFolder({
    '.gitignore': 'cache\n',
    'cache/a.ts': '',
    'common/a.ts': '',
    'src/a.ts': '',
  })
  await symlink('../cache', join(root, 'src/cache'))
  await symlink('../common', join(root, 'src/common'))
  commitAll(root)
  const link = join(await temporaryFolder({}), 'link')
  await symlink(root, link)
  for (const folder of [root, link]) {
    const isIgnored = await ignoredFiles(folder)
    const names = ['src/a.ts', 'src/common/a.ts', 'src/cache/a.ts', 'cache/a.ts']
    const ignored = names.filter((name) => isIgnored(join(folder, name)))
    expect(ignored).toEqual(['src/cache/a.ts', 'cache/a.ts'])
  }
})

test('a file with accents is not ignored if git composes them and the disk does not', async () => {
  const [composed, decomposed] = ['Übung'.normalize('NFC'), 'Übung'.normalize('NFD')]
  const root = await temporaryFolder({ '.gitignore': `${decomposed}\n`, 'a.ts': '' })
  commitAll(root)
  await mkdir(join(root, decomposed))
  await writeFile(join(root, decomposed, 'a.ts'), '')
  const hash = git(root, 'hash-object', '-w', 'a.ts').trim()
  git(root, 'update-index', '--add', '--cacheinfo', `100644,${hash},${composed}/a.ts`)
  const isIgnored = await ignoredFiles(root)
  expect(isIgnored(join(root, decomposed, 'a.ts'))).toBe(false)
})
