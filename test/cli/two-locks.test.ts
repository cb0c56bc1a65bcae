import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { APP_TSCONFIG, installTypes } from '../helpers/app-folder.ts'
import { filesIn, prompts, promptsOnScreen } from '../helpers/cli.ts'
import { commitAll, git } from '../helpers/git-repository.ts'
import { testService, type TestService } from '../helpers/local-service.ts'
import { parsedLock } from '../helpers/pinned.ts'
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
async function project(files: Readonly<Record<string, string>> = {}): Promise<Project> {
  const service = await testService([TRIAGE, REPLY])
  const cwd = await pinnedProject(service, files)
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
      staging: { environment: 'test', findings: [{ kind: 'prompt-updated', slug: 'triage' }] },
    })
    const text = await prompts(['check'], { cwd, env: both })
    expect(text.stdout).toMatch(/2 prompts, live[^]*2 prompts, test[^]*prompts.test.lock.json/)
  })

  test('checks the lock without a key offline', async () => {
    const { cwd, service, testOnly } = await project()
    const run = await prompts(['check', '--json'], { cwd, env: testOnly })
    expect(JSON.parse(run.stdout)).toMatchObject({
      ok: true,
      steps: [{ name: 'lock', state: 'ok' }, {}, {}, { name: 'service', state: 'skipped' }],
      staging: {
        ok: true,
        steps: [{ name: 'lock', state: 'ok' }, {}, {}, { name: 'service', state: 'ok' }],
      },
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

describe('prompts pull of two locks', () => {
  const LIVE = { ...REPLY, version: 'v4', system: 'Hello {{ name }}' }
  const STAGING = { version: 'v24', system: 'Order {{ ticket }}' }

  async function labels(cwd: string, file: string): Promise<string[]> {
    const { prompts: pinned } = parsedLock(await readFile(join(cwd, file), 'utf8'))
    return pinned.map(({ slug, version }) => `${slug}@${version}`)
  }

  test('updates both in one report, without what only follows the live lock', async () => {
    const { cwd, service, both } = await project()
    service.serve({ ...TRIAGE, staging: STAGING }, LIVE)
    const run = await prompts(['pull', '--report', 'report.md'], { cwd, env: both })
    expect(run.code).toBe(0)
    expect(run.stdout).toMatchInlineSnapshot(`
      "Live
      ~ text   reply   v3 → v4   system text

      1 text · 1 unchanged

      Staging
      ~ text   triage   v23 → v24   system text

      1 text
      1 other as in the live lock
      "
    `)
    expect(await labels(cwd, 'prompts.lock.json')).toEqual(['reply@v4', 'triage@v22'])
    expect(await labels(cwd, 'prompts.test.lock.json')).toEqual(['reply@v4', 'triage@v24'])
    expect(await readFile(join(cwd, 'report.md'), 'utf8')).toMatchInlineSnapshot(`
      "<!-- unplugin-prompts -->
      ### Prompts: 1 text

      |  | prompt | version | what |
      | --- | --- | --- | --- |
      | text | \`reply\` | \`v3\` → \`v4\` | system text |

      No place in the app stops working.

      <details><summary><code>reply</code></summary>

      \`\`\`diff
      --- system
      +++ system
      @@ -1,1 +1,1 @@
      -Dear {{ name }}
      +Hello {{ name }}
      \`\`\`

      </details>

      ### Prompts, staging: 1 text

      |  | prompt | version | what |
      | --- | --- | --- | --- |
      | text | \`triage\` | \`v23\` → \`v24\` | system text |

      No place in the app stops working.

      <details><summary><code>triage</code></summary>

      \`\`\`diff
      --- system
      +++ system
      @@ -1,1 +1,1 @@
      -Rank {{ ticket }}
      +Order {{ ticket }}
      \`\`\`

      </details>
      "
    `)
  })

  test('prints the pull of the test lock in that of the live lock as JSON', async () => {
    const { cwd, service, both } = await project()
    service.serve({ ...TRIAGE, staging: STAGING }, LIVE)
    const run = await prompts(['pull', '--json'], { cwd, env: both })
    expect(JSON.parse(run.stdout)).toMatchObject({
      environment: 'live',
      outcome: 'written',
      changes: [{ slug: 'reply' }],
      staged: [{ slug: 'triage', version: 'v24' }],
      staging: {
        environment: 'test',
        outcome: 'written',
        changes: [{ slug: 'triage' }],
        following: ['reply'],
        unchanged: 0,
      },
    })
  })

  test('says so when a prompt has no staging version any more', async () => {
    const { cwd, service, both } = await project()
    const { staging: _, ...published } = TRIAGE
    service.serve(published, REPLY)
    const run = await prompts(['pull', '--json'], { cwd, env: both })
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'unchanged',
      staging: { outcome: 'written', changes: [], following: ['triage'] },
    })
    expect(await labels(cwd, 'prompts.test.lock.json')).toEqual(['reply@v3', 'triage@v22'])
  })

  test('updates the lock whose key is there', async () => {
    const { cwd, service, testOnly } = await project()
    service.serve({ ...TRIAGE, staging: STAGING }, LIVE)
    const staging = await prompts(['pull', '--json'], { cwd, env: testOnly })
    expect(JSON.parse(staging.stdout)).toMatchObject({ environment: 'test', outcome: 'written' })
    const live = await prompts(['pull', '--json'], { cwd, env: service.live })
    expect(JSON.parse(live.stdout)).toMatchObject({
      environment: 'live',
      outcome: 'written',
      staged: [{ slug: 'triage', version: 'v24' }],
    })
    expect(JSON.parse(live.stdout)).not.toHaveProperty('staging')
  })

  test('updates one of them if an option selects it, with the key of that environment', async () => {
    const { cwd, service, both } = await project()
    service.serve({ ...TRIAGE, staging: STAGING }, LIVE)
    await prompts(['pull', '--environment', 'test'], { cwd, env: both })
    expect(await labels(cwd, 'prompts.lock.json')).toEqual(['reply@v3', 'triage@v22'])
    expect(await labels(cwd, 'prompts.test.lock.json')).toEqual(['reply@v4', 'triage@v24'])
  })

  test('merges a conflict in either of them', async () => {
    const { cwd, both } = await project()
    const path = join(cwd, 'prompts.test.lock.json')
    const text = await readFile(path, 'utf8')
    const entry = text.slice(text.indexOf('    {'), text.indexOf('    },') + 7)
    const conflict = `<<<<<<< HEAD\n${entry}=======\n${entry}>>>>>>> theirs\n`
    await writeFile(path, text.replace(entry, conflict))
    const run = await prompts(['pull', '--json'], { cwd, env: both })
    expect(JSON.parse(run.stdout)).toMatchObject({ staging: { outcome: 'written' } })
    expect(await readFile(path, 'utf8')).toBe(text)
  })
})

describe('an update of staging that breaks code', () => {
  const NEEDS_TONE = { version: 'v24', system: 'Rank {{ ticket }} by {{ tone }}' }
  const FILES = {
    'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
    'src/main.ts': `import { prompts } from 'virtual:prompts'
import { prompts as staging } from 'virtual:prompts/staging'
export const main = (flag: boolean) =>
  (flag ? staging.triage : prompts.triage).render({ ticket: '' })
`,
  }
  const PLACE = { file: 'src/main.ts', line: 4, slug: 'triage' }

  async function breaking(): Promise<Project> {
    const given = await project(FILES)
    await installTypes(given.cwd)
    given.service.serve({ ...TRIAGE, staging: NEEDS_TONE }, { ...REPLY, version: 'v4' })
    return given
  }

  test('writes neither lock without a terminal, and --yes writes both', async () => {
    const { cwd, both } = await breaking()
    const before = await filesIn(cwd)
    const run = await prompts(['pull', '--json'], { cwd, env: both })
    expect(run.code).toBe(3)
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'declined',
      impact: [],
      staging: { outcome: 'declined', impact: [PLACE], changes: [{ class: 'breaking' }] },
    })
    expect(await filesIn(cwd)).toEqual(before)
    await prompts(['pull', '--yes'], { cwd, env: both })
    const check = await prompts(['check', '--offline', '--impact', '--json'], { cwd })
    expect(JSON.parse(check.stdout)).toMatchObject({ ok: false, impact: [PLACE] })
  })

  test('is no reason to edit calls, which the live lock has as they are', async () => {
    const { cwd, both } = await breaking()
    const steps = [{ await: 'What now?', send: '\r' }]
    const { code, output } = await promptsOnScreen(['pull'], { cwd, env: both, steps })
    expect(code).toBe(3)
    expect(output).toContain("Take what doesn't break")
    expect(output).not.toContain('Fix call sites')
  })

  test.each([[['--skip-breaking']], [['--fix', '--allow-dirty']]])(
    'is left by %j, and the live update is taken',
    async (options) => {
      const { cwd, both } = await breaking()
      const run = await prompts(['pull', ...options, '--json'], { cwd, env: both })
      expect(JSON.parse(run.stdout)).toMatchObject({
        outcome: 'written',
        changes: [{ slug: 'reply' }],
        staging: {
          outcome: 'written',
          skipped: [{ slug: 'triage', class: 'breaking' }],
          following: ['reply'],
        },
      })
    },
  )

  test('does not break code for a live prompt that is pulled with it', async () => {
    const { cwd, service, both } = await breaking()
    const live = { ...TRIAGE, ...NEEDS_TONE, staging: { ...NEEDS_TONE, version: 'v25' } }
    service.serve(live, REPLY)
    const file = join(cwd, 'src/main.ts')
    await writeFile(file, FILES['src/main.ts'].replace("ticket: ''", "ticket: '', tone: ''"))
    const run = await prompts(['pull', '--json'], { cwd, env: both })
    expect(JSON.parse(run.stdout)).toMatchObject({ staging: { impact: [] } })
  })
})

