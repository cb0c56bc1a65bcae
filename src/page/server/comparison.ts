import { classifyChanges } from '../../core/classify-change.ts'
import { comparePrompts, type PromptChange } from '../../core/compare.ts'
import type { PinnedPrompt } from '../../core/prompt.ts'
import { detectRename } from '../../core/rename.ts'
import { PromptsError } from '../../errors/prompts-error.ts'
import type { Project } from '../../features/project/project.ts'
import type { ComparisonView, CompareWith, PromptDifference } from '../comparison-protocol.ts'
import { otherKeyVariable } from './other-project.ts'
import type { TypeChecks } from './type-checks.ts'

/** The sources of the two sides of a comparison. */
export interface ComparisonSources {
  readonly project: Project
  /** The same workspace with the other key, if there is one. */
  readonly other: Project | undefined
}

/** The functions that a comparison calls. */
export interface ComparisonTools {
  /** Reads the prompt with a project's key; `undefined` if the service does not serve it. */
  readonly read: (project: Project) => Promise<PinnedPrompt | undefined>
  /** Finds what a change breaks in the app. */
  readonly impact: TypeChecks['impact']
}

/**
 * Compares one prompt of the lock: with the service (one read, which plans commonly meter), or live
 * with staging (two reads). A prompt that is not in the lock is not read.
 *
 * @throws PromptsError the errors of reading lock and service, KEY_MISSING for staging without a
 *   second key, SLUG_UNKNOWN if the lock has no such prompt
 */
export async function comparePrompt(
  sources: ComparisonSources,
  { slug, compareWith }: { readonly slug: string; readonly compareWith: CompareWith },
  { read, impact }: ComparisonTools,
): Promise<ComparisonView & { readonly kind: 'compared' }> {
  const lock = await sources.project.readLock()
  const pinned = lock.prompts.find((prompt) => prompt.slug === slug)
  if (pinned === undefined) {
    throw new PromptsError('SLUG_UNKNOWN', { slugs: [slug], where: 'The lock' })
  }
  const readSide = async (name: string, project: Project): Promise<Side> => ({
    name,
    prompt: await read(project),
  })
  const [before, after] = await (compareWith === 'service'
    ? Promise.all([{ name: 'Lock', prompt: pinned }, readSide('Service', sources.project)])
    : liveAndStaging(sources, readSide))
  const [change] = comparePrompts(toList(before.prompt), toList(after.prompt))
  const breaks = compareWith === 'service' && change !== undefined
  return {
    kind: 'compared',
    names: { before: before.name, after: after.name },
    ...differenceOf(change),
    impact: breaks ? await impact(lock, [change]) : null,
  }
}

/** The two sides of a change. */
export function differenceOf(change: PromptChange | undefined): PromptDifference {
  const updated = change?.kind === 'updated' ? change : undefined
  const after = change !== undefined && 'after' in change ? change.after : null
  const unchanged = change?.kind === 'unchanged' ? change.after : null
  const variables = updated?.variables ?? { added: [], removed: [] }
  const renamed = updated && detectRename(updated.before, updated.after, variables)
  return {
    before: change !== undefined && 'before' in change ? change.before : unchanged,
    after,
    class: classifyChanges(change === undefined ? [] : [change])[0]?.class ?? 'same',
    fields: updated?.fields ?? [],
    variables: { ...variables, renamed: renamed ?? null },
  }
}

interface Side {
  readonly name: string
  readonly prompt: PinnedPrompt | undefined
}

async function liveAndStaging(
  { project, other }: ComparisonSources,
  readSide: (name: string, project: Project) => Promise<Side>,
): Promise<[Side, Side]> {
  if (other === undefined)
    throw new PromptsError('KEY_MISSING', { variable: otherKeyVariable(project.options) })
  const own = project.options.environment === 'live'
  const [live, test] = own ? [project, other] : [other, project]
  return Promise.all([readSide('Live', live), readSide('Staging', test)])
}

function toList(prompt: PinnedPrompt | undefined): PinnedPrompt[] {
  return prompt === undefined ? [] : [prompt]
}
