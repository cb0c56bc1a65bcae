import { join, resolve } from 'node:path'
import { ESLint } from 'eslint'
import { expect, test } from 'vitest'
import type { Lock } from '../../../src/core/prompt.ts'
import { writeDeclarations, writeOutDir } from '../../helpers/generated.ts'
import { HOSTILE } from '../../helpers/hostile.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const CONFIG = resolve(import.meta.dirname, '../../helpers/eslint.config.js')

/** The places of generated files that ESLint reports, such as unused directives. */
async function lint(lock: Lock): Promise<string[]> {
  const cwd = await temporaryFolder()
  await writeDeclarations(lock, { root: cwd, dts: join(cwd, 'prompts.d.ts'), lockPath: undefined })
  await writeOutDir(lock, { root: cwd, folder: join(cwd, 'prompts') })
  const eslint = new ESLint({
    cwd,
    overrideConfigFile: CONFIG,
    overrideConfig: { rules: { semi: ['error', 'never'], quotes: ['error', 'single'] } },
  })
  const linted = await eslint.lintFiles(['prompts.d.ts', 'prompts'])
  expect(linted).toHaveLength(9)
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
])(
  'generated files of %s pass any rules of an app, and no directive in them is unused',
  async (_, lock) => {
    expect(await lint(lock)).toEqual([])
  },
)
