import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { compareLocks } from '../../../src/core/compare.ts'
import { planFix } from '../../../src/plan/fix/plan-fix.ts'
import { takeCompiling } from '../../../src/plan/take-compiling.ts'
import { APP_TSCONFIG, appFolder } from '../../helpers/app-folder.ts'
import { liveLock } from '../../helpers/pinned.ts'

vi.mock('../../../src/plan/take-compiling.ts', { spy: true })

const CODE = "import { prompts } from 'virtual:prompts'\nprompts.x.render({ ticket: 'T' })\n"

test.each([
  ['of the same length', CODE.replace("'T'", "'U'")],
  ['with more lines', `// new\n${CODE}export const more = 1\n`],
])(
  'an edit starts from the text that was compiled, not from one %s that was saved since',
  async (_, saved) => {
    const root = await appFolder({ 'tsconfig.json': APP_TSCONFIG, 'src/a.ts': CODE })
    const { takeCompiling: compile } = await vi.importActual<
      typeof import('../../../src/plan/take-compiling.ts')
    >('../../../src/plan/take-compiling.ts')
    vi.mocked(takeCompiling).mockImplementationOnce((...args) => {
      const result = compile(...args)
      writeFileSync(join(root, 'src/a.ts'), saved)
      return result
    })
    const before = liveLock({ slug: 'x', system: 'Sort {{ ticket }}' })
    const after = liveLock({ slug: 'x', system: 'Sort {{ message }}', version: 'v2' })
    const location = { root, dts: join(root, 'src/prompts.d.ts') }
    const renames = [{ slug: 'x', from: 'ticket', to: 'message' }]
    const request = { renames, allowDirty: true }
    const [edit] = (await planFix(before, compareLocks(before, after), location, request)).edits
    expect([edit?.before, edit?.after]).toEqual([CODE, CODE.replace('ticket', 'message')])
  },
)
