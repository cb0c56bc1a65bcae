import { stat } from 'node:fs/promises'
import { errorCode } from '../errors/error-code.ts'

/**
 * Whether a temporary file was left by a process that is no longer running.
 *
 * @param pid - the process that created it
 */
export async function isAbandoned(path: string, pid: number): Promise<boolean> {
  if (pid !== process.pid) return !isAlive(pid)
  // In containers, a new process often has the id of an earlier one.
  const stats = await stat(path).catch(() => undefined)
  return stats !== undefined && stats.mtimeMs < performance.timeOrigin
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}
