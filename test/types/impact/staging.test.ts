import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Lock } from '../../../src/core/prompt.ts'
import type { AppLocation } from '../../../src/analysis/app/app.ts'
import { findImpact } from '../../../src/features/usage/impact.ts'
import { findUsage } from '../../../src/features/usage/usage.ts'
import { writeOutDir } from '../../helpers/generated.ts'
import { APP_TSCONFIG, appFolder } from '../../helpers/app-folder.ts'
import { liveLock, testLock } from '../../helpers/pinned.ts'

const live = liveLock(
  { slug: 'idle', system: 'Nobody reads this' },
  { slug: 'reply', system: 'Answer {{ name }}' },
  { slug: 'triage', system: 'Sort {{ ticket }}' },
)
const staging = testLock(...live.prompts.slice(0, 2), {
  slug: 'triage',
  version: 'v23',
  system: 'Sort {{ ticket }} in a {{ tone }} tone',
})

const app = (specifier: string, ofStaging: string): string =>
  `import { prompts } from '${specifier}'
import { prompts as staging } from '${ofStaging}'
declare const flag: boolean
const triage = flag ? staging.triage : prompts.triage
triage.render({ ticket: 'T', tone: 'calm' })
staging.triage.render({ ticket: 'T', tone: 'calm' })
prompts.triage.render({ ticket: 'T' })
const { reply } = (flag ? staging : prompts)
reply.render({ name: 'Ada' })
`

const APPS = [
  ['virtual:prompts/staging', app('virtual:prompts', 'virtual:prompts/staging')],
  ['a generated folder', app('../prompts/index.js', '../prompts/staging/index.js')],
] as const

describe.each(APPS)('an app that chooses between live and staging of %s', (_, code) => {
  async function locate(): Promise<AppLocation> {
    const root = await appFolder({ 'tsconfig.json': APP_TSCONFIG, 'src/main.ts': code })
    const folder = join(root, 'prompts')
    await writeOutDir(live, { root, folder, testLock: staging })
    return { root, dts: join(root, 'prompts.d.ts'), locks: { live, test: staging } }
  }

  async function brokenLines(before: Lock, after: Lock): Promise<number[]> {
    const { findings } = await findImpact({ ...(await locate()), before, after })
    return findings.map(({ line }) => line)
  }

  test('uses the prompts that it names, each once in a place', async () => {
    const { unused, escapes, prompts } = await findUsage({ ...(await locate()), lock: live })
    expect({ unused, escapes }).toEqual({ unused: ['idle'], escapes: [] })
    const triage = prompts.find(({ slug }) => slug === 'triage')
    expect(triage?.sites.map(({ line }) => line)).toEqual([4, 4, 5, 6, 7])
  })

  test('breaks where the live version runs if that needs another variable', async () => {
    const triage = { slug: 'triage', version: 'v24', system: 'Sort {{ message }}' }
    expect(await brokenLines(live, liveLock(...live.prompts.slice(0, 2), triage))).toEqual([5, 7])
  })

  test('breaks where the staging version runs if that needs another variable', async () => {
    const triage = { slug: 'triage', version: 'v24', system: 'Sort {{ ticket }} {{ mood }}' }
    const after = testLock(...staging.prompts.slice(0, 2), triage)
    expect(await brokenLines(staging, after)).toEqual([5, 6])
  })

  test('breaks where staging is named if a version is withdrawn', async () => {
    expect(await brokenLines(staging, testLock(...live.prompts.slice(0, 2)))).toEqual([4, 6])
  })
})
