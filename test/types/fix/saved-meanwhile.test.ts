import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { compareLocks } from '../../../src/core/compare.ts'
import { APP_TSCONFIG, locatedApp } from '../../helpers/app-folder.ts'
import { liveLock } from '../../helpers/pinned.ts'

const CODE = "import { prompts } from 'virtual:prompts'\nprompts.x.render({ ticket: 'T' })\n"

afterEach(() => {
  vi.doUnmock('../../../src/plan/take-compiling.ts')
  vi.resetModules()
})

test.each([
  ['of the same length', CODE.replace("'T'", "'U'")],
  ['with more lines', `// new\n${CODE}export const more = 1\n`],
])(
  'an edit starts from the text that was compiled, not from one %s that was saved since',
  async (_, saved) => {
    const location = await locatedApp({ 'tsconfig.json': APP_TSCONFIG, 'src/a.ts': CODE })
    vi.resetModules()
    vi.doMock('../../../src/plan/take-compiling.ts', async (original) => {
      const { takeCompiling } =
        await original<typeof import('../../../src/plan/take-compiling.ts')>()
      const takeAndSave: typeof takeCompiling = (...args) => {
        const result = takeCompiling(...args)
        writeFileSync(join(location.root, 'src/a.ts'), saved)
        return result
      }
      return { takeCompiling: takeAndSave }
    })
    const { planFix } = await import('../../../src/plan/fix/plan-fix.ts')
    const before = liveLock({ slug: 'x', system: 'Sort {{ ticket }}' })
    const after = liveLock({ slug: 'x', system: 'Sort {{ message }}', version: 'v2' })
    const renames = [{ slug: 'x', from: 'ticket', to: 'message' }]
    const request = { renames, allowDirty: true }
    const [edit] = (await planFix(before, compareLocks(before, after), location, request)).edits
    expect([edit?.before, edit?.after]).toEqual([CODE, CODE.replace('ticket', 'message')])
  },
)
