import { holdsKey } from '../../core/api-key.ts'
import { classifyChanges } from '../../core/classify-change.ts'
import { comparePrompts } from '../../core/compare.ts'
import type { PinnedPrompt } from '../../core/prompt.ts'
import { likelyRename } from '../../core/rename.ts'
import { PromptsError } from '../../errors.ts'
import type { Project } from '../../project.ts'
import type { ComparisonView, CompareWith } from '../protocol.ts'
import { impactOf } from './impact.ts'
import { otherKeyVariable } from './other-project.ts'

/** What to compare, from where. */
export interface Comparable {
  readonly project: Project
  /** The same workspace seen with the other key, where there is one. */
  readonly other: Project | undefined
}

/**
 * Compares one prompt: the lock with what is served now (one read, which plans commonly meter), or
 * live with staging (two reads).
 *
 * @throws PromptsError what reading lock and service throws, KEY_MISSING for staging without a
 *   second key, SLUG_UNKNOWN where neither side has the prompt, TEXT_HOLDS_KEY
 */
export async function compareOne(
  sources: Comparable,
  slug: string,
  compareWith: CompareWith,
): Promise<ComparisonView & { readonly kind: 'compared' }> {
  const [before, after] = await (compareWith === 'service'
    ? lockAndService(sources, slug)
    : liveAndStaging(sources, slug))
  const changes = comparePrompts(only(before.prompt), only(after.prompt))
  const [change] = changes
  if (change === undefined) {
    throw new PromptsError('SLUG_UNKNOWN', { slugs: [slug], where: 'The workspace' })
  }
  const updated = change.kind === 'updated' ? change : undefined
  const variables = updated?.variables ?? { added: [], removed: [] }
  const renamed = updated && likelyRename(updated.before, updated.after, variables)
  return {
    kind: 'compared',
    names: { before: before.name, after: after.name },
    before: before.prompt ?? null,
    after: after.prompt ?? null,
    class: classifyChanges(changes)[0]?.class ?? 'same',
    fields: updated?.fields ?? [],
    variables: { ...variables, renamed: renamed ?? null },
    impact: compareWith === 'service' ? await impactOf(sources.project, change) : null,
  }
}

interface Side {
  readonly name: string
  readonly prompt: PinnedPrompt | undefined
}

async function lockAndService({ project }: Comparable, slug: string): Promise<[Side, Side]> {
  const { prompts } = await project.readLock()
  const pinned = prompts.find((prompt) => prompt.slug === slug)
  const served = await readOne(project, slug)
  return [
    { name: 'Lock', prompt: pinned },
    { name: 'Service', prompt: served },
  ]
}

async function liveAndStaging({ project, other }: Comparable, slug: string): Promise<[Side, Side]> {
  if (other === undefined)
    throw new PromptsError('KEY_MISSING', { variable: otherKeyVariable(project.options) })
  const own = project.options.environment === 'live'
  const [live, test] = own ? [project, other] : [other, project]
  const [before, after] = await Promise.all([readOne(live, slug), readOne(test, slug)])
  return [
    { name: 'Live', prompt: before },
    { name: 'Staging', prompt: after },
  ]
}

async function readOne(project: Project, slug: string): Promise<PinnedPrompt | undefined> {
  const served = await project.withService((service) => service.get(slug))
  if (served === undefined) return undefined
  const { folder, model, temperature, version, source, systemSource, userSource } = served
  const texts = { system: systemSource, user: userSource, source }
  const key = project.options.apiKey?.value
  const leaking = Object.entries(texts).filter(([, text]) => holdsKey(text, key))
  if (leaking.length > 0) {
    throw new PromptsError('TEXT_HOLDS_KEY', {
      problems: leaking.map(([field]) => `${slug}: ${field}`),
    })
  }
  return { slug, folder, model, temperature, version, ...texts }
}

function only(prompt: PinnedPrompt | undefined): PinnedPrompt[] {
  return prompt === undefined ? [] : [prompt]
}
