import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Lock } from '../../../src/core/prompt.ts'
import type { AppLocation } from '../../../src/analysis/app/app.ts'
import { findImpact } from '../../../src/features/usage/impact.ts'
import { findUsage } from '../../../src/features/usage/usage.ts'
import { writeOutDir } from '../../helpers/generated.ts'
import { APP_TSCONFIG, appFolder } from '../../helpers/app-folder.ts'
import { lockOf } from '../../helpers/pinned.ts'

const LIVE = [
  { slug: 'idle', system: 'Nobody reads this' },
  { slug: 'reply', system: 'Answer {{ name }}' },
  { slug: 'triage', system: 'Sort {{ ticket }}' },
]
const draft = { slug: 'triage', version: 'v23', system: 'Sort {{ ticket }} in a {{ tone }} tone' }
const lock = lockOf({ live: LIVE, staging: [draft] })

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
    await writeOutDir(lock, { root, folder })
    return { root, dts: join(root, 'prompts.d.ts') }
  }

  async function brokenLines(after: Lock): Promise<number[]> {
    const { findings } = await findImpact({ ...(await locate()), before: lock, after })
    return findings.map(({ line }) => line)
  }

  test('uses the prompts that it names, each once in a place', async () => {
    const { unused, escapes, prompts } = await findUsage({ ...(await locate()), lock })
    expect({ unused, escapes }).toEqual({ unused: ['idle'], escapes: [] })
    const triage = prompts.find(({ slug }) => slug === 'triage')
    expect(triage?.sites.map(({ line }) => line)).toEqual([4, 4, 5, 6, 7])
  })

  test('breaks where the live version runs if that needs another variable', async () => {
    const triage = { slug: 'triage', version: 'v24', system: 'Sort {{ message }}' }
    const after = lockOf({ live: [...LIVE.slice(0, 2), triage], staging: [draft] })
    expect(await brokenLines(after)).toEqual([5, 7])
  })

  test('breaks where the staging version runs if that needs another variable', async () => {
    const other = { ...draft, version: 'v24', system: 'Sort {{ ticket }} {{ mood }}' }
    expect(await brokenLines(lockOf({ live: LIVE, staging: [other] }))).toEqual([5, 6])
  })

  test('breaks where the draft runs alone if that is discarded', async () => {
    expect(await brokenLines(lockOf({ live: LIVE }))).toEqual([5, 6])
  })

  test('breaks where the live version runs alone if the draft is published', async () => {
    const published = lockOf({ live: [...LIVE.slice(0, 2), draft] })
    expect(await brokenLines(published)).toEqual([7])
  })
})
