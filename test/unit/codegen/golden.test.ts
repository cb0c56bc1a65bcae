import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { printLock } from '../../../src/core/lock/print-lock.ts'
import { type Environment, type Lock, sortParts } from '../../../src/core/prompt.ts'
import type { PromptList, ServedPrompt } from '../../../src/core/service.ts'
import { printDeclarations } from '../../../src/codegen/declarations.ts'
import { planModule } from '../../../src/codegen/plan-module.ts'
import { printAll, printDefinitions, printEntry } from '../../../src/codegen/print-module.ts'
import { sha256 } from '../../../src/fs/files.ts'
import { readWorkspace } from '../../../src/service/read-workspace.ts'
import { LOCAL_KEYS } from '../../../src/local-service/respond.ts'
import { run } from '../../helpers/child-process.ts'
import { startLocalServer } from '../../helpers/local-server.ts'
import { openHosted } from '../../helpers/service-client.ts'

/**
 * Each folder shows one pull: what the service answers, and the lock, the modules and the
 * declarations that come of it. `vitest -u` writes them; under CI they are only compared.
 */
const FOLDER = join(import.meta.dirname, '../../golden')
const CASES = readdirSync(FOLDER).filter((name) => existsSync(join(FOLDER, name, 'service.json')))

/** What the service of a case answers. */
interface Service {
  readonly list: PromptList
  readonly prompts: readonly ServedPrompt[]
}

const IDS = {
  all: 'virtual:prompts/all',
  definitions: () => 'virtual:prompts/definitions',
  runtime: 'virtual:prompts/runtime',
}

/** Reads a case over real HTTP. */
async function pinCase(name: string): Promise<Lock> {
  const text = await readFile(join(FOLDER, name, 'service.json'), 'utf8')
  const { list, prompts }: Service = JSON.parse(text)
  const environment: Environment = prompts[0]?.environment ?? 'live'
  const url = await startLocalServer(({ url: path = '' }, response) => {
    const slug = decodeURIComponent(path.slice('/api/v1/prompts/'.length))
    const body = path === '/api/v1/prompts' ? list : prompts.find((prompt) => prompt.slug === slug)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  const service = openHosted(url, [LOCAL_KEYS[environment]])
  const { parts } = await readWorkspace(service, { isSelected: () => true, concurrency: 4 })
  return { parts: sortParts(parts) }
}

/** The modules of a lock in one text, each below its id. The test view has every prompt. */
function printModules(lock: Lock): string {
  const plan = planModule(lock, 'test')
  const modules = {
    'virtual:prompts': printEntry(plan, IDS, 'namespace'),
    'virtual:prompts/all': printAll(plan, IDS),
    'virtual:prompts/definitions': printDefinitions(plan, IDS),
    'virtual:prompts, where names must be identifiers': printEntry(plan, IDS, 'object'),
  }
  return Object.entries(modules)
    .map(([id, code]) => `// ${id}\n${code}`)
    .join('\n')
}

/** What to do about generated code that differs. */
const REMEDY =
  'Is it meant? `npx vitest run --config test/vitest.config.ts --project unit golden -u` accepts it.'

const PRINTED = {
  'prompts.lock.json': (lock: Lock) => printLock(lock, sha256),
  'module.js': printModules,
  'prompts.d.ts': (lock: Lock) => printDeclarations(planModule(lock, 'test')),
}

describe.each(CASES)('what the service of %s answers', (name) => {
  test.each(Object.entries(PRINTED))('is printed as this %s', async (file, print) => {
    const text = print(await pinCase(name))
    await expect(text, REMEDY).toMatchFileSnapshot(join(FOLDER, name, file))
  })
})

/** Prints a lock and its modules again. */
const AGAIN = `
import { printLock } from 'src/core/lock/print-lock.ts'
import { parseLock } from 'src/core/lock/parse-lock.ts'
import { planModule } from 'src/codegen/plan-module.ts'
import { printAll, printDefinitions } from 'src/codegen/print-module.ts'
import { sha256 } from 'src/fs/files.ts'
const [text, ids] = process.argv.slice(2)
const { lock } = parseLock(text, sha256)
const plan = planModule(lock, 'live')
const target = { ...JSON.parse(ids), definitions: () => 'virtual:prompts/definitions' }
const modules = [printAll, printDefinitions].map((print) => print(plan, target, 'namespace'))
const digest = sha256(JSON.stringify([printLock(lock, sha256), ...modules]))
console.log(digest, String(new Date(0).getHours()))
`

test('another time zone and locale make no difference', async () => {
  const lock = await pinCase('odd')
  const text = printLock(lock, sha256)
  const plan = planModule(lock, 'live')
  const [all, definitions] = [printAll(plan, IDS), printDefinitions(plan, IDS)]
  const env = { TZ: 'Asia/Tokyo', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }
  const args = [text, JSON.stringify(IDS)]
  const output = await run({ code: AGAIN, args, env, asThisUser: true })
  expect(output).toBe(`${sha256(JSON.stringify([text, all, definitions]))} 9\n`)
})
