import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Lock, PinnedPrompt } from '../../../src/core/prompt.ts'
import type { AppLocation } from '../../../src/judge/app.ts'
import { findImpact, findUsage } from '../../../src/judge/impact.ts'
import { writeOutDir } from '../../helpers/generated.ts'
import { APP_TSCONFIG, locatedApp, unusedIn } from '../../helpers/app-folder.ts'
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
    const location = await locatedApp({ 'tsconfig.json': APP_TSCONFIG, 'src/main.ts': code })
    const { root } = location
    await writeOutDir(lock, { root, folder: join(root, 'prompts') })
    return location
  }

  test('uses the prompts that it names, each once in a place', async () => {
    const report = await findUsage({ ...(await locate()), lock })
    expect([unusedIn(report), report.escapes]).toEqual([['idle'], []])
    const triage = report.prompts.find(({ slug }) => slug === 'triage')
    expect(triage?.sites.map(({ line }) => line)).toEqual([4, 4, 5, 6, 7])
  })

  const other = (version: Partial<PinnedPrompt>) => [...LIVE.slice(0, 2), version]

  test.each<[title: string, after: Lock, lines: readonly number[]]>([
    [
      'the live version runs if that needs another variable',
      lockOf({
        live: other({ slug: 'triage', version: 'v24', system: 'Sort {{ message }}' }),
        staging: [draft],
      }),
      [5, 7],
    ],
    [
      'the staging version runs if that needs another variable',
      lockOf({
        live: LIVE,
        staging: [{ ...draft, version: 'v24', system: 'Sort {{ ticket }} {{ mood }}' }],
      }),
      [5, 6],
    ],
    ['the draft runs alone if that is discarded', lockOf({ live: LIVE }), [5, 6]],
    ['the live version runs alone if the draft is published', lockOf({ live: other(draft) }), [7]],
  ])('breaks where %s', async (__, after, lines) => {
    const { findings } = await findImpact({ ...(await locate()), before: lock, after })
    expect(findings.map(({ line }) => line)).toEqual(lines)
  })
})
