import { stat } from 'node:fs/promises'
import { errorCode } from '../errors/error-code.ts'

/**
 * Whether a file that a process made for its own work was left behind by one that is dead.
 *
 * @param pid - the process that made it
 */
export async function isAbandoned(path: string, pid: number): Promise<boolean> {
  if (pid !== process.pid) return !isAlive(pid)
  // Containers give every process the same number: one's own may be that of a dead one.
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
