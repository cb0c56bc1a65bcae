/**
 * The hosted prompt service as a reader: one client for each key. The list is that of both keys, whose
 * workspaces must be the same.
 */
import { findWrapping, parseKey } from '../config/api-key.ts'
import type { ResolvedOptions, Setting } from '../config/resolve-options.ts'
import type { Environment, PinnedPrompt } from '../core/prompt.ts'
import type { PromptList, PromptService } from '../core/service.ts'
import { keyVariables } from '../core/workspace-name.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { clip, createMask, type Mask } from './mask.ts'
import { createSender, MEBIBYTE, type OutgoingRequest, type SenderOptions } from './sender.ts'
import { readList, readPrompt } from './wire.ts'

export interface ClientOptions extends SenderOptions {
  readonly baseUrl: string
}

export interface HostedOptions extends ClientOptions, Pick<ResolvedOptions, 'keys'> {
  /** Whether a test key is used. Default: it is. */
  readonly staging?: boolean | undefined
}

/** Opens the service with whatever keys there are. It sends nothing before the first call. */
export function openHostedService(options: HostedOptions): PromptService {
  const keys = keysByKind(options.keys)
  const open = (key: Key | undefined, own: ClientOptions = options): Client | undefined =>
    key && createClient(own, key)
  const live = open(keys.live)
  // The plan status is that of the live key.
  const silent = live && { ...options, onWarning: undefined }
  const test = options.staging === false ? undefined : open(keys.test, silent)
  const client = live ?? test
  if (client === undefined) throw keyMissing(options.name, 'live')
  return {
    readable: { live: live === undefined ? 'unstaged' : 'all', staging: test !== undefined },
    list: () => (live && test ? listBoth(live, test) : client.list()),
    async get({ slug, environment }) {
      const prompt = await ({ live, test }[environment] ?? client).get(slug)
      return prompt && { ...prompt, environment }
    },
  }
}

/** Returns which key reads what. Called before anything is sent, so a wrong key never leaves this machine. */
function keysByKind(settings: readonly Setting[]): Partial<Record<Environment, Key>> {
  const keys: Partial<Record<Environment, Key>> = {}
  for (const setting of settings) {
    const { value, source } = setting
    const parsed = parseKey(value)
    if ('problem' in parsed)
      throw new PromptsError(parsed.problem, { source, wrapping: findWrapping(value) })
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

/** Something may be published between two lists, but hardly twice. */
const LOOKS = 2

async function listBoth(live: Client, test: Client, look = 1): Promise<PromptList> {
  const [one, other] = await Promise.all([live.list(), test.list()])
  const differences = listDifferences(one, other)
  if (differences.length > 0) {
    if (look === LOOKS) throw new PromptsError('KEYS_OF_TWO_WORKSPACES', { differences })
    return listBoth(live, test, look + 1)
  }
  // Only a test key's list is certain to show what that key serves.
  const staging = new Map(other.prompts.map((entry) => [entry.slug, entry.stagingVersion]))
  const prompts = one.prompts.map((entry) => {
    return { ...entry, stagingVersion: staging.get(entry.slug) ?? null }
  })
  return { ...one, prompts }
}

/** The prompts that only one list has, or with another live version. */
function listDifferences(one: PromptList, other: PromptList): string[] {
  const labels = [one, other].map(
    ({ prompts }) => new Map(prompts.map(({ slug, liveVersion }) => [slug, liveVersion])),
  )
  const slugs = new Set(labels.flatMap((label) => [...label.keys()]))
  return [...slugs].flatMap((slug) => {
    const [live = 'missing', test = 'missing'] = labels.map((label) => label.get(slug))
    return live === test ? [] : [`${slug}: ${live} with the live key, ${test} with the test key`]
  })
}

export interface Key extends Setting {
  readonly environment: Environment
}

export interface Client {
  list(): Promise<PromptList>
  /** @returns `undefined` when the workspace has no prompt with that slug (404) */
  get(slug: string): Promise<Omit<PinnedPrompt, 'environment'> | undefined>
}

/**
 * The client of the hosted prompt service for one key. It sends nothing before the first call, and its
 * connections do not keep the process alive.
 *
 * Both operations reject with a PromptsError that never contains a key, or with the reason of an
 * abort.
 */
export function createClient(options: ClientOptions, key: Key): Client {
  const { environment } = key
  const mask = createMask(options.secrets)
  const send = createSender(options, options.baseUrl)
  let hasWarned = false
  const requestFor = (path: string): OutgoingRequest => ({
    path,
    keySource: key.source,
    headers: { authorization: `Bearer ${key.value}` },
  })
  return {
    list: () =>
      send({ ...requestFor(LIST_PATH), limit: 64 * MEBIBYTE }, (response, request) => {
        const list = readList(response, request)
        const header = response.header(STATUS_HEADER) ?? list.planStatus
        if (header !== list.planStatus && !hasWarned) {
          hasWarned = true
          options.onWarning?.(describeStatuses(clip(header, mask), clip(list.planStatus, mask)))
        }
        return list
      }),
    get: async (slug) =>
      send(requestFor(promptPath(slug, mask)), (response, request) =>
        response.status === 404 ? undefined : readPrompt(response, request, { slug, environment }),
      ),
  }
}

const STATUS_HEADER = 'x-service-plan-status'

/** The body has precedence, because the types are about the body. */
function describeStatuses(inHeader: string, inBody: string): string {
  return `The service reports different plan statuses: “${inHeader}” in the header ${STATUS_HEADER}, “${inBody}” in the body. The body is used.`
}

/** Path of the list, relative to the base address. */
const LIST_PATH = '/api/v1/prompts'

/** Returns the path of one prompt, with its slug as one encoded segment. Do not pass it to a URL parser. */
function promptPath(slug: string, mask: Mask): string {
  // URL parsers and servers remove these segments, percent-encoded or not.
  if (slug === '.' || slug === '..') throw new PromptsError('SLUG_UNSAFE', { slugs: [slug] })
  if (/\p{Surrogate}/u.test(slug)) {
    const problems = [`the slug ${clip(JSON.stringify(slug), mask)}`]
    throw new PromptsError('TEXT_UNPAIRED_SURROGATE', { problems })
  }
  return `${LIST_PATH}/${encodeURIComponent(slug)}`
}
