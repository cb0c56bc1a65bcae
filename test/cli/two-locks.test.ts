import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { prompts } from '../helpers/cli.ts'
import { testService, type TestService } from '../helpers/local-service.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'

const TRIAGE = {
  slug: 'triage',
  version: 'v22',
  system: 'Sort {{ ticket }}',
  staging: { version: 'v23', system: 'Rank {{ ticket }}' },
}
const REPLY = { slug: 'reply', version: 'v3', system: 'Dear {{ name }}' }

interface Project {
  readonly cwd: string
  readonly service: TestService
  /** Variables with both keys. */
  readonly both: Record<string, string>
  /** Variables with the test key alone, next to where a live key would be. */
  readonly testOnly: Record<string, string>
}

/** A project with a live and a test lock. */
async function project(): Promise<Project> {
  const service = await testService([TRIAGE, REPLY])
  const cwd = await pinnedProject(service)
  const { PROMPTS_API_KEY: key = '', ...address } = service.test as Record<string, string>
  const both = { ...service.live, PROMPTS_TEST_API_KEY: key }
  await prompts(['pull', '--environment', 'test'], { cwd, env: both })
  service.forget()
  return { cwd, service, both, testOnly: { ...address, PROMPTS_TEST_API_KEY: key } }
}

describe('prompts check of two locks', () => {
  test('checks both, each with its key', async () => {
    const { cwd, service, both } = await project()
    service.serve({ ...TRIAGE, staging: { ...TRIAGE.staging, version: 'v24' } }, REPLY)
    const run = await prompts(['check', '--json'], { cwd, env: both })
    expect(run.code).toBe(3)
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: false,
      environment: 'live',
      findings: [],
      staging: { environment: 'test', findings: [{ kind: 'prompt-changed', slug: 'triage' }] },
    })
    const text = await prompts(['check'], { cwd, env: both })
    expect(text.stdout).toMatch(/2 prompts, live[^]*2 prompts, test[^]*prompts.test.lock.json/)
  })

  test('checks the lock without a key offline', async () => {
    const { cwd, service, testOnly } = await project()
    const run = await prompts(['check', '--json'], { cwd, env: testOnly })
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: true,
      steps: { lock: 'fine', service: 'skipped' },
      staging: { ok: true, steps: { lock: 'fine', service: 'fine' } },
    })
    expect(service.asked()).toEqual(['GET /api/v1/prompts 200'])
  })

  test('finds an edited test lock, unless an option selects the live one', async () => {
    const { cwd } = await project()
    const path = join(cwd, 'prompts.test.lock.json')
    await writeFile(path, (await readFile(path, 'utf8')).replace('Rank', 'Sort'))
    const run = await prompts(['check', '--offline', '--json'], { cwd })
    expect(run.code).toBe(1)
    expect(JSON.parse(run.stdout)).toMatchObject({
      findings: [],
      staging: { findings: [{ kind: 'lock-broken', slug: 'triage' }] },
    })
    const live = await prompts(['check', '--offline', '--environment', 'live'], { cwd })
    expect(live.code).toBe(0)
  })
})
