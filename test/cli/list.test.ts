import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { prompts, promptsOnScreen } from '../helpers/cli.ts'
import { servedProject } from '../helpers/pinned-project.ts'
import { lockOf } from '../helpers/pinned.ts'
import { openTestProject } from '../helpers/project.ts'

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
    const { cwd } = await servedProject([TRIAGE, long])
    const { output } = await promptsOnScreen(['list'], { cwd, columns: 80 })
    const lines = stripVTControlCharacters(output).split('\n')
    const ends = lines.filter((line) => line.startsWith('  support-'))
    expect(ends).toEqual([
      expect.stringMatching(/^  support-triage +v22 +gpt-5 +ticket, tone$/),
      expect.stringMatching(/^  support-x+… {3}v3 +gpt-5 +name$/),
    ])
  })

  test('lists a prompt of which only the staging version is pinned, as check counts it', async () => {
    const reply = { ...REPLY, staging: { version: 'v4' } }
    const files = { 'prompts.config.json': '{ "environment": "test" }' }
    const { cwd } = await servedProject([TRIAGE, reply], files, 'test')
    await rm(join(cwd, 'prompts.config.json'))
    const { json } = await prompts(['list', '--json'], { cwd })
    const listed = { slug: REPLY.slug, environment: 'test', version: 'v4', identifier: null }
    expect(json).toMatchObject({ environment: 'live', prompts: [listed, { slug: TRIAGE.slug }] })
    expect((await prompts(['list', 'support-r*'], { cwd })).stdout).toContain('(staging)')
  })

  test('aligns versions, models and variables by folder, without a key or a network', async () => {
    const { cwd } = await servedProject([TRIAGE, REPLY, SQL])
    const run = await prompts(['list'], { cwd })
    expect(run.code).toBe(0)
    expect(run.stdout).toContain('\n\nsupport\n  support-reply    v3        gpt-5   name\n')
    expect(run.stderr).toBe(`\n3 prompts · live · prompts.lock.json\n`)
  })

  test('prints the same as JSON', async () => {
    const { cwd } = await servedProject([TRIAGE, { slug: 'default', version: 'v1' }])
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
  })

  test('has the same prompts with --usage: those of the view that is asked for', async () => {
    const lock = lockOf({ live: [{ slug: 'live' }], staging: [{ slug: 'staged' }] })
    const { root: cwd } = await openTestProject({ lock })
    for (const [slugs, ...args] of [
      [['live', 'staged']],
      [['live'], '--environment', 'live'],
    ] as const) {
      const { json } = await prompts(['list', '--usage', '--json', ...args], { cwd })
      const listed = slugs.map((slug) => ({ slug }))
      expect(json).toMatchObject({ prompts: listed, usage: { prompts: listed } })
    }
  })

  test('names held and edited versions of both views, and show that beside the one that it shows', async () => {
    const staging = [
      { slug: 'a', version: 's1-edited' },
      { slug: 'b', version: 's2', held: { reason: 'Legal' } },
    ]
    const lock = lockOf({ live: [{ slug: 'a' }, { slug: 'b' }], staging })
    const { root: cwd } = await openTestProject({ lock })
    const { stdout } = await prompts(['list'], { cwd })
    expect(stdout).toMatch(/1 version held.*\n +b \(staging\) +s2 +Legal\n/)
    expect(stdout).toMatch(/1 prompt edited here.*\n +a \(staging\) +s1-edited\n/)
    expect((await prompts(['list', 'a'], { cwd })).stdout).not.toContain('held')
    const shown = await prompts(['show', 'b'], { cwd })
    expect(shown.stdout).toMatch(/1 version held.*\n +b \(staging\) +s2 +Legal\n/)
    expect((await prompts(['show', 'a'], { cwd })).stdout).toMatch(/edited here.*\n +a \(staging\)/)
  })

  test('lists only what matches the globs, and suggests a slug if nothing does', async () => {
    const { cwd } = await servedProject([TRIAGE, REPLY, SQL])
    for (const { globs, slugs } of [
      { globs: ['support-*'], slugs: ['support-reply', 'support-triage'] },
      { globs: ['engineering/**'], slugs: ['sql-explainer'] },
      { globs: ['sql-explainer', '*-reply'], slugs: ['sql-explainer', 'support-reply'] },
    ]) {
      const { json } = await prompts(['list', ...globs, '--json'], { cwd })
      expect(json.prompts.map(({ slug }: { slug: string }) => slug)).toEqual(slugs)
    }
    for (const glob of ['', '!support-*'])
      expect(await prompts(['list', glob], { cwd })).toMatchObject({ code: 2, stdout: '' })
    const run = await prompts(['list', 'suport-triage'], { cwd })
    expect(run).toMatchObject({ code: 1, stdout: '' })
    expect(run.stderr).toMatch(/SLUG_UNKNOWN[^]*Did you mean support-triage\?/)
  })
})
