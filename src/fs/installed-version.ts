import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { errorCode, PromptsError } from '../errors/prompts-error.ts'
import { ancestorFolders } from './paths.ts'

/** The version of a package that code in a folder imports; `undefined` if it can't find one. */
export function installedVersion(folder: string, name: string): string | undefined {
  try {
    const require = createRequire(join(folder, 'package.json'))
    return (require(`${name}/package.json`) as { readonly version: string }).version
  } catch {
    return undefined
  }
}

/** Whether code in a folder finds a package; `undefined` without a folder `node_modules` there or above another folder. */
export function findsPackage(folder: string, name: string, other: string): boolean | undefined {
  try {
    createRequire(join(folder, 'package.json')).resolve(name)
    return true
  } catch (error) {
    // It is there, and has no such entry.
    if (errorCode(error) !== 'MODULE_NOT_FOUND') return true
    const above = [...ancestorFolders(folder), ...ancestorFolders(other)]
    return above.some((one) => existsSync(join(one, 'node_modules'))) ? false : undefined
  }
}

/** @throws PromptsError BUNDLER_UNSUPPORTED */
export function assertVersion(bundler: string, version: string, lowest: string): void {
  if (version.localeCompare(lowest, 'en', { numeric: true }) < 0)
    throw new PromptsError('BUNDLER_UNSUPPORTED', { bundler, version, lowest })
}

/** As in package.json. Older ones do not tell which module imports another. */
export const LOWEST_RSPACK = '1.3.0'

/** As in package.json. */
const LOWEST_VITE = '6.0.0'

/** The error about the Vite that a folder imports, if that is too old. */
export function unsupportedVite(folder: string): PromptsError | undefined {
  const version = installedVersion(folder, 'vite') ?? LOWEST_VITE
  return Number.parseInt(version) < Number.parseInt(LOWEST_VITE) ? viteError(version) : undefined
}

export function viteError(version: string): PromptsError<'BUNDLER_UNSUPPORTED'> {
  return new PromptsError('BUNDLER_UNSUPPORTED', { bundler: 'Vite', version, lowest: LOWEST_VITE })
}

/** The error about a Vitest that brings a version of Vite that is too old: Vitest 2 and older. */
export function vitestError(vite: string): PromptsError<'BUNDLER_UNSUPPORTED'> {
  const version = `with Vite ${vite}`
  return new PromptsError('BUNDLER_UNSUPPORTED', { bundler: 'Vitest', version, lowest: '3.0.0' })
}
