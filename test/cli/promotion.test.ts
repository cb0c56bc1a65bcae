import { expect, test } from 'vitest'
import { APP_TSCONFIG, appFolder } from '../helpers/app-folder.ts'
import { prompts } from '../helpers/cli.ts'
import { testService } from '../helpers/local-service.ts'
import { commandsUnder } from '../helpers/workflow-page.ts'

const LIVE = { slug: 'triage', version: 'v22', system: 'Sort {{ ticket }}' }
const SAFE = { version: 'v23', system: 'Rank {{ ticket }}' }
const BREAKING = { version: 'v23', system: 'Sort {{ ticket }} by {{ tone }}' }

test('the documented gate refuses a breaking staging version, and nothing else', async () => {
  const [command = '', ...others] = commandsUnder('From staging to live')
  expect(others).toEqual([])
  const gate = command.split(' ').slice(2)
  const service = await testService([LIVE])
  const cwd = await appFolder({
    'tsconfig.json': APP_TSCONFIG,
    'src/main.ts':
      "import { prompts } from 'virtual:prompts'\nprompts.triage.render({ ticket: 'T' })\n",
  })
  await prompts(['pull'], { cwd, env: service.live })
  const exitCode = async (): Promise<number | null> =>
    (await prompts(gate, { cwd, env: service.test })).code
  expect(await exitCode()).toBe(0)
  service.serve({ ...LIVE, staging: BREAKING })
  expect(await exitCode()).toBe(3)
  service.serve({ ...LIVE, staging: SAFE })
  expect(await exitCode()).toBe(0)
  service.serve({ ...LIVE, ...SAFE })
  const pull = await prompts(['pull', '--json'], { cwd, env: service.live })
  expect(JSON.parse(pull.stdout)).toMatchObject({
    outcome: 'written',
    changes: [{ slug: 'triage', version: { before: 'v22', after: 'v23' } }],
  })
  expect(await exitCode()).toBe(0)
})
