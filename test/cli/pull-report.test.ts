import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPLY, TRIAGE } from '../helpers/breaking-update.ts'
import { filesIn, prompts } from '../helpers/cli.ts'
import { APP_TSCONFIG, installTypes } from '../helpers/app-folder.ts'
import { commitAll } from '../helpers/git-repository.ts'
import { testService } from '../helpers/local-service.ts'
import { type AppWithPrompts, appWithPrompts, pinnedProject } from '../helpers/pinned-project.ts'

const NEW_TRIAGE = { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} by {{ tone }}' }
/** A command of a CI system, which stdout shows escaped. */
const NEW_REPLY = { ...REPLY, version: 'v4', system: 'Hi {{ name }}\n::error::no' }

const REPORT = ['pull', '--report', 'report.md']

async function appWithUpdate(): Promise<AppWithPrompts> {
  const code = "prompts.triage.render({ ticket: '' })\nprompts.reply.render({ name: '' })"
  const app = await appWithPrompts([REPLY, TRIAGE], code)
  app.service.serve(NEW_REPLY, NEW_TRIAGE)
  return app
}

const reportIn = ({ cwd }: AppWithPrompts): Promise<string> =>
  readFile(join(cwd, 'report.md'), 'utf8')

test('prompts pull --report writes the bytes of diff --impact --format markdown, from one read', async () => {
  const app = await appWithUpdate()
  const { cwd, service } = app
  await prompts(['diff', '--impact', '--format', 'markdown', '--output', 'diff.md'], app)
  for (const option of ['--dry-run', '--yes']) {
    service.forget()
    expect(await prompts([...REPORT, option], app)).toMatchObject({ code: 0 })
    expect(await reportIn(app)).toBe(await readFile(join(cwd, 'diff.md'), 'utf8'))
    expect(await reportIn(app)).toContain('\n+::error::no\n')
    expect(service.asked().toSorted()).toEqual([
      'GET /api/v1/prompts 200',
      'GET /api/v1/prompts 200',
      'GET /api/v1/prompts/reply 200',
      'GET /api/v1/prompts/triage 200',
    ])
  }
  await prompts([...REPORT, '--yes'], app)
  expect(await reportIn(app)).toMatch(/^<!-- unplugin-prompts -->\n### Prompts: nothing changed\n/)
})

test('prompts pull --report writes only the report of a pull that is refused or a dry run', async () => {
  const app = await appWithUpdate()
  const before = await filesIn(app.cwd)
  const refused = await prompts(REPORT, app)
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('Nothing else was') })
  expect(await reportIn(app)).toContain('**1 line stops compiling**')
  const dry = await prompts([...REPORT, '--skip-breaking', '--dry-run'], app)
  expect(dry).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('nothing else was written'),
  })
  const { 'report.md': report, ...rest } = await filesIn(app.cwd)
  expect(rest).toEqual(before)
  expect(report).toMatch(/^<!-- unplugin-prompts -->\n### Prompts: 1 text\n/)
  expect(report).toMatch(/\*\*Left as pinned\*\*.*\| `triage` \| `v22` → `v23` \|/s)
  expect(report).toContain('no line stops compiling (1 file checked)')
})

test('prompts pull writes nothing if its report cannot be written', async () => {
  const app = await appWithUpdate()
  await mkdir(join(app.cwd, 'report.md'))
  const before = await filesIn(app.cwd)
  for (const option of ['--yes', '--skip-breaking', '--fix']) {
    const run = await prompts([...REPORT, option, '--json'], app)
    expect(run).toMatchObject({ code: 1, json: { error: { code: 'FILE_UNWRITABLE' } } })
    expect(await filesIn(app.cwd)).toEqual(before)
  }
})

test('prompts pull --report and diff name places from the root of the repository', async () => {
  const service = await testService([TRIAGE])
  const code = "import { prompts } from 'virtual:prompts'\nprompts.triage.render({ ticket: '' })\n"
  const files = { 'apps/web/src/main.ts': code, 'apps/web/tsconfig.json': APP_TSCONFIG }
  const root = await pinnedProject(service, files, 'live', 'apps/web')
  const cwd = join(root, 'apps/web')
  await installTypes(cwd)
  commitAll(root)
  service.serve(NEW_TRIAGE)
  const app = { cwd, env: service.live }
  const place = '| `apps/web/src/main.ts:2:23` |'
  await prompts(REPORT, app)
  expect(await readFile(join(cwd, 'report.md'), 'utf8')).toContain(place)
  const diff = await prompts(['diff', '--impact', '--format', 'markdown'], app)
  expect(diff.stdout).toContain(place)
  await prompts([...REPORT, '--skip-breaking'], app)
  expect(await readFile(join(cwd, 'report.md'), 'utf8')).toContain(place.replaceAll('|', '').trim())
})
