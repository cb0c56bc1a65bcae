import { join } from 'node:path'
import type { ServiceSetup } from '../../../features/init/init.ts'
import { readText } from '../../../fs/files.ts'
import {
  DEFAULT_FILE,
  EXAMPLE_WORKSPACE,
  parseWorkspace,
} from '../../../local-service/workspace-file.ts'
import { LOCAL_KEYS } from '../../../local-service/respond.ts'
import { DEFAULT_PORT, startServer } from '../../../local-service/serve.ts'
import type { Workspace } from '../../../local-service/workspace.ts'

/** What an app needs that takes its prompts from the local service. */
export async function exampleSetup(root: string): Promise<ServiceSetup> {
  const access = { baseUrl: `http://127.0.0.1:${DEFAULT_PORT}`, apiKey: LOCAL_KEYS.live }
  if ((await readText(join(root, DEFAULT_FILE))) !== undefined) return { access }
  const file = { name: DEFAULT_FILE, kind: 'created', text: EXAMPLE_WORKSPACE } as const
  return { access, files: [{ ...file, what: 'two example prompts, for `prompts serve`' }] }
}

/**
 * Serves the example on a free port while something reads it.
 *
 * @param work - gets the address
 * @throws PromptsError WORKSPACE_INVALID, and what `work` throws
 */
export async function withExampleService<Result>(
  root: string,
  work: (baseUrl: string) => Promise<Result>,
): Promise<Result> {
  const text = (await readText(join(root, DEFAULT_FILE))) ?? EXAMPLE_WORKSPACE
  const readWorkspace = async (): Promise<Workspace> => parseWorkspace(text, DEFAULT_FILE)
  const server = await startServer({ readWorkspace })
  return work(server.url).finally(server.close)
}
