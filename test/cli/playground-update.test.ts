import { cp, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import { installTypes } from '../helpers/app-folder.ts'
import { prompts } from '../helpers/cli.ts'
import { commitAll, git } from '../helpers/git-repository.ts'
import { serve } from '../helpers/http.ts'
import { parsedLock } from '../helpers/pinned.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** What the authors edit: a text, the name of a variable, a new variable, and a prompt that is removed. */
const EDITS: readonly (readonly [before: string | RegExp, after: string])[] = [
  ['Sort what you keep under', 'Sort all that you keep under'],
  ['{{ knowledge }}', '{{ facts }}'],
  ['in this tone: {{ tone }}.', 'in this tone: {{ tone }}, in {{ language }}.'],
  [/ {2}- slug: sql-explainer\n[^]*?(?=\n {2}- slug:)/, ''],
]

/** A committed copy of the playground, and the service that it reads, whose workspace was edited. */
async function editedPlayground(): Promise<{ cwd: string; env: Record<string, string> }> {
  const cwd = await temporaryFolder()
  await cp(join(ROOT, 'playground'), cwd, {
    recursive: true,
    filter: (path) => !/[\\/](?:dist|node_modules)$/.test(path),
  })
  await writeFile(join(cwd, 'prompts.config.ts'), "export default { exclude: 'ops/*' }\n")
  await writeFile(join(cwd, '.gitignore'), 'node_modules\n*.map\n')
  await installTypes(cwd)
  const yaml = await readFile(join(cwd, 'workspace.yaml'), 'utf8')
  await prompts(['pull', '--yes'], { cwd, env: await variablesOf(yaml) })
  commitAll(cwd)
  const edited = EDITS.reduce((text, [before, after]) => text.replace(before, after), yaml)
  return { cwd, env: await variablesOf(edited) }
}

/** Serves a workspace, and gives the variables by which the commands find it. */
async function variablesOf(yaml: string): Promise<Record<string, string>> {
  const { url } = await serve(yaml)
  return { PROMPTS_BASE_URL: url, PROMPTS_API_KEY: LOCAL_KEYS.live }
}

async function contractOf(cwd: string, slug: string): Promise<string | undefined> {
  const lock = parsedLock(await readFile(join(cwd, 'prompts.lock.json'), 'utf8'))
  return lock.parts.find((prompt) => prompt.slug === slug)?.source
}

test('an edit of the service is taken as far as it is safe, then fixed, and the rest is listed', async () => {
  const { cwd, env } = await editedPlayground()

  const safe = await prompts(['pull', '--skip-breaking', '--json'], { cwd, env })
  expect(JSON.parse(safe.stdout)).toMatchObject({
    outcome: 'written',
    changes: [{ slug: 'release-notes', class: 'text' }],
    skipped: [{ slug: 'sql-explainer' }, { slug: 'support-reply' }, { slug: 'support-triage' }],
  })

  const rename = ['--rename', 'support-reply:knowledge=facts']
  const args = ['pull', '--fix', ...rename, '--yes', '--json']
  const fixed = await prompts(args, { cwd, env })
  expect(JSON.parse(fixed.stdout)).toMatchObject({
    outcome: 'written',
    changes: [
      { slug: 'support-reply', effects: [{ from: 'knowledge', to: 'facts' }, { kind: 'text' }] },
    ],
    edits: [{ file: 'src/reply.ts', places: [{ line: 14 }] }],
    skipped: [
      {
        slug: 'sql-explainer',
        reason: '`sql-explainer` was removed and is in use',
        places: [{ file: 'src/explain-query.ts', line: 5, column: 22 }],
      },
      {
        slug: 'support-triage',
        reason: '`render` needs `language`, added in v22',
        places: [{ file: 'src/triage.ts', line: 9 }],
      },
    ],
  })
  expect(
    git(cwd, 'diff', '--unified=0', '--', 'src')
      .split('\n')
      .filter((line) => /^[-+] /.test(line)),
  ).toEqual([
    '-  return prompt.render({ product, customer_name: customer, ticket, knowledge }).messages',
    '+  return prompt.render({ product, customer_name: customer, ticket, facts: knowledge }).messages',
  ])
  expect(await contractOf(cwd, 'support-reply')).toContain('{{ facts }}')
  expect(await contractOf(cwd, 'support-triage')).not.toContain('{{ language }}')
  expect(await contractOf(cwd, 'sql-explainer')).toBeDefined()

  const check = await prompts(['check', '--offline'], { cwd, env })
  expect(check.code).toBe(0)
  const again = await prompts(args, { cwd, env })
  expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'unchanged', edits: [] })
})
