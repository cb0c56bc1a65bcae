import { basename, dirname } from 'node:path'
import { generatedHeader } from '../../codegen/declarations.ts'
import { fileHeader } from '../../core/generated.ts'
import { outDirFiles } from '../../fs/generated-file.ts'

const MODULES = new Set(Object.values(outDirFiles('').modules))

/**
 * The folder of a file that `prompts generate --out-dir` wrote for a workspace.
 *
 * @returns `undefined` for any other file
 */
export function generatedFolder(
  { fileName, text }: { readonly fileName: string; readonly text: string },
  name: string,
): string | undefined {
  if (!MODULES.has(basename(fileName))) return undefined
  const [line = ''] = generatedHeader({ command: 'generate', name, environment: 'live' }).split(
    '\n',
  )
  return fileHeader(text).includes(line) ? dirname(fileName) : undefined
}
