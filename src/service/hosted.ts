/**
 * The hosted prompt service as a reader: one client for each key. The list is that of both keys, whose
 * workspaces must be the same.
 */
import { parseKey } from '../config/api-key.ts'
import type { ResolvedOptions, Setting } from '../config/resolve-options.ts'
import type { Environment } from '../core/prompt.ts'
import { listedParts, type PromptList, type PromptService, type Readable } from '../core/service.ts'
import { indexBySlug } from '../core/text/order.ts'
import { keyVariables } from '../core/workspace-name.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { type Client, type ClientOptions, createClient, type Key } from './client.ts'
import { type Clock, systemClock } from './retry.ts'

/** The keys of a workspace, by what they read. */
type Keys = Readonly<Partial<Record<Environment, Key | undefined>>>

export interface HostedOptions extends ClientOptions, Pick<ResolvedOptions, 'keys'> {
  /** Whether a test key is used. Default: it is. */
  readonly staging?: boolean | undefined
}

/**
 * Opens the service with whatever keys there are. It sends nothing before the first call.
 *
 * @param clock - time and randomness, for tests
 */
export function openHostedService(
  options: HostedOptions,
  clock: Clock = systemClock,
): PromptService {
  const { live, test } = keysByKind(options.keys)
  const keys = { live, test: options.staging === false ? undefined : test }
  if (keys.live === undefined && keys.test === undefined) throw keyMissing(options.name, 'live')
  const open = (key: Key | undefined): Client | undefined =>
    key && createClient(options, key, clock)
  const clients = { live: open(keys.live), test: open(keys.test) }
  return {
    readable: readableWith(keys),
    list: () => listBoth(clients),
    async get({ slug, environment }) {
      const client = clients[environment] ?? clients.test
      const prompt = await client?.get(slug)
      return prompt && { ...prompt, environment }
    },
  }
}

/** Returns which key reads what. Called before anything is sent, so a wrong key never leaves this machine. */
function keysByKind(settings: readonly Setting[]): Keys {
  const keys: Partial<Record<Environment, Key>> = {}
  for (const setting of settings) {
    const { value, source } = setting
    const parsed = parseKey(value)
    if ('problem' in parsed) throw new PromptsError(parsed.problem, { source })
    const { environment } = parsed
    const same = keys[environment]
    if (same !== undefined && same.value !== value)
      throw new PromptsError('KEYS_ALIKE', { environment, sources: [same.source, source] })
    keys[environment] ??= { ...setting, environment }
  }
  return keys
}

export function keyMissing(workspace: string, kind: Environment): PromptsError {
  return new PromptsError('KEY_MISSING', { variable: keyVariables(workspace)[kind], kind })
}

function readableWith({ live, test }: Keys): Readable {
  const unstaged = test === undefined ? 'none' : 'unstaged'
  return { live: live === undefined ? unstaged : 'all', staging: test !== undefined }
}

/** Something may be published between two lists, but hardly twice. */
const LOOKS = 2

async function listBoth(
  { live, test }: Readonly<Record<Environment, Client | undefined>>,
  look = 1,
): Promise<PromptList> {
  const [one, other] = await Promise.all([live?.list(), test?.list()])
  if (one === undefined || other === undefined) return one ?? other ?? NOTHING
  const differences = listDifferences(one, other)
  if (differences.length === 0) {
    // Only a test key's list is certain to show what that key serves.
    const staged = indexBySlug(other.prompts)
    const prompts = one.prompts.map((entry) => {
      const stagingVersion = staged.get(entry.slug)?.stagingVersion ?? null
      return { ...entry, stagingVersion }
    })
    return { ...one, prompts }
  }
  if (look === LOOKS) throw new PromptsError('KEYS_OF_TWO_WORKSPACES', { differences })
  return listBoth({ live, test }, look + 1)
}

/** Without a key, there is no service. */
const NOTHING: PromptList = { prompts: [], planStatus: '' }

/** The prompts that only one list has, or with another live version. */
function listDifferences(one: PromptList, other: PromptList): string[] {
  const labels = [one, other].map(
    ({ prompts }) =>
      new Map(prompts.map((entry) => [entry.slug, listedParts(entry)[0]?.version ?? 'missing'])),
  )
  const slugs = new Set(labels.flatMap((label) => [...label.keys()]))
  return [...slugs].flatMap((slug) => {
    const [live = 'missing', test = 'missing'] = labels.map((label) => label.get(slug))
    return live === test ? [] : [`${slug}: ${live} with the live key, ${test} with the test key`]
  })
}
