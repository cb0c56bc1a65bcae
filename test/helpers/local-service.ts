import { onTestFinished } from 'vitest'
import type { PinnedPrompt } from '../../src/core/prompt.ts'
import { LOCAL_KEYS } from '../../src/local-service/respond.ts'
import {
  type LocalServer,
  type ServedRequest,
  type ServeOptions,
  startServer,
} from '../../src/local-service/serve.ts'
import type { Workspace, WorkspacePrompt } from '../../src/local-service/workspace.ts'
import { pinned } from './pinned.ts'

/** A prompt of a workspace: its live version, and what its staging version has otherwise. */
export type GivenPrompt = Partial<PinnedPrompt> & {
  readonly staging?: Partial<
    Pick<PinnedPrompt, 'folder' | 'model' | 'temperature' | 'version' | 'system' | 'user'>
  >
}

/** A workspace of prompts given by the fields that matter. */
export function workspaceOf(...given: readonly GivenPrompt[]): Workspace {
  const prompts = given.map(workspacePrompt)
  return { planStatus: 'active', prompts: new Map(prompts.map((prompt) => [prompt.slug, prompt])) }
}

function workspacePrompt({ staging, ...fields }: GivenPrompt): WorkspacePrompt {
  const live = pinned(fields)
  const { source: _, ...version } = live
  return { slug: live.slug, live, staging: staging ? pinned({ ...version, ...staging }) : null }
}

/** A local service that remembers what it was asked, in order. */
export interface RecordingServer extends LocalServer {
  readonly requests: readonly ServedRequest[]
}

/** Starts a local service that ends with the test. */
export async function startRecording(options: ServeOptions): Promise<RecordingServer> {
  const requests: ServedRequest[] = []
  const onRequest = (request: ServedRequest): void => {
    requests.push(request)
    options.onRequest?.(request)
  }
  const server = await startServer({ ...options, onRequest })
  onTestFinished(() => server.close())
  return { ...server, requests }
}

export interface TestService {
  readonly server: RecordingServer
  /** Variables by which the commands find it, with this key. */
  readonly live: Readonly<Record<string, string>>
  readonly test: Readonly<Record<string, string>>
  readonly both: Readonly<Record<string, string>>
  serve(...prompts: readonly GivenPrompt[]): void
  forget(): void
  /** What was asked, as `GET /path status`. */
  asked(): string[]
}

export async function testService(
  prompts: readonly GivenPrompt[],
  options: Partial<ServeOptions> = {},
): Promise<TestService> {
  // The server reads the workspace once.
  const served = new Map(workspaceOf(...prompts).prompts)
  const readWorkspace = () => Promise.resolve({ planStatus: 'trialing', prompts: served })
  const server = await startRecording({ readWorkspace, ...options })
  const live = { PROMPTS_BASE_URL: server.url, PROMPTS_API_KEY: LOCAL_KEYS.live }
  const test = { PROMPTS_BASE_URL: server.url, PROMPTS_TEST_API_KEY: LOCAL_KEYS.test }
  let start = 0
  return {
    server,
    live,
    test,
    both: { ...live, ...test },
    serve(...given) {
      served.clear()
      for (const [slug, prompt] of workspaceOf(...given).prompts) served.set(slug, prompt)
    },
    forget: () => void (start = server.requests.length),
    asked: () =>
      server.requests.slice(start).map(({ method, path, status }) => `${method} ${path} ${status}`),
  }
}
