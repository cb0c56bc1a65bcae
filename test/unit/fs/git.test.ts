import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findText } from '../../../src/fs/git.ts'
import { git } from '../../helpers/git-repository.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

test.each([
  ['color.ui', 'always'],
  ['grep.fullName', 'true'],
  ['submodule.recurse', 'true'],
])('text is found where git has %s=%s', async (key, value) => {
  const root = await temporaryFolder({ 'app/src/a.ts': 'one\ntwo three\n' })
  git(root, 'init', '--quiet')
  git(root, 'config', key, value)
  const app = join(root, 'app')
  expect(await findText(app, 'three')).toEqual([
    { path: join(app, 'src/a.ts'), line: 2, column: 5 },
  ])
})
