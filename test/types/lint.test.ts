import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { Lock } from '../../src/core/prompt.ts'
import { writeFiles } from '../../src/features/generate/files.ts'
import { writeDeclarations } from '../../src/features/generate/declarations.ts'
import { HOSTILE } from '../helpers/hostile.ts'
import { liveLock } from '../helpers/pinned.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const REPOSITORY = resolve(import.meta.dirname, '../..')

/** Lints the declarations of a lock; a warning, such as an unused directive, fails too. */
async function lint(lock: Lock): Promise<string> {
  const root = await temporaryFolder()
  await writeDeclarations(lock, { root, dts: join(root, 'prompts.d.ts'), lockPath: undefined })
  await writeFiles(lock, { root, name: 'prompts', folder: join(root, 'prompts') })
  const eslint = join(REPOSITORY, 'node_modules/eslint/bin/eslint.js')
  const config = join(REPOSITORY, 'test/helpers/eslint.config.js')
  const files = ['prompts.d.ts', 'prompts/index.d.ts']
  const args = [eslint, '--config', config, '--max-warnings', '0', ...files]
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: root }, (error, stdout, stderr) => {
      done(`${stdout}${stderr}${error === null ? '' : error.code}`)
    })
  })
}

test.each([
  ['no prompts', liveLock()],
  ['one prompt', liveLock({ slug: 'plain' })],
  ['a name that can be no export', liveLock({ slug: '3d' })],
  ['odd names', liveLock({ slug: '__proto__' }, { slug: 'default' }, { slug: 'Prompts' })],
  ['hostile text', liveLock(...HOSTILE.map((system, index) => ({ slug: `p${index}`, system })))],
])('declarations of %s pass the recommended rules of typescript-eslint', async (_, lock) => {
  expect(await lint(lock)).toBe('')
})
