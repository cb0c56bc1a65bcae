import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const BLOCK = /^```ts\n(?<code>.*?)^```$/gms
const DECLARED = /(?:import|const) (?:type )?(?:\{(?<names>[^}]*)\}|(?<name>\w+))/g

/** The folder of the AI SDK 7, which needs a newer Node than this package: a nightly job installs it. */
export const AI_SDK_7: string | undefined = process.env['AI_SDK_7']

/** The TypeScript of a page. Examples of the AI SDK 5 and 6 import `ai`, and those of version 7 `ai-7`. */
export async function codeBlocks(page: string): Promise<string[]> {
  const text = await readFile(join(ROOT, page), 'utf8')
  return [...text.matchAll(BLOCK)].map(({ groups }) => {
    const code = groups?.['code'] ?? ''
    return usesAISDK6(code) ? code : code.replace(`from 'ai'`, `from 'ai-7'`)
  })
}

export function usesAISDK6(code: string): boolean {
  return code.includes('...toAISDK6(')
}

/** Which of these names a block uses without declaring them. */
export function namesToAdd(code: string, names: readonly string[]): string[] {
  const declared = new Set(
    [...code.matchAll(DECLARED)].flatMap(({ groups }) =>
      `${groups?.['names'] ?? ''},${groups?.['name'] ?? ''}`
        .split(',')
        .map((name) => name.trim().replace(/^type |.* as |.*: /g, '')),
    ),
  )
  return names.filter((name) => !declared.has(name) && new RegExp(`\\b${name}\\b`).test(code))
}
