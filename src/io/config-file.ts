import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { PromptsError } from '../errors.ts'

const NAMES = ['ts', 'mts', 'js', 'mjs'].map((extension) => `prompts.config.${extension}`)

/** A configuration file's default export, not yet checked. */
export interface ConfigFile {
  readonly path: string
  readonly options: unknown
}

/**
 * Loads `prompts.config.ts` (or `.mts`, `.js`, `.mjs`) from a folder. The loader is only loaded
 * when there is such a file.
 *
 * @returns `undefined` when there is none
 * @throws PromptsError CONFIG_UNREADABLE
 */
export async function readConfigFile(folder: string): Promise<ConfigFile | undefined> {
  const path = NAMES.map((name) => join(folder, name)).find((candidate) => existsSync(candidate))
  if (path === undefined) return undefined
  try {
    const { loadConfig } = await import('unconfig')
    const { config } = await loadConfig<unknown>({
      cwd: folder,
      sources: { files: basename(path), extensions: [] },
      merge: false,
    })
    return { path, options: config }
  } catch (cause) {
    throw new PromptsError('CONFIG_UNREADABLE', { path }, { cause })
  }
}
