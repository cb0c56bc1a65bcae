import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { prompts, promptsOnScreen, transcript } from '../helpers/cli.ts'
import { testService } from '../helpers/local-service.ts'
import { pinnedProject, servedProject } from '../helpers/pinned-project.ts'

const TRIAGE = { slug: 'support-triage', version: 'v22', user: '{{ ticket }} {{ tone }}' }
const REPLY = { slug: 'support-reply', version: 'v3', user: 'Dear {{ name }}' }
const SQL = {
  slug: 'sql-explainer',
  folder: 'engineering',
  version: 'v1',
  system: '字'.repeat(1200),
}

describe('prompts list', () => {
  test('cuts a slug that is wider than the terminal, and keeps the versions', async () => {
    const long = { ...REPLY, slug: `support-${'x'.repeat(90)}` }
    const cwd = await pinnedProject(await testService([TRIAGE, long]))
    const { output } = await promptsOnScreen(['list'], { cwd, columns: 80 })
    const lines = stripVTControlCharacters(output).split('\n')
    const ends = lines.filter((line) => line.startsWith('  support-'))
    expect(ends).toEqual([
      expect.stringMatching(/^  support-triage +v22 +gpt-5 +ticket, tone$/),
      expect.stringMatching(/^  support-x+… {3}v3 +gpt-5 +name$/),
    ])
  })

  test('aligns versions, models and variables by folder, without a key or a network', async () => {
    const cwd = await pinnedProject(await testService([TRIAGE, REPLY, SQL]))
    const run = await prompts(['list'], { cwd })
    expect(run.code).toBe(0)
    expect(run.stdout).toContain('\n\nsupport\n  support-reply    v3        gpt-5   name\n')
    expect(transcript({ ...run, stdout: '' }, cwd)).toMatchSnapshot()
  })

  test('marks with --updates what the service has changed, with one list request', async () => {
    const { cwd, env, service } = await servedProject([
      TRIAGE,
      REPLY,
      SQL,
      { slug: 'gone', version: 'v1' },
    ])
    service.serve(
      { ...TRIAGE, version: 'v23' },
      { ...REPLY, model: 'gpt-6', folder: 'inbox' },
      SQL,
      { slug: 'fresh', version: 'v1' },
    )
    const run = await prompts(['list', '--updates'], { cwd, env })
    expect(run.stdout).toMatchInlineSnapshot(`
      "  prompt           version                model   variables
      engineering
        sql-explainer    v1                     gpt-5

      support
      + fresh            v1                     gpt-5   not pinned yet
      - gone             v1 → gone              gpt-5
      ~ support-reply    v3 → (model, folder)   gpt-5   name
      ~ support-triage   v22 → v23              gpt-5   ticket, tone
      "
    `)
    expect(transcript({ ...run, stdout: '' }, cwd)).toMatchSnapshot()
    expect(service.asked()).toStrictEqual(['GET /api/v1/prompts 200'])
  })

  test('counts with --updates what waits, also none or one, and what moves to another folder', async () => {
    const service = await testService([TRIAGE])
    const call = { cwd: await pinnedProject(service), env: service.live }
    const none = await prompts(['list', '--updates'], call)
    expect(transcript({ ...none, stdout: '' }, call.cwd)).toMatchSnapshot()
    service.serve({ ...TRIAGE, folder: 'inbox' })
    for (const glob of ['support/*', 'inbox/*']) {
      const run = await prompts(['list', glob, '--updates'], call)
      expect(run.stdout).toContain('~ support-triage   v22 → (folder)')
      expect(run.stderr).toContain('1 waiting: prompts diff shows it, prompts pull takes it')
    }
  })

  test('prints the same as JSON, with updates only on request', async () => {
    const { cwd, env, service } = await servedProject([TRIAGE, { slug: 'default', version: 'v1' }])
    service.serve({ ...TRIAGE, version: 'v23' }, { slug: 'fresh', version: 'v1' })
    const triage = {
      slug: 'support-triage',
      identifier: 'supportTriage',
      folder: 'support',
      model: 'gpt-5',
      temperature: 0.2,
      version: 'v22',
      variables: ['ticket', 'tone'],
      characters: 31,
    }
    const plain = await prompts(['list', '--json'], { cwd })
    expect(plain).toMatchObject({ code: 0, stderr: '' })
    expect(plain.json).toMatchObject({
      environment: 'live',
      lock: join(cwd, 'prompts.lock.json'),
      prompts: [{ slug: 'default', identifier: null }, triage],
    })
    expect(plain.stdout).not.toContain('update')
    const asked = await prompts(['list', '--json', '--updates'], { cwd, env })
    const listed = { folder: 'support', model: 'gpt-5' }
    expect(asked.json).toMatchObject({
      prompts: [
        { slug: 'default', update: { kind: 'removed' } },
        { ...triage, update: { kind: 'updated', version: { before: 'v22', after: 'v23' } } },
      ],
      added: [{ slug: 'fresh', ...listed, version: 'v1' }],
    })
  })

  test('lists only what matches the globs, and suggests a slug if nothing does', async () => {
    const service = await testService([TRIAGE, REPLY, SQL])
    const call = { cwd: await pinnedProject(service), env: service.live }
    for (const { globs, slugs } of [
      { globs: ['support-*'], slugs: ['support-reply', 'support-triage'] },
      { globs: ['engineering/**'], slugs: ['sql-explainer'] },
      { globs: ['sql-explainer', '*-reply'], slugs: ['sql-explainer', 'support-reply'] },
    ]) {
      const { json } = await prompts(['list', ...globs, '--json'], call)
      expect(json.prompts.map(({ slug }: { slug: string }) => slug)).toEqual(slugs)
    }
    const run = await prompts(['list', 'suport-triage'], call)
    expect(run).toMatchObject({ code: 1, stdout: '' })
    expect(run.stderr).toMatch(/SLUG_UNKNOWN[^]*Did you mean support-triage\?/)
    service.serve({ ...TRIAGE, version: 'v23' }, REPLY, SQL, { slug: 'fresh', version: 'v1' })
    const { json } = await prompts(['list', 'fresh', '--updates', '--json'], call)
    expect(json).toMatchObject({ prompts: [], added: [{ slug: 'fresh' }] })
  })

  test('names with --updates and a glob only unlisted versions of what matches', async () => {
    const service = await testService([
      { ...TRIAGE, staging: { version: 'v23' } },
      { ...SQL, staging: { version: 'v2' } },
    ])
    const cwd = await pinnedProject(service)
    const listed = async (env: Readonly<Record<string, string>>): Promise<unknown> =>
      (await prompts(['list', 'sql-*', '--updates', '--json'], { cwd, env })).json
    const { slug } = SQL
    expect(await listed(service.both)).toMatchObject({ unlisted: [{ slug }], kept: [] })
    expect(await listed(service.live)).toMatchObject({ unlisted: [], kept: [{ slug }] })
  })
})
