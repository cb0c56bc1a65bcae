import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { PromptsError } from '../errors.ts'

const EXTENSIONS = ['ts', 'mts', 'js', 'mjs']

/** A configuration file's default export, not yet checked. */
export interface ConfigFile {
  readonly path: string
  readonly options: unknown
}

/**
 * Loads `prompts.config.ts` (or `.mts`, `.js`, `.mjs`) from a folder. The loader is only loaded
 * when there is such a file.
 *
 * @param name - of the workspace: what the file's name begins with
 * @returns `undefined` when there is none
 * @throws PromptsError CONFIG_UNREADABLE
 */
export async function readConfigFile(
  folder: string,
  name: string,
): Promise<ConfigFile | undefined> {
  const paths = EXTENSIONS.map((extension) => join(folder, `${name}.config.${extension}`))
  const path = paths.find((candidate) => existsSync(candidate))
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
