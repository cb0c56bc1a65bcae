import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

const run = promisify(execFile)

/**
 * A folder that is a disk of its own.
 *
 * @param options - of `mount -t tmpfs`, such as `size=64k`
 * @returns `undefined` if this user may not mount
 */
export async function mountDisk(options: string): Promise<string | undefined> {
  const folder = await temporaryFolder()
  try {
    await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  } catch {
    return undefined
  }
  onTestFinished(async () => {
    await run('umount', [folder])
  })
  return folder
}

/** Changes the options of a disk. */
export async function remount(folder: string, options: string): Promise<void> {
  await run('mount', ['-o', `remount,${options}`, folder])
}
