import { openProject } from '../../src/features/project/project.ts'
import { folderWith } from './cli.ts'
import type { TestService } from './local-service.ts'
import { pull } from './pull.ts'

/**
 * A folder with the lock and the declarations of what the service serves now. It is pulled in this
 * process, which loads ts-morph once and not in each test.
 *
 * @param keys - the keys that the pull has
 */
export async function pinnedProject(
  service: TestService,
  files: Readonly<Record<string, string>> = {},
  keys: 'live' | 'test' | 'both' = 'live',
): Promise<string> {
  const root = await folderWith(files)
  const project = await openProject({
    root,
    mode: 'production',
    options: {},
    processEnv: service[keys],
    warn: () => undefined,
  })
  await pull(project)
  service.forget()
  return root
}
