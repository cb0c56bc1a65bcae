import { symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Lock } from '../../../src/core/prompt.ts'
import { commitAll, git } from '../../helpers/git-repository.ts'
import { installedApp, NODE } from '../../helpers/installed-app.ts'
import { startModelService } from '../../helpers/model-service.ts'
import { liveLock, lockText } from '../../helpers/pinned.ts'
import { commandsUnder, filesUnder } from '../../helpers/workflow-page.ts'
import { installCommands } from '../../built/installed-commands.ts'
import { runLines } from '../../built/shell.ts'

/** The command of promptfoo, which needs a newer Node and 1.9 GB: `node test/nightly/promptfoo.js`. */
const PROMPTFOO = process.env['PROMPTFOO']

/** Two prompts; the text of one can change. */
function lockWith(triage: string): Lock {
  const user = '{{ ticket }} {{ tone }}'
  return liveLock(
    { slug: 'reply', system: 'Reply.', user },
    { slug: 'support-triage', system: triage, user },
  )
}

/** Runs the commands under a heading of the page, before and after the text of a prompt changes. */
async function runRecipe(
  heading: string,
  app: { readonly files: Record<string, string>; readonly packages?: readonly string[] },
): Promise<{ readonly asked: readonly unknown[]; readonly output: string }> {
  const files = { ...app.files, '.gitignore': 'node_modules\n' }
  const root = await installedApp({ ...app, lock: lockWith('Sort.'), files })
  const bin = await installCommands(root)
  if (PROMPTFOO !== undefined) await symlink(PROMPTFOO, join(bin, 'promptfoo'))
  commitAll(root)
  git(root, 'update-ref', 'refs/remotes/origin/main', 'HEAD')
  const model = await startModelService()
  const run = (): Promise<string> =>
    runLines([...commandsUnder('Evals'), ...commandsUnder(heading)], root, {
      PATH: [bin, dirname(NODE), process.env['PATH']].join(':'),
      HOME: root,
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'none',
    })
  await run()
  expect(model.bodies).toEqual([])
  await writeFile(join(root, 'prompts.lock.json'), lockText(lockWith('Rank {{ tone }}.')))
  const output = await run()
  const asked = model.bodies.map(({ messages }) => (messages as { content: string }[])[0]?.content)
  return { asked, output }
}

test('the Vitest recipe runs the evals of the changed prompts, and no others', async () => {
  const files = filesUnder('Evals in Vitest')
  const triage = files['evals/support-triage.eval.ts'] ?? ''
  files['evals/reply.eval.ts'] = triage.replaceAll('supportTriage', 'reply')
  const packages = ['vitest', 'openai']
  const { asked, output } = await runRecipe('Evals in Vitest', { files, packages })
  expect(asked).toEqual(['Rank calm.'])
  expect(output).toMatch(/Tests {2}1 passed/)
})

test.skipIf(PROMPTFOO === undefined)('the promptfoo recipe does the same', async () => {
  const files = filesUnder('Evals in promptfoo')
  for (const [path, text] of Object.entries(files)) {
    const other = text.replace('supportTriage', 'reply').replace('support-triage', 'reply')
    files[path.replace('support-triage', 'reply')] = other
  }
  // A value with a token: a second rendering would remove it.
  const config = files['evals/support-triage.yaml'] ?? ''
  files['evals/support-triage.yaml'] = config.replace('calm', "'{{ calm }}'")
  const { asked, output } = await runRecipe('Evals in promptfoo', { files })
  expect(asked).toEqual(['Rank {{ calm }}.'])
  expect(output).toContain('1 passed')
})
