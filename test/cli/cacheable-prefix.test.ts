import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { prompts } from '../helpers/cli.ts'
import { testService, type TestService } from '../helpers/local-service.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'

const RULES = 'Answer in one sentence.\n'.repeat(200)
const SUPPORT = {
  slug: 'support',
  version: 'v1',
  system: `${RULES}{{ date }}`,
  user: '{{ ticket }}',
}
const MOVED = { ...SUPPORT, version: 'v2', system: `Today is {{ date }}.\n${RULES}` }
const WORDS = 'cacheable prefix 4,800 → 9 characters: '

async function changed(): Promise<{ cwd: string; service: TestService }> {
  const service = await testService([SUPPORT])
  const cwd = await pinnedProject(service)
  service.serve(MOVED)
  return { cwd, service }
}

describe('a change that loses the cacheable prefix', () => {
  test.each([['pull', '--dry-run'], ['diff']])('is named by %s %s', async (...args) => {
    const { cwd, service } = await changed()
    const given = args.filter((arg) => arg !== undefined)
    const run = await prompts(given, { cwd, env: service.live })
    expect(run.code).toBe(0)
    expect(run.stdout).toContain(`system text, ${WORDS}{{ date }} moved to line 1`)
    const json = await prompts([...given, '--json'], { cwd, env: service.live })
    const answer = JSON.parse(json.stdout)
    expect(answer.changes ?? answer.prompts).toMatchObject([
      {
        class: 'text',
        effects: [{ kind: 'text' }, { kind: 'cacheable-prefix', before: 4800, after: 9 }],
      },
    ])
  })

  test('is named in the report for a pull request', async () => {
    const { cwd, service } = await changed()
    await prompts(['pull', '--report', 'report.md'], { cwd, env: service.live })
    expect(await readFile(join(cwd, 'report.md'), 'utf8')).toContain(`| system text, ${WORDS}`)
  })

  test('makes diff --fail-on cache exit with 3, and nothing else does', async () => {
    const { cwd, service } = await changed()
    const diff = (failOn: string): ReturnType<typeof prompts> =>
      prompts(['diff', '--impact', '--fail-on', failOn], { cwd, env: service.live })
    expect((await diff('cache')).code).toBe(3)
    expect((await diff('breaking')).code).toBe(0)
    service.serve({ ...SUPPORT, version: 'v2', system: `${RULES}{{ date }}!` })
    expect((await diff('cache')).code).toBe(0)
  })
})
