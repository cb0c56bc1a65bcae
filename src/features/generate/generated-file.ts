import { haveSameTokens } from '../../codegen/declarations.ts'
import { isGenerated } from '../../core/generated.ts'
import { readText } from '../../fs/files.ts'

export interface GeneratedFile {
  /** Absolute. */
  readonly path: string
  readonly text: string
}

/** Declarations as a formatter may have left them: the text of the file if it is current. */
export async function keepFormatting({ path, text }: GeneratedFile): Promise<GeneratedFile> {
  const current = (await readText(path))?.replaceAll('\r\n', '\n') ?? ''
  return { path, text: haveSameTokens(current, text) ? current : text }
}

/** Whether a path has a file that this package did not generate. */
export async function isForeign(path: string): Promise<boolean> {
  const text = await readText(path)
  return text !== undefined && !isGenerated(text)
}
