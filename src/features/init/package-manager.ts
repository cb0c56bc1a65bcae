import { detect } from 'package-manager-detector/detect'

/** The commands of the package manager of a project. */
export interface PackageManager {
  /** Runs a binary of the project: `npx` in `npx prompts pull`. */
  readonly run: string
  /** Adds a development dependency: `npm install -D`. */
  readonly add: string
}

const NPM: PackageManager = { run: 'npx', add: 'npm install -D' }

const OTHERS: Readonly<Record<string, PackageManager>> = {
  pnpm: { run: 'pnpm', add: 'pnpm add -D' },
  yarn: { run: 'yarn', add: 'yarn add -D' },
  bun: { run: 'bunx', add: 'bun add -d' },
}

/**
 * The package manager of a project, by its lock file or its package.json. In a monorepo these may be
 * in a folder above. Default: npm.
 *
 * @param root - absolute
 */
export async function findPackageManager(root: string): Promise<PackageManager> {
  const found = await detect({ cwd: root })
  return OTHERS[found?.name ?? ''] ?? NPM
}