describe('prompts that have a staging version', () => {
  test('are named by list --updates and the report of a pull with a live key', async () => {
    const { cwd, service } = await project()
    const call = { cwd, env: service.live }
    const list = await prompts(['list', '--updates'], call)
    expect(list.stdout).toContain('1 prompt has a staging version:\n  triage   v23\n')
    await prompts(['pull', '--report', 'report.md'], call)
    expect(await readFile(join(cwd, 'report.md'), 'utf8')).toMatch(
      /Staging versions[^]*triage.*v23/,
    )
  })

  test('are not named if the staging version is published', async () => {
    const { cwd, service } = await project()
    service.serve({ ...TRIAGE, staging: { ...TRIAGE.staging, version: TRIAGE.version } }, REPLY)
    const run = await prompts(['list', '--updates', '--json'], { cwd, env: service.live })
    expect(JSON.parse(run.stdout)).toMatchObject({ staged: [] })
  })
})

describe('prompts diff --base of two locks', () => {
  async function branch(): Promise<string> {
    const { cwd, service, both } = await project({ '.gitignore': '*.d.ts*\n' })
    commitAll(cwd)
    git(cwd, 'branch', 'base')
    const staging = { version: 'v24', system: 'Order {{ ticket }}' }
    service.serve({ ...TRIAGE, staging }, { ...REPLY, version: 'v4', system: 'Hello {{ name }}' })
    await prompts(['pull', '--yes'], { cwd, env: both })
    return cwd
  }

  test('shows what each changes, without what only follows the live lock', async () => {
    const cwd = await branch()
    const run = await prompts(['diff', '--base', 'base'], { cwd })
    expect(run.stdout).toMatchInlineSnapshot(`
      "Live

      ~ text  reply  v3 → v4  system text

        system
           1 - Dear {{ name }}
           1 + Hello {{ name }}

      Staging

      ~ text  triage  v23 → v24  system text

        system
           1 - Rank {{ ticket }}
           1 + Order {{ ticket }}
      "
    `)
    expect(run.stderr).toContain('prompts.test.lock.json at base')
    const json = await prompts(['diff', '--base', 'base', '--json'], { cwd })
    expect(JSON.parse(json.stdout)).toMatchObject({
      prompts: [{ slug: 'reply' }],
      staging: { environment: { after: 'test' }, prompts: [{ slug: 'triage' }] },
    })
  })

  test('is one comment for a pull request, and one gate', async () => {
    const cwd = await branch()
    const args = ['diff', '--base', 'base', '--format', 'markdown', '--fail-on', 'any']
    const run = await prompts(args, { cwd })
    expect(run.code).toBe(3)
    expect(run.stdout.match(/^(?:<!--|###).*/gm)).toEqual([
      '<!-- unplugin-prompts -->',
      '### Prompts: 1 text',
      '### Prompts, staging: 1 text',
    ])
  })
})

describe('holds of two locks', () => {
  test('are recorded and released in both, and restored texts too', async () => {
    const { cwd, service, both } = await project({ '.gitignore': '*.d.ts*\n' })
    commitAll(cwd)
    const held = await prompts(['hold', 'triage', '--reason', 'Wait', '--json'], { cwd })
    const entry = { slug: 'triage', reason: 'Wait' }
    expect(JSON.parse(held.stdout)).toMatchObject({
      held: [{ ...entry, version: 'v22' }],
      staging: { outcome: 'written', held: [{ ...entry, version: 'v23' }] },
    })
    const released = await prompts(['release', 'triage', '--json'], { cwd })
    expect(JSON.parse(released.stdout)).toMatchObject({
      released: ['triage'],
      staging: { released: ['triage'] },
    })
    service.serve({ ...TRIAGE, version: 'v30', staging: { version: 'v31' } }, REPLY)
    await prompts(['pull', '--yes'], { cwd, env: both })
    const args = ['restore', 'triage', '--from', 'HEAD', '--json']
    expect(await prompts(args, { cwd })).toMatchObject({ code: 3 })
    const run = await prompts([...args, '--yes'], { cwd })
    expect(JSON.parse(run.stdout)).toMatchObject({
      outcome: 'written',
      held: [{ version: 'v22' }],
      staging: { outcome: 'written', held: [{ version: 'v23' }] },
    })
  })

  test('are recorded in the lock that has the prompt', async () => {
    const { cwd, service, both } = await project()
    service.serve(TRIAGE)
    await prompts(['pull', '--environment', 'test'], { cwd, env: both })
    const run = await prompts(['hold', 'reply', 'triage', '--json'], { cwd })
    expect(JSON.parse(run.stdout)).toMatchObject({
      held: [{ slug: 'reply' }, { slug: 'triage' }],
      staging: { held: [{ slug: 'triage' }] },
    })
    const unknown = await prompts(['hold', 'nobody', '--json'], { cwd })
    expect(JSON.parse(unknown.stdout)).toMatchObject({ error: { code: 'SLUG_UNKNOWN' } })
    const live = await prompts(['release', 'triage', '--environment', 'live', '--json'], { cwd })
    expect(JSON.parse(live.stdout)).not.toHaveProperty('staging')
  })

  test.each([
    ['hold', ['hold', 'triage']],
    ['restore', ['restore', 'triage', '--from', 'HEAD', '--yes']],
  ])('and of %s are in both locks or none', async (_command, args) => {
    const { cwd } = await project({ '.gitignore': '*.d.ts*\n' })
    commitAll(cwd)
    const live = join(cwd, 'prompts.lock.json')
    const staging = join(cwd, 'prompts.test.lock.json')
    const before = await readFile(live, 'utf8')
    // A link out of the project can be read, and is not written.
    await rename(staging, `${cwd}.json`)
    await symlink(`${cwd}.json`, staging)
    onTestFinished(() => rm(`${cwd}.json`))
    const run = await prompts([...args, '--json'], { cwd })
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'FILE_UNWRITABLE' } })
    expect(await readFile(live, 'utf8')).toBe(before)
  })
})

test('a pull undoes the live lock if the test lock has changed meanwhile', async () => {
  const { cwd, service, both } = await project()
  const before = await filesIn(cwd)
  service.serve(
    { ...TRIAGE, version: 'v30', staging: { ...TRIAGE.staging, version: 'v31' } },
    REPLY,
  )
  // The report is written between reading the locks and writing them.
  const args = ['pull', '--yes', '--json', '--report', 'prompts.test.lock.json']
  const run = await prompts(args, { cwd, env: both })
  expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'LOCK_CHANGED' } })
  const report: unknown = expect.stringContaining('v31')
  expect(await filesIn(cwd)).toEqual({ ...before, 'prompts.test.lock.json': report })
})
