import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { APP_TSCONFIG, installTypes } from '../helpers/app-folder.ts'
import { filesIn, prompts } from '../helpers/cli.ts'
import { testService, type TestService } from '../helpers/local-service.ts'
import { pinnedProject } from '../helpers/pinned-project.ts'

const REPLY = { slug: 'reply', version: 'v3', system: 'Dear {{ name }}' }
const TRIAGE = { slug: 'triage', version: 'v22', system: 'Sort {{ ticket }}' }
const NEW_TRIAGE = { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} by {{ tone }}' }
/** A command of a CI system, which stdout shows escaped. */
const NEW_REPLY = { ...REPLY, version: 'v4', system: 'Hi {{ name }}\n::error::no' }

const FILES = {
  'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
  'src/main.ts': `import { prompts } from 'virtual:prompts'
prompts.triage.render({ ticket: '' })
prompts.reply.render({ name: '' })
`,
}

async function changedService(): Promise<{ cwd: string; service: TestService }> {
  const service = await testService([REPLY, TRIAGE])
  const cwd = await pinnedProject(service, FILES)
  await installTypes(cwd)
  service.serve(NEW_REPLY, NEW_TRIAGE)
  return { cwd, service }
}

const reportIn = (cwd: string): Promise<string> => readFile(join(cwd, 'report.md'), 'utf8')

describe('prompts pull --report', () => {
  test.each(['--yes --json', '--dry-run'])(
    'writes the bytes of diff --impact --format markdown, from one read: %s',
    async (options) => {
      const { cwd, service } = await changedService()
      const call = { cwd, env: service.live }
      await prompts(['diff', '--impact', '--format', 'markdown', '--output', 'diff.md'], call)
      service.forget()
      const run = await prompts(['pull', '--report', 'report.md', ...options.split(' ')], call)
      expect(run.code).toBe(0)
      expect(await reportIn(cwd)).toBe(await readFile(join(cwd, 'diff.md'), 'utf8'))
      expect(await reportIn(cwd)).toContain('\n+::error::no\n')
      expect(service.asked().toSorted()).toEqual([
        'GET /api/v1/prompts 200',
        'GET /api/v1/prompts 200',
        'GET /api/v1/prompts/reply 200',
        'GET /api/v1/prompts/triage 200',
      ])
      if (options.includes('--json'))
        expect(JSON.parse(run.stdout)).toMatchObject({ outcome: 'written' })
    },
  )

  test('writes the report of a pull that is refused because the app breaks', async () => {
    const { cwd, service } = await changedService()
    const before = await filesIn(cwd)
    const call = { cwd, env: service.live }
    expect((await prompts(['pull', '--report', 'report.md'], call)).code).toBe(3)
    const { 'report.md': report, ...rest } = await filesIn(cwd)
    expect(rest).toEqual(before)
    expect(report).toContain('**1 place stops working**')
  })

  test('writes what a dry run with --skip-breaking would leave, and nothing else', async () => {
    const { cwd, service } = await changedService()
    const before = await filesIn(cwd)
    const args = ['pull', '--skip-breaking', '--dry-run', '--report', 'report.md']
    expect((await prompts(args, { cwd, env: service.live })).code).toBe(0)
    const { 'report.md': report, ...rest } = await filesIn(cwd)
    expect(rest).toEqual(before)
    expect(report).toMatch(/^<!-- unplugin-prompts -->\n### Prompts: 1 text\n/)
    expect(report).toContain('**Left as pinned**')
  })

  test('replaces an older report if nothing has changed', async () => {
    const { cwd, service } = await changedService()
    const call = { cwd, env: service.live }
    await prompts(['pull', '--yes', '--report', 'report.md'], call)
    await prompts(['pull', '--yes', '--report', 'report.md'], call)
    expect(await reportIn(cwd)).toMatch(
      /^<!-- unplugin-prompts -->\n### Prompts: nothing changed\n/,
    )
  })
})
