import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { filesIn, folderWith, prompts, promptsOnScreen, screenLines } from '../helpers/cli.ts'
import { git } from '../helpers/git-repository.ts'
import { testService } from '../helpers/local-service.ts'
import { pinnedProject, servedProject } from '../helpers/pinned-project.ts'

const LINES = Array.from({ length: 12 }, (_, index) => `Rule ${index + 1} stays as it is.`)
const TRIAGE = {
  slug: 'support-triage',
  version: 'v22',
  system: LINES.join('\n'),
  user: 'Dear {{ name }}',
}
const CHANGED = {
  ...TRIAGE,
  version: 'v23',
  model: 'gpt-6',
  temperature: 0.7,
  system: LINES.with(1, 'Rule 2 goes as it is.').with(10, 'Rule 11 stays as it was.').join('\n'),
  user: 'Dear {{ customer_name }}',
}
const SQL = { slug: 'sql-explainer', version: 'v1' }

describe('prompts diff', () => {
  test('shows settings, variables and changed lines with three lines around, and writes nothing', async () => {
    const { cwd, env, service } = await servedProject([TRIAGE, SQL])
    const before = await filesIn(cwd)
    service.serve(CHANGED, SQL)
    const run = await prompts(['diff'], { cwd, env })
    expect(run.code).toBe(0)
    expect(run.stdout).toMatchInlineSnapshot(`
      "~ contract  support-triage  v22 → v23  name → customer_name (renamed?), model gpt-5 → gpt-6, system and user text changed, temperature 0.2 → 0.7

        system
           1   Rule 1 stays as it is.
           2 - Rule 2 stays as it is.
           2 + Rule 2 goes as it is.
           3   Rule 3 stays as it is.
           4   Rule 4 stays as it is.
           5   Rule 5 stays as it is.
             ⋮
           8   Rule 8 stays as it is.
           9   Rule 9 stays as it is.
          10   Rule 10 stays as it is.
          11 - Rule 11 stays as it is.
          11 + Rule 11 stays as it was.
          12   Rule 12 stays as it is.

        user
           1 - Dear {{ name }}
           1 + Dear {{ customer_name }}
      "
    `)
    expect(run.stderr).toContain(
      '\n1 of 2 prompts differs from prompts.lock.json. 2 prompts fetched\n',
    )
    const { json } = await prompts(['diff', '--json'], { cwd, env })
    const effects = [
      { kind: 'variable-renamed', from: 'name', to: 'customer_name' },
      { kind: 'setting', field: 'model', before: 'gpt-5', after: 'gpt-6' },
      { kind: 'text', fields: ['system', 'user'] },
      { kind: 'setting', field: 'temperature', before: 0.2, after: 0.7 },
    ]
    const texts = [{ field: 'system' }, { field: 'user', before: TRIAGE.user, after: CHANGED.user }]
    const { slug } = TRIAGE
    expect(json).toMatchObject({
      lock: join(cwd, 'prompts.lock.json'),
      prompts: [{ slug, kind: 'updated', class: 'contract', effects, texts }],
      unchanged: 1,
      reads: 2,
    })
    expect(await filesIn(cwd)).toStrictEqual(before)
  })

  test('highlights the changed words inside the lines with colours', async () => {
    const { cwd, service } = await servedProject([TRIAGE])
    service.serve({ ...TRIAGE, user: 'Dear {{ customer_name }}' })
    const env = { ...service.live, FORCE_COLOR: '1' }
    const run = await prompts(['diff'], { cwd, env })
    const green = (text: string): string => `\u001b[32m${text}\u001b[39m`
    const marked = `\u001b[32m\u001b[7mcustomer_name\u001b[27m\u001b[39m`
    expect(run.stdout).toContain(`${green('Dear {{ ')}${marked}${green(' }}')}\n`)
  })

  test('prints unified patches with --format patch', async () => {
    const { cwd, env, service } = await servedProject([
      TRIAGE,
      SQL,
      { slug: 'my slug', version: 'v1' },
    ])
    service.serve({ ...CHANGED, system: TRIAGE.system }, { slug: 'fresh', version: 'v1' })
    const { stdout } = await prompts(['diff', '--format', 'patch'], { cwd, env })
    // The tab tells `patch` where a name with spaces ends.
    expect(stdout).toContain('--- a/my slug/system\t\n+++ /dev/null\n')
    const end = '\n\\ No newline at end of file\n'
    expect(stdout).toContain(`--- /dev/null\n+++ b/fresh/system\n@@ -0,0 +1,1 @@\n+Be kind.${end}`)
    expect(stdout).toContain('--- a/sql-explainer/settings\n+++ /dev/null\n@@ -1,4 +0,0 @@\n')
    expect(stdout).toContain('-version: v22\n+version: v23\n folder: support\n-model: gpt-5\n')
    expect(stdout).toContain(`-Dear {{ name }}${end}+Dear {{ customer_name }}${end}`)
  })

  test('shows a text that was written anew in a moment, as replaced, and no line as different that is the same', async () => {
    const lines = (word: string): string =>
      Array.from({ length: 600 }, (_, index) => `${word} ${index * 7919}`).join('\n')
    const { cwd, env, service } = await servedProject([{ ...SQL, system: `same\n${lines('old')}` }])
    service.serve({ ...SQL, system: `same\n${lines('new')}` })
    const { stdout } = await prompts(['diff'], { cwd, env })
    expect(stdout).toMatch(/^ +1 - same\n[^]*^ +1 \+ same$/m)
  })

  test('makes differences visible that nobody sees', async () => {
    const before = 'a\nb c\n\u001b[31mred\nof {{ ticket }}\n{{prénom}}'
    const after = 'a  \nb c\u202e\n\u001b[31mred\r\nof {{\u00a0ticket\u00a0}}\n{{pre\u0301nom}}\n'
    const { cwd, env, service } = await servedProject([{ ...SQL, system: before }])
    service.serve({ ...SQL, system: after, model: 'gpt-5\u200b' })
    const run = await prompts(['diff'], { cwd, env })
    expect(run.stdout).toContain('model gpt-5 → gpt-5⟨U+200B⟩')
    const added = run.stdout.split('\n').filter((line) => /^ +\d+ \+/.test(line))
    expect(added).toEqual([
      '     1 + a··  (only white space differs)',
      '     2 + b c⟨U+202E⟩',
      '     3 + ␛[31mred␍  (only white space differs)',
      '     4 + of {{⟨U+00A0⟩ticket⟨U+00A0⟩}}  (only white space differs)',
      '     5 + {{pre\u0301nom}}  (only the Unicode form of letters differs)',
      '     6 +',
    ])
    const patch = await prompts(['diff', '--format', 'patch'], { cwd, env })
    expect(patch.stdout).toContain('+b c⟨U+202E⟩\n+␛[31mred␍\n')
    expect(patch.stdout).toContain('-model: gpt-5\n+model: gpt-5⟨U+200B⟩\n')
  })

  test('shows lines and spaces at the ends as they are, on the screen and in Markdown', async () => {
    const service = await testService([SQL])
    for (const [before, after, expected] of [
      ['One', 'One\nTwo', '+Two\n'],
      ['One', 'One\nTwo\n', '+Two\n+\n'],
      ['One\n', 'One', '-\n'],
      ['Keep it short now', 'Sort all short now', '-Keep it short now\n+Sort all short now\n'],
    ] as const) {
      service.serve({ ...SQL, system: before })
      const call = { cwd: await pinnedProject(service), env: service.live }
      service.serve({ ...SQL, system: after })
      const run = await prompts(['diff'], call)
      const screen = run.stdout.matchAll(/^ +\d+ ([-+]) ?(.*\n)/gm)
      expect([...screen].map(([, sign, line]) => `${sign}${line}`).join('')).toBe(expected)
      const report = await prompts(['diff', '--format', 'markdown'], call)
      const patch = report.stdout.matchAll(/^[-+](?![-+]).*\n/gm)
      expect([...patch].join('')).toBe(expected)
    }
  })

  test('compares only the given slugs, and asks whether another one was meant', async () => {
    const { cwd, env, service } = await servedProject([TRIAGE, SQL])
    service.serve(CHANGED, { ...SQL, version: 'v2' })
    const run = await prompts(['diff', 'sql-explainer'], { cwd, env })
    expect(run.stdout).toBe('~ settings  sql-explainer  v1 → v2  same text\n')
    expect(service.asked()).toContain('GET /api/v1/prompts/sql-explainer 200')
    expect(service.asked()).not.toContain('GET /api/v1/prompts/support-triage 200')
    service.serve(CHANGED, { ...SQL, version: 'v1' })
    const { stderr } = await prompts(['diff', 'sql-explainer'], { cwd, env })
    expect(stderr).toContain('prompts.lock.json: no difference in 1 text. 1 prompt fetched\n')
    const wrong = await prompts(['diff', 'sql-explain'], { cwd, env })
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toMatch(/SLUG_UNKNOWN[^]*sql-explainer/)
  })

  test('reports that the lock is up to date, with an empty patch, or that there is no lock', async () => {
    const service = await testService([TRIAGE])
    const call = { cwd: await pinnedProject(service), env: service.live }
    const same = await prompts(['diff'], call)
    expect(same).toMatchObject({ code: 0, stdout: '' })
    expect(same.stderr).toContain('\nprompts.lock.json is up to date. 1 prompt fetched\n')
    const { output } = await promptsOnScreen(['diff'], call)
    expect(screenLines(output)[0]).toMatch(/^prompts\.lock\.json is up to date/)
    const path = join(call.cwd, 'a.patch')
    await writeFile(path, 'old')
    await prompts(['diff', '--format', 'patch', '--output', 'a.patch'], call)
    expect(await readFile(path, 'utf8')).toBe('')
    const none = await prompts(['diff'], { ...call, cwd: await folderWith() })
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('LOCK_MISSING') })
  })

  test('writes a patch to a file that applies byte for byte, whichever server runs it', async () => {
    const texts = (end: string): string =>
      `\u202ea\u200b\n::error::b\n##[error]c\n##vso[d]${end}\u202e\u001b[31m\te`
    const hostile = { slug: 'hostile', version: 'v1', system: texts('old') }
    const { cwd, service } = await servedProject([hostile])
    service.serve({ ...hostile, system: texts('new') })
    await mkdir(join(cwd, 'hostile'))
    for (const server of ['GITHUB_ACTIONS', 'TF_BUILD', 'NOT_CI']) {
      const env = { ...service.live, [server]: 'true' }
      const run = await prompts(['diff', '--format', 'patch', '--output', 'a.patch'], { cwd, env })
      expect(run).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('a.patch') })
      await writeFile(join(cwd, 'hostile/system'), texts('old'))
      git(cwd, 'apply', 'a.patch')
      expect(await readFile(join(cwd, 'hostile/system'), 'utf8')).toBe(texts('new'))
    }
  })

  test('shows no key that the answers of the service contain, in files, in colours and at any width', async () => {
    const key = 'sk-lf-8a7b2c3d-1111-4222-8333-944445555666'
    const serve = (text: string, folder: string): Promise<void> =>
      writeFile(
        join(cwd, 'prompts.config.mjs'),
        `const prompt = { slug: 'a', liveVersion: 'v${text.length}', stagingVersion: null, folder: '${folder}' }
        const texts = { systemSource: '${text}', userSource: '' }
        const service = { name: 'Own', secrets: ['OWN_KEY'], list: () => [prompt], get: () => texts }
        export default { service }`,
      )
    const cwd = await folderWith()
    await serve('Use sk-lf-YOUR-KEY here', 'old')
    const env = { OWN_KEY: key }
    expect(await prompts(['pull', '--yes'], { cwd, env })).toMatchObject({ code: 0 })
    await serve(`Use ${key} here`, key)
    const report = ['diff', '--output', 'diff', '--format']
    const outputs: (object | Promise<object>)[] = [
      await prompts(['diff'], { cwd, env: { ...env, FORCE_COLOR: '1' } }),
      await prompts(['diff', '--format', 'markdown'], { cwd, env }),
      ...[40, 50, 60].map((columns) => promptsOnScreen(['diff'], { cwd, env, columns })),
    ]
    for (const format of ['patch', 'markdown']) {
      await prompts([...report, format], { cwd, env })
      outputs.push({ file: await readFile(join(cwd, 'diff'), 'utf8') })
    }
    for (const output of await Promise.all(outputs)) {
      const text = stripVTControlCharacters(Object.values(output).join('\n'))
      expect(text).toContain('[key] here')
      expect(text.replaceAll('&#45;', '-')).not.toMatch(/8a7b|9444|1111/)
    }
  })

  test('names a lost cacheable prefix, which only --fail-on cache refuses', async () => {
    const rules = 'Answer in one sentence.\n'.repeat(200)
    const support = { slug: 'support', version: 'v1', system: `${rules}{{ date }}` }
    const service = await testService([support])
    const call = { cwd: await pinnedProject(service), env: service.live }
    service.serve({ ...support, version: 'v2', system: `Today is {{ date }}.\n${rules}` })
    const words =
      'system text changed, cacheable prefix 4,800 → 9 characters: {{ date }} moved to line 1'
    const lost = { kind: 'cacheable-prefix', before: 4800, after: 9 }
    const changes = [{ class: 'text', effects: [{ kind: 'text' }, lost] }]
    const diff = await prompts(['diff', '--json', '--fail-on', 'cache'], call)
    expect(diff).toMatchObject({ code: 3, json: { prompts: changes } })
    expect((await prompts(['diff', '--fail-on', 'breaking'], call)).code).toBe(0)
    const pull = ['pull', '--dry-run', '--report', 'a.md']
    expect((await prompts(pull, call)).stdout).toContain(words)
    expect(await readFile(join(call.cwd, 'a.md'), 'utf8')).toContain(
      '| system text changed, cacheable',
    )
    expect((await prompts([...pull, '--json'], call)).json).toMatchObject({ changes })
    service.serve({ ...support, version: 'v2', system: `${rules}{{ date }}!` })
    expect((await prompts(['diff', '--fail-on', 'cache'], call)).code).toBe(0)
  })
})
