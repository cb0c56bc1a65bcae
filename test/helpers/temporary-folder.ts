import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Contents by relative path. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** A folder with these files that is removed after the test. */
export async function temporaryFolder(files: Files = {}): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'prompts-')))
  // A build that fails rejects while its other parts may still write.
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  await writeFiles(folder, files)
  return folder
}

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}
