import type { Options } from '../../../config/options.ts'
import type { Lock } from '../../../core/prompt.ts'
import type { PullJson } from '../../output/json.ts'
import { openCommandProject } from '../../project-command.ts'
import { runPull } from '../pull/index.ts'

/**
 * What came of the first pull. `pinned`: there is a lock already. `waiting`: key or address is
 * missing. `uninstalled`: the configuration file imports this package, which is not there yet.
 */
export interface FirstPull {
  readonly state: 'pulled' | 'pinned' | 'waiting' | 'uninstalled'
  readonly pulled?: PullJson
  /** The lock after a pull. */
  readonly lock?: Lock
}

/**
 * Pulls if the lock file does not exist, and the key and the address are set.
 *
 * @throws PromptsError what a pull throws
 */
export async function firstPull(
  invocation: Parameters<typeof openCommandProject>[0],
  overrides: Options = {},
): Promise<FirstPull> {
  const project = await openCommandProject(invocation, overrides)
  const { apiKey, baseUrl } = project.options
  if ((await project.lock.readHash()) !== undefined) {
    // The options may have got another place for them.
    await project.writeGenerated(await project.readLock())
    return { state: 'pinned' }
  }
  if (apiKey === undefined || baseUrl === undefined) return { state: 'waiting' }
  invocation.terminal.messages.line()
  const { json: pulled } = await runPull({ ...invocation, project, values: {}, positionals: [] })
  return { state: 'pulled', pulled, lock: await project.readLock() }
}
