import type { Lock, PinnedPrompt } from '../core/prompt.ts'
import { PromptsError } from '../errors/prompts-error.ts'
import { type PromptEntry, checkWorkspace, type VersionEntry } from './workspace-schema.ts'
import { readYaml } from './yaml-data.ts'

/** A version of a prompt. */
interface WorkspaceVersion {
  /** Its label, such as `v22`. */
  readonly version: string
  readonly system: string
  /** Empty if there is none. */
  readonly user: string
  /** System and user content concatenated. */
  readonly source: string
}

/** A prompt with its live and staging versions. */
export interface WorkspacePrompt {
  readonly slug: string
  readonly folder: string
  readonly model: string
  readonly temperature: number
  readonly live: WorkspaceVersion
  /** `null` if there is none; test keys then read the live version. */
  readonly staging: WorkspaceVersion | null
}

/** The data of the local service. */
export interface Workspace {
  readonly planStatus: string
  /** By slug, in the order of the list. */
  readonly prompts: ReadonlyMap<string, WorkspacePrompt>
}

const PLAN_STATUS = 'active'

/**
 * Reads a workspace file, which is YAML 1.2:
 *
 * ```yaml
 * planStatus: active            # optional, default "active"
 * prompts:
 *   - slug: support-triage
 *     folder: support
 *     model: gpt-5.1
 *     temperature: 0.2
 *     live: v22                 # the label of a version below
 *     staging: v23              # optional: the version for test keys
 *     versions:
 *       v22:
 *         system: |-
 *           You triage tickets.
 *         user: |-              # optional
 *           {{ ticket }}
 *       v23:
 *         system: |-
 *           You triage tickets. Be brief.
 * ```
 *
 * `|-` keeps the lines of a text without the last line end; `|` keeps that too. Line ends become LF. Labels
 * and slugs that YAML reads as numbers (`live: 22`) need quotes.
 *
 * @param path - path of the file in the error
 * @throws PromptsError WORKSPACE_INVALID with all problems
 */
export function parseWorkspace(text: string, path: string): Workspace {
  const yaml = readYaml(text)
  if (yaml.kind === 'unreadable') {
    throw new PromptsError('WORKSPACE_INVALID', { path, problems: yaml.problems })
  }
  const entries = checkWorkspace(yaml)
  const problems = [...yaml.problems, ...(entries.kind === 'invalid' ? entries.problems : [])]
  if (entries.kind === 'invalid' || problems.length > 0) {
    throw new PromptsError('WORKSPACE_INVALID', { path, problems })
  }
  const { planStatus, prompts } = entries.workspace
  return toWorkspace(planStatus, prompts.map(toPrompt))
}

/**
 * Creates a workspace from a lock. The pinned version of each prompt is its live version, so both keys
 * read the pinned text.
 */
export function workspaceFromLock(lock: Lock): Workspace {
  return toWorkspace(PLAN_STATUS, lock.prompts.map(fromPinned))
}

function toWorkspace(planStatus: string, prompts: readonly WorkspacePrompt[]): Workspace {
  return { planStatus, prompts: new Map(prompts.map((prompt) => [prompt.slug, prompt])) }
}

function fromPinned(pinned: PinnedPrompt): WorkspacePrompt {
  const { version, system, user, source, ...rest } = pinned
  return { ...rest, live: { version, system, user, source }, staging: null }
}

function toPrompt({ live, staging, versions, ...rest }: PromptEntry): WorkspacePrompt {
  return {
    ...rest,
    live: toVersion(live, versions),
    staging: staging === null ? null : toVersion(staging, versions),
  }
}

function toVersion(version: string, versions: ReadonlyMap<string, VersionEntry>): WorkspaceVersion {
  const entry = versions.get(version)
  // Unreachable: checkWorkspace checks the labels.
  if (entry === undefined) throw new RangeError(`There is no version ${version}.`)
  const source = [entry.system, entry.user].filter((text) => text !== '').join('\n\n')
  return { version, ...entry, source }
}
