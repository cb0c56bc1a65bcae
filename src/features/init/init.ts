import { join } from 'node:path'
import type { Guard } from '../../config/options.ts'
import { type Bundler, type BundlerName, bundlers } from './bundlers.ts'
import {
  FOLDER_CONFIG,
  hasOtherService,
  importOf,
  planConfig,
  planManifest,
  planOptions,
} from './plan-config.ts'
import {
  planAttributes,
  planEnv,
  planExample,
  planIgnore,
  planIgnored,
  type ServiceAccess,
} from './text-files.ts'
import { installCommand } from './package-manager.ts'
import {
  type FileChange,
  type ManualStep,
  type PlannedPart,
  type ProjectFiles,
  readProjectFiles,
} from './project-files.ts'
import { writeText } from '../../fs/files.ts'

/** The service that a project is set up for. */
export interface ServiceSetup {
  /** What `.env.local` gets. Default: nothing. */
  readonly access?: ServiceAccess
  /** More files to create. Default: none. */
  readonly files?: readonly FileChange[]
}

export interface SetupPlan {
  readonly root: string
  readonly bundler: Bundler | undefined
  /** Empty if everything is set up. */
  readonly changes: readonly FileChange[]
  readonly manual: readonly ManualStep[]
  /** The line that imports the prompts. */
  readonly load: string
  /** The command that installs this package; `undefined` if the project depends on it. */
  readonly install: string | undefined
}

/**
 * Plans what a project still needs to use this package. Writes nothing.
 *
 * @param name - the bundler; `undefined` for none
 * @param client - what a build does about prompts in browser code. Default: not set
 */
export async function planSetup(
  root: string,
  name: BundlerName | undefined,
  { access = {}, files = [] }: ServiceSetup = {},
  client?: Guard,
): Promise<SetupPlan> {
  const project = await readProjectFiles(root)
  const bundler = bundlers.find((candidate) => candidate.name === name)
  const isBundled = bundler !== undefined || project.dependencies.has('wrangler')
  const generated = isBundled ? '**/prompts.d.ts' : 'prompts/**'
  const config = await planConfig(project, bundler)
  const parts = [
    // Before a key is written, here or by the user.
    await planIgnore(project),
    config,
    isBundled ? await planOptions(project, bundler, client) : {},
    await planManifest(project, config.change?.name === FOLDER_CONFIG),
    (await hasOtherService(project)) ? {} : await planExample(project),
    await planEnv(project, access),
    await planAttributes(project, generated.replace('**/prompts', 'prompts')),
    planCi(project),
    ...(await planIgnored(project, ['prompts.lock.json', generated])),
  ]
  return {
    root,
    bundler,
    changes: [...parts.flatMap(({ change }) => change ?? []), ...files],
    manual: parts.flatMap(({ manual }) => manual ?? []),
    load: await importOf(project, isBundled),
    install: await installCommand(project),
  }
}

/** What CI services are configured by. */
const CI_FILES = [
  '.github',
  '.gitlab-ci.yml',
  '.circleci',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
  'Jenkinsfile',
]

/** Suggests that CI never pulls, in a project that CI builds and that has no lock yet. */
function planCi({ names }: ProjectFiles): PlannedPart {
  if (names.has('prompts.lock.json') || !CI_FILES.some((file) => names.has(file))) return {}
  const what = 'Set this variable in CI, so that a missing lock fails the build instead of pulling:'
  return { manual: { what, lines: ['PROMPTS_PULL=never'] } }
}

export async function applySetup(root: string, changes: readonly FileChange[]): Promise<void> {
  for (const { name, text } of changes) await writeText(join(root, name), text, root)
}
