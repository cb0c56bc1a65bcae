import { join, resolve } from 'node:path'
import { ESLint } from 'eslint'
import { expect, test } from 'vitest'
import type { Lock } from '../../src/core/prompt.ts'
import { writeDeclarations, writeOutDir } from '../helpers/generated.ts'
import { HOSTILE } from '../helpers/hostile.ts'
import { liveLock } from '../helpers/pinned.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const CONFIG = resolve(import.meta.dirname, '../helpers/eslint.config.js')

/** The places of a lock's declarations that ESLint reports, such as unused directives. */
async function lint(lock: Lock): Promise<string[]> {
  const cwd = await temporaryFolder()
  await writeDeclarations(lock, { root: cwd, dts: join(cwd, 'prompts.d.ts'), lockPath: undefined })
  await writeOutDir(lock, { root: cwd, folder: join(cwd, 'prompts') })
  const eslint = new ESLint({ cwd, overrideConfigFile: CONFIG })
  const linted = await eslint.lintFiles(['prompts.d.ts', 'prompts/index.d.ts'])
  expect(linted).toHaveLength(2)
  return linted.flatMap(({ messages }) =>
    messages.map(({ line, ruleId, message }) => `${line} ${ruleId}: ${message}`),
  )
}

test.each([
  ['no prompts', liveLock()],
  ['one prompt', liveLock({ slug: 'plain' })],
  ['a name that can be no export', liveLock({ slug: '3d' })],
  ['odd names', liveLock({ slug: '__proto__' }, { slug: 'default' }, { slug: 'Prompts' })],
  ['hostile text', liveLock(...HOSTILE.map((system, index) => ({ slug: `p${index}`, system })))],
])('declarations of %s pass the recommended rules of typescript-eslint', async (_, lock) => {
  expect(await lint(lock)).toEqual([])
})
