import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openProject } from '../../src/features/project/project.ts'
import { langfuse } from '../../src/langfuse.ts'
import { APP_TSCONFIG, appFolder } from '../helpers/app-folder.ts'
import { prompts } from '../helpers/cli.ts'
import { LANGFUSE_KEYS, type LangfuseVersion, startLangfuse } from '../helpers/langfuse-server.ts'
import { press, textsIn } from '../helpers/page/ask.ts'
import { servedPage } from '../helpers/page/project.ts'

const FIRST: LangfuseVersion = {
  name: 'reply',
  prompt: 'Be kind.',
  config: { response_format: { type: 'text' } },
}
const NOTE = 'Answers in JSON now; ask @lena `why`\n::error::'
const WARNING = 'response_format in config is not pinned'

/** An app whose prompt was pinned, and whose author has changed only what a lock does not have. */
async function changedApp() {
  const versions = [FIRST]
  const env = { ...LANGFUSE_KEYS, LANGFUSE_BASE_URL: await startLangfuse(() => versions) }
  // Node would not load TypeScript: the configuration gets the service from here.
  vi.stubGlobal('service', langfuse())
  onTestFinished(() => void vi.unstubAllGlobals())
  const main = `import { prompts } from 'virtual:prompts'\nprompts.reply.render()\n`
  const cwd = await appFolder({
    'prompts.config.mjs': 'export default { service: globalThis.service }',
    'tsconfig.json': APP_TSCONFIG,
    'src/main.ts': main,
    'src/other.ts': main,
  })
  const first = await prompts(['pull', '--yes'], { cwd, env })
  const config = { response_format: { type: 'json_object' } }
  const next = { ...FIRST, version: 2, config, commitMessage: NOTE }
  versions.splice(0, 1, { ...FIRST, labels: [] }, next)
  return { cwd, env, first }
}

describe('what is said beside a change', () => {
  test('stands in the row of its prompt, in a terminal and in a report, and is not pinned', async () => {
    const { cwd, env, first } = await changedApp()
    expect(first.stdout).toMatch(/added +reply +v1 .*response_format in config is not pinned/)
    expect(first.stderr).not.toContain(WARNING)
    const args = ['pull', '--skip-breaking', '--report', 'report.md']
    const { stdout } = await prompts(args, { cwd, env })
    const said = 'reply +v1 → v2 +same text; response_format in config is not pinned; “Answers in'
    expect(stdout).toMatch(new RegExp(said))
    const [row = ''] = /^.*`reply`.*$/m.exec(await readFile(join(cwd, 'report.md'), 'utf8')) ?? []
    for (const part of ['response&#95;format', 'JSON now', '; used in `src/main.ts`, 1 more'])
      expect(row).toContain(part)
    for (const part of ['@lena', '`why`', '::error']) expect(row).not.toContain(part)
    expect(await readFile(join(cwd, 'prompts.lock.json'), 'utf8')).not.toMatch(/Answers|format/)
    const { json } = await prompts(['pull', '--json'], { cwd, env })
    expect(json).toMatchObject({ outcome: 'unchanged', changes: [] })
  })

  test('stands in the rows of a diff and of the page, once the text was read', async () => {
    const { cwd, env } = await changedApp()
    const { json } = await prompts(['diff', '--json'], { cwd, env })
    const note = NOTE.replace('\n', ' ')
    const row = { slug: 'reply', note, warnings: [WARNING], files: ['src/main.ts', 'src/other.ts'] }
    expect(json).toMatchObject({ prompts: [row] })
    expect((await prompts(['diff'], { cwd, env })).stdout).toContain(WARNING)
    const place = { root: cwd, mode: 'production', options: {}, processEnv: env }
    const open = () => openProject({ ...place, warn: () => undefined })
    const { url } = await servedPage({ open })
    await press(`${url}changes`, 'Check now')
    const page = await press(`${url}changes`, 'Fetch the text')
    const said = textsIn(page, 'p class="small"').join('\n')
    for (const part of [WARNING, 'Answers in JSON now', 'used in src/main.ts, 1 more'])
      expect(said).toContain(part)
  })

  test('is not said where the author says nothing, and where a note is no text, names it', async () => {
    const { cwd, env } = await changedApp()
    const notes = [undefined, null, '', 7]
    const list = async () => [{ slug: 'reply', liveVersion: 'v3' }]
    for (const note of notes) {
      const texts = { systemSource: 'Be kind.', userSource: '', note }
      vi.stubGlobal('service', { name: 'Own', secrets: [], list, get: async () => texts })
      // A configuration is evaluated anew.
      await writeFile(
        join(cwd, 'prompts.config.mjs'),
        `export default { service: globalThis.service } // ${note}`,
      )
      const run = await prompts(['diff', '--json'], { cwd, env })
      if (note !== 7) expect(run.json).toMatchObject({ prompts: [{ note: null, warnings: [] }] })
      else expect(run.json.error.why).toContain('$.note: expected a string')
    }
  })
})
