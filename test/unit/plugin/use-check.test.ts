import { join } from 'node:path'
import { expect, test } from 'vitest'
import { planModule } from '../../../src/codegen/plan-module.ts'
import { checkUse } from '../../../src/plugin/use-check.ts'
import { fakeContext, fakeProject } from '../../helpers/fake-project.ts'
import { liveLock } from '../../helpers/pinned.ts'
import { rejection } from '../../helpers/service-client.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

/** What is said of a name that no prompt has, in the code of a module. */
async function problemsOf(name: string, code: string, file = 'src/in.js'): Promise<unknown> {
  const root = await temporaryFolder({ [file]: code })
  const path = join(root, file)
  const plan = planModule(liveLock({ slug: 'a-b' }, { slug: 'a.b' }), 'live')
  const { project } = fakeProject({ root })
  const context = fakeContext({ root })
  const check = { project, snapshot: { plan }, context, warn: String }
  const importer = { path, module: { kind: 'entry', staging: false } } as const
  const names = new Set([name])
  const { details } = await rejection(
    checkUse(check as unknown as Parameters<typeof checkUse>[0], importer, { use: names, names }),
  )
  return (details as { readonly problems?: unknown }).problems
}

test.each([
  ['const config = { gone: 1, a: 2 }\nconfig.gone\nprompts.gone', ':3:9'],
  ["const config = { gone: 1 }\nprompts?.['gone'].slug", ':2:12'],
  ["import { prompts as p } from 'virtual:prompts'\nf({ gone: 1 }, p.gone, p.gone)", ':2:18'],
  ["import * as all from 'virtual:prompts/all'\nf({ gone: 1 }, all.gone)", ':2:20'],
  ['const { gone } = prompts', ':1:9'],
  // Which of the two is a name of a prompt, only a parser knows.
  ['const config = { gone: 1 }, { gone } = prompts', ''],
])('in %j, a name that no prompt has is at %j', async (code, at) => {
  expect(await problemsOf('gone', code)).toEqual([`src/in.js${at} gone.`])
})

test('a name that several prompts would have is none, with their slugs as the way out', async () => {
  const problems = [expect.stringMatching(/^src\/in\.js:1:9 aB\. .*a-b and a\.b: use the slug/)]
  expect(await problemsOf('aB', 'prompts.aB')).toEqual(problems)
})

test.each(['c#/in.js', 'src/#a/b#.js'])('a file %s is named as a whole', async (file) => {
  expect(await problemsOf('gone', 'prompts.gone', file)).toEqual([`${file}:1:9 gone.`])
})
