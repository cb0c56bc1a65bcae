import { detect } from 'package-manager-detector/detect'
import { PACKAGE_NAME } from '../../core/workspace-name.ts'
import { isMonorepo, type ProjectFiles } from './project-files.ts'

interface PackageManager {
  /** Runs a binary of the project: `npx` in `npx prompts pull`. */
  readonly run: string
  /** Adds a development dependency: `npm install -D`. */
  readonly add: string
  /** The same in the root of a monorepo, if it needs an option there. */
  readonly addToRoot?: string
}

const NPM: PackageManager = { run: 'npx', add: 'npm install -D' }

const OTHERS: Readonly<Record<string, PackageManager>> = {
  pnpm: { run: 'pnpm', add: 'pnpm add -D', addToRoot: 'pnpm add -wD' },
  yarn: { run: 'yarn', add: 'yarn add -D', addToRoot: 'yarn add -W -D' },
  'yarn@berry': { run: 'yarn', add: 'yarn add -D' },
  bun: { run: 'bunx', add: 'bun add -d' },
}

/**
 * The package manager of a project, by its lock file or its package.json. In a monorepo these may be
 * in a folder above. Default: npm.
 *
 * @param root - absolute
 */
export async function findPackageManager(root: string): Promise<PackageManager> {
  const manager = await detect({ cwd: root })
  const { agent = '', name = '' } = manager ?? {}
  return OTHERS[agent] ?? OTHERS[name] ?? NPM
}

/** The command that installs this package in a project; `undefined` if the project depends on it. */
export async function installCommand(project: ProjectFiles): Promise<string | undefined> {
  if (project.dependencies.has(PACKAGE_NAME)) return undefined
  const { add, addToRoot = add } = await findPackageManager(project.root)
  return `${isMonorepo(project) ? addToRoot : add} ${PACKAGE_NAME}`
}

/**
 * Runs a command of the package manager. By a shell, because on Windows these are scripts.
 *
 * @param command - of {@link SetupPlan}, never from a user
 * @returns the end of its output if it failed, and `undefined` otherwise
 */
export async function runInstall(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<string | undefined> {
  // Loaded on use: the command line asks this file for `npx` at each start.
  const { exec } = await import('node:child_process')
  return new Promise((resolve, reject) => {
    exec(command, { cwd, env, signal, maxBuffer: Infinity }, (error, stdout, stderr) => {
      const lines = `${stdout}${stderr}`.trimEnd().split('\n')
      if (signal.aborted) reject(signal.reason as Error)
      else resolve(error === null ? undefined : lines.slice(-LINES_SHOWN).join('\n'))
    })
  })
}

/** Enough to see what a package manager complains about. */
const LINES_SHOWN = 10
