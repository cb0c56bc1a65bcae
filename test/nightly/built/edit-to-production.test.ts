import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { recipe } from '../../helpers/workflow-page.ts'
import { AUTHOR, MIXED, pinnedOn, SAFE, appWithOrigin } from '../../built/app-with-origin.ts'

const { jobs } = recipe('.github/workflows/ci.yml') as {
  jobs: { build: { steps: { run?: string }[] } }
}
/** The steps of the page's job but those of npm. */
const GATE = jobs.build.steps.flatMap(({ run }) =>
  run === undefined || run.startsWith('npm ') ? [] : run,
)
const BUILD = ['npx vite build --ssr src/main.ts', 'node dist/main.js']

test('an edit goes through a pull, a report, a gate, a merge and a build to the span', async () => {
  const { origin, service, shell } = await appWithOrigin()
  const report = join(await temporaryFolder(), 'report.md')
  const pullOnto = (branch: string): Promise<string> =>
    shell(
      [
        `git checkout -b ${branch}`,
        `npx prompts pull --yes --report ${report}`,
        'git commit --all --message "Update prompts"',
      ],
      { ...service.live, ...AUTHOR },
    )
  service.serve(...SAFE)
  await pullOnto('update')
  expect(await readFile(report, 'utf8')).toContain('### Prompts: 1 text')
  expect(GATE).toHaveLength(2)
  await shell(GATE)
  await shell(['git checkout main', 'git merge update', 'git push origin main'], AUTHOR)
  expect(pinnedOn(origin, 'main')).toEqual(['reply@v4', 'triage@v22'])
  const attributes = (await shell(BUILD)).trim().split('\n').at(-1) ?? ''
  expect(JSON.parse(attributes)).toEqual({
    'gen_ai.prompt.name': 'reply',
    'gen_ai.prompt.version': 'v4',
    'unplugin_prompts.environment': 'live',
  })
  service.serve(...MIXED)
  await pullOnto('breaking')
  expect(await readFile(report, 'utf8')).toContain('**1 place stops working**')
  await expect(shell(GATE)).rejects.toMatchObject({ code: 3 })
})
