import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { prompts } from '../helpers/cli.ts'
import { lockOf } from '../helpers/pinned.ts'
import { servedProject } from '../helpers/pinned-project.ts'
import { openTestProject } from '../helpers/project.ts'

const TRIAGE = {
  slug: 'support-triage',
  version: 'v22',
  system: 'You sort tickets.\nBe {{ tone }}.',
  user: '{{ ticket }}\n{{#if urgent}}',
}

describe('prompts show', () => {
  test('prints settings, variables, numbered texts and notes, without a key', async () => {
    const { cwd } = await servedProject([TRIAGE])
    const run = await prompts(['show', 'support-triage'], { cwd })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.stdout).toMatchInlineSnapshot(`
      "support-triage  v22
        name          prompts.supportTriage
        folder        support
        model         gpt-5
        temperature   0.2
        variables     tone, ticket
        size          59 characters
        cacheable     21 characters

        system
           1  You sort tickets.
           2  Be {{ tone }}.

        user
           1  {{ ticket }}
           2  {{#if urgent}}

      ▲ 1 note. Double braces that aren't variables:
        user 2:1   {{#if urgent}}   is not a variable; it stays as text
      "
    `)
  })

  test('marks the tokens of a text, and shows hostile text by name, on lines of its own', async () => {
    const hostile = { slug: 'odd', version: 'v1', system: '\u001B[2Ja\u202Eb\r\nc' }
    const { cwd } = await servedProject([TRIAGE, hostile])
    const run = await prompts(['show', 'support-triage'], { cwd, env: { FORCE_COLOR: '1' } })
    expect(run.stdout).toContain('Be \u001B[36m{{ tone }}\u001B[39m.')
    expect(run.stdout).not.toContain('\u001B[36m{{#if')
    const odd = await prompts(['show', 'odd'], { cwd })
    expect(odd.stdout).toContain('     1  ␛[2Ja⟨U+202E⟩b\n     2  c\n')
  })

  test('prints the same as JSON, with exact texts, from every folder below the project', async () => {
    const { cwd } = await servedProject([TRIAGE], { 'src/deep/x.ts': '' })
    const call = { cwd: join(cwd, 'src/deep') }
    const run = await prompts(['show', 'support-triage', '--json'], call)
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(run.json).toMatchObject({
      identifier: 'supportTriage',
      variables: ['tone', 'ticket'],
      characters: 59,
      cacheablePrefix: 21,
      lock: join(cwd, 'prompts.lock.json'),
      line: 5,
      system: TRIAGE.system,
      user: TRIAGE.user,
      source: `${TRIAGE.system}\n\n${TRIAGE.user}`,
      notes: [{ field: 'user', line: 2, column: 1, kind: 'foreign', excerpt: '{{#if urgent}}' }],
    })
    const wrong = await prompts(['show', 'suport-triage'], { cwd })
    expect(wrong).toMatchObject({ code: 1, stdout: '' })
    expect(wrong.stderr).toMatch(/SLUG_UNKNOWN[^]*support-triage/)
  })

  test('shows what only staging has, as list does, unless the live view is asked for', async () => {
    const { root: cwd } = await openTestProject({ lock: lockOf({ staging: [{ slug: 's' }] }) })
    const { code, json } = await prompts(['show', 's', '--json'], { cwd })
    expect(code).toBe(0)
    expect(json).toMatchObject({ slug: 's', environment: 'test', identifier: 's' })
    const live = await prompts(['show', 's', '--environment', 'live', '--json'], { cwd })
    expect(live).toMatchObject({ code: 1, json: { error: { code: 'SLUG_UNKNOWN' } } })
  })

  test('says that a version is held and edited, also without a reason', async () => {
    const { cwd } = await servedProject([TRIAGE], { 'text.md': 'Mine' })
    const titleOf = async (): Promise<string> =>
      (await prompts(['show', 'support-triage'], { cwd })).stdout.split('\n')[0] ?? ''
    await prompts(['hold', 'support-triage'], { cwd })
    expect(await titleOf()).toBe('support-triage  v22  held')
    await prompts(['edit', 'support-triage', '--system-file', 'text.md', '--yes'], { cwd })
    expect(await titleOf()).toBe('support-triage  v22-edited  edited here  held')
    await prompts(['hold', 'support-triage', '--reason', 'legal'], { cwd })
    expect(await titleOf()).toBe('support-triage  v22-edited  edited here  held: legal')
    await prompts(['unhold', 'support-triage'], { cwd })
    expect(await titleOf()).toBe('support-triage  v22-edited  edited here')
  })
})
