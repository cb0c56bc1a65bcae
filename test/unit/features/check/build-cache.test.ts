import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkBuildCache } from '../../../../src/features/check/diagnose.ts'
import { openProject } from '../../../../src/features/project/project.ts'
import { appFiles } from '../../../helpers/monorepo.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

const BUILD = { outputs: ['dist/**'], env: ['PROMPTS_*'] }
const LOCAL = { 'apps/web/prompts.config.json': JSON.stringify({ lock: 'prompts.lock.json' }) }
const TOOL = {
  'apps/web/prompts.config.json': JSON.stringify({ apps: '../tool' }),
  'apps/tool/package.json': '{}',
}
const SHARED = 'Turborepo does not build apps/web, apps/site again when prompts.lock.json changes.'

/** What is found about a build cache by `apps/web`. */
async function cacheOf(turbo: object, files: Record<string, string> = {}): Promise<unknown> {
  const root = await temporaryFolder({
    ...appFiles('web', ''),
    ...appFiles('site', ''),
    'turbo.json': `// Tasks\n${JSON.stringify(turbo)}`,
    ...files,
  })
  const settings = { mode: 'production', options: {}, processEnv: {}, warn: () => undefined }
  return checkBuildCache(await openProject({ root: join(root, 'apps/web'), ...settings }))
}

const inputs = (...globs: readonly string[]): object => ({ tasks: { build: { inputs: globs } } })
const globally = { globalDependencies: ['*.lock.json'] }
const environment = { globalEnv: ['PROMPTS_ENVIRONMENT'] }

test.each<[string, object, string?]>([
  ['no input', { tasks: { build: BUILD } }, SHARED],
  ['other inputs', inputs('$TURBO_DEFAULT$', '../../*.md'), SHARED],
  ['the lock of the root as global', { ...globally, tasks: { build: BUILD } }],
  [
    'the lock from the root',
    { ...environment, ...inputs('src/**', '$TURBO_ROOT$/prompts.lock.json') },
  ],
  [
    'the lock from the package, and the variable as global',
    { ...environment, ...inputs('../../prompts.lock.json') },
  ],
  [
    'the lock, and not the variable',
    { ...globally, tasks: { build: {} } },
    SHARED.replace('prompts.lock.json', 'PROMPTS_ENVIRONMENT'),
  ],
])('finds whether Turborepo knows a shared lock: %s', async (_, turbo, message) => {
  const expected = message === undefined ? { state: 'ok' } : { state: 'error', message }
  expect(await cacheOf(turbo)).toMatchObject(expected)
})

test.each<[string, string, object, Record<string, string>]>([
  ['ok', 'by the default inputs', BUILD, { ...LOCAL, ...own({}) }],
  ['error', 'by the inputs of the package', BUILD, { ...LOCAL, ...own(inputs('src/**')) }],
  ['ok', 'if apps are built after its package', { ...BUILD, dependsOn: ['^build'] }, TOOL],
  ['error', 'if apps are not built after its package', { ...BUILD, dependsOn: [] }, TOOL],
])('reports %s for the lock of one package, which Turborepo knows or not %s', async (...given) => {
  const [state, , build, files] = given
  expect(await cacheOf({ tasks: { build } }, files)).toMatchObject({ state })
})

function own(turbo: object): Record<string, string> {
  return { 'apps/web/turbo.json': JSON.stringify({ extends: ['//'], ...turbo }) }
}
