// The folders that the nightly jobs work in.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack } from './files.js'
import { lockOf, WITH_TEST_KEY } from './lock.js'

/** Gives an empty folder to a job and removes it at the end. */
export async function inFolder(job) {
  const folder = mkdtempSync(join(tmpdir(), 'prompts-nightly-'))
  try {
    return await job(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Gives a job a folder for apps, this package packed, and a lock before an update, with it in staging, and after it.
 * FRAMEWORKS_FOLDER keeps the installed apps there for the next run.
 */
export function withApps(job) {
  const { FRAMEWORKS_FOLDER: kept } = process.env
  return inFolder(async (scratch) => {
    const folder = kept ?? join(scratch, 'apps')
    mkdirSync(folder, { recursive: true })
    const locks = {
      old: await lockOf('v22', scratch),
      staged: await lockOf('v22', join(scratch, 'staged'), WITH_TEST_KEY),
      new: await lockOf('v23', scratch),
    }
    return job({ folder, locks, archive: await pack(folder) })
  })
}
