import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PinnedPrompt } from '../../src/core/prompt.ts'
import { openProject } from '../../src/features/project/project.ts'
import { APP_TSCONFIG, installTypes } from './app-folder.ts'
import { folderWith } from './cli.ts'
import { type GivenPrompt, testService, type TestService } from './local-service.ts'
import { parsedLock } from './pinned.ts'
import { pull } from './pull.ts'

type Keys = 'live' | 'test' | 'both'

/** An app with pinned prompts, the service that it pulled them from, and how its commands are called. */
export interface AppWithPrompts {
  readonly cwd: string
  /** With the live key. */
  readonly env: Readonly<Record<string, string>>
  readonly service: TestService
}

/** A project with these prompts in its lock. */
export async function servedProject(
  prompts: readonly GivenPrompt[],
  files: Readonly<Record<string, string>> = {},
  keys: Keys = 'live',
): Promise<AppWithPrompts> {
  const service = await testService(prompts)
  return { cwd: await pinnedProject(service, files, keys), env: service.live, service }
}

/**
 * An app in TypeScript with these prompts in its lock and the types of this package.
 *
 * @param code - the statements of `src/main.ts` below its import
 * @param files - more files, or others in place of these
 */
export async function appWithPrompts(
  prompts: readonly GivenPrompt[],
  code: string,
  files: Readonly<Record<string, string>> = {},
  keys: Keys = 'live',
): Promise<AppWithPrompts> {
  const service = await testService(prompts)
  const cwd = await pinnedProject(
    service,
    {
      '.gitignore': 'node_modules\n*.d.ts*\n',
      'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
      'src/main.ts': `import { prompts } from 'virtual:prompts'\n${code}\n`,
      ...files,
    },
    keys,
  )
  await installTypes(cwd)
  return { cwd, env: service.live, service }
}

/**
 * A folder with the lock and the declarations of what the service serves now. It is pulled in this
 * process, which loads ts-morph once and not in each test.
 *
 * @param app - the folder of the app that pulls, from this one
 */
export async function pinnedProject(
  service: TestService,
  files: Readonly<Record<string, string>> = {},
  keys: Keys = 'live',
  app: string = '',
): Promise<string> {
  const root = await folderWith(files)
  const project = await openProject({
    root: join(root, app),
    mode: 'production',
    options: {},
    processEnv: service[keys],
    warn: () => undefined,
  })
  await pull(project)
  service.forget()
  return root
}

/** The parts of a project's lock, as `slug@version text`, with the reason of a hold behind. */
export async function pinnedIn(cwd: string): Promise<string[]> {
  return (await partsIn(cwd)).map(
    ({ slug, version, system, held }) => `${slug}@${version} ${system}${reasonOf(held)}`,
  )
}

/** The parts of a project's lock, as `slug@version`, with `+` for staging and the reason of a hold. */
export async function pinnedVersions(cwd: string): Promise<string[]> {
  return (await partsIn(cwd)).map(
    ({ slug, environment, version, held }) =>
      `${slug}@${version}${environment === 'test' ? '+' : ''}${reasonOf(held)}`,
  )
}

async function partsIn(cwd: string): Promise<readonly PinnedPrompt[]> {
  return parsedLock(await readFile(join(cwd, 'prompts.lock.json'), 'utf8')).parts
}

function reasonOf(held: PinnedPrompt['held']): string {
  return held === undefined ? '' : ` (${held.reason})`
}
