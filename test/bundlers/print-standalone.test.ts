import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Lock } from '../../src/core/prompt.ts'
import { planModule } from '../../src/codegen/plan-module.ts'
import { printStandalone } from '../../src/codegen/print-standalone.ts'
import runtime from '../../src/runtime/index.ts?text'
import { HOSTILE } from '../helpers/hostile.ts'
import { importNatively } from '../helpers/native-import.ts'
import { liveLock } from '../helpers/pinned.ts'
import { type RunPrompt, runLock } from '../helpers/run-modules.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

interface Standalone {
  readonly prompts: Readonly<Record<string, RunPrompt>>
}

async function run(lock: Lock): Promise<Standalone> {
  const path = join(await temporaryFolder(), 'index.mjs')
  await writeFile(path, printStandalone(planModule(lock), runtime))
  return (await importNatively(pathToFileURL(path).href)) as Standalone
}

describe('printStandalone', () => {
  test('exports the same as the modules of the bundlers, for hostile text in every field', async () => {
    const lock = liveLock(
      ...HOSTILE.map((text, index) => ({
        slug: text === 'then' ? text : `${index}${text}`,
        folder: text,
        model: text,
        version: text,
        system: `${text}\nexport const p0 = 1\nimport { x } from "y"\n${text}`,
        user: text,
      })),
    )
    const [alone, modules] = await Promise.all([run(lock), runLock(lock)])
    expect(Object.keys(alone.prompts).toSorted()).toStrictEqual(
      Object.keys(modules.entry.prompts).toSorted(),
    )
    for (const { slug, source, folder } of lock.prompts) {
      expect(alone.prompts[slug]).toMatchObject({ slug, source, folder })
    }
  })

  test('is a module for an empty lock too', async () => {
    expect(Object.keys((await run(liveLock())).prompts)).toStrictEqual([])
  })

  test('refuses a runtime that does not end with its exports', () => {
    expect(() => printStandalone(planModule(liveLock()), 'const a = 1')).toThrow(RangeError)
  })
})
