import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { errorCode } from '../../errors/error-code.ts'
import type { PluginInstance } from '../instance.ts'
import { assertNoKey } from '../output.ts'

/** As much of Next's `compiler` as is extended here. */
export interface CompilerConfig {
  readonly runAfterProductionCompile?: AfterCompile | undefined
}

type AfterCompile = (build: CompiledBuild) => Promise<void>

/** What Next reports about a build whose code is written. Both paths are absolute. */
interface CompiledBuild {
  readonly projectDir: string
  readonly distDir: string
}

/** The folders with the code for browsers and servers. The others hold caches and reports. */
const CODE = ['static', 'server']

/**
 * Searches what `next build` has compiled for the key, after the hook of the app. Turbopack has no
 * plugins, which do this elsewhere.
 */
export function withKeyScan(
  compiler: CompilerConfig | undefined,
  instance: Pick<PluginInstance, 'readOptions'>,
): CompilerConfig {
  return {
    ...compiler,
    async runAfterProductionCompile(build) {
      await compiler?.runAfterProductionCompile?.(build)
      const { apiKey } = await instance.readOptions(build.projectDir)
      if (apiKey === undefined) return
      for (const path of await codeFiles(build.distDir)) {
        const file = relative(build.distDir, path)
        // One after the other, since the output may not fit into memory.
        assertNoKey(apiKey, { file, content: await readFile(path) })
      }
    },
  }
}

async function codeFiles(folder: string): Promise<string[]> {
  const found = await Promise.all(CODE.map((name) => filesBelow(join(folder, name))))
  return found.flat()
}

async function filesBelow(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}
