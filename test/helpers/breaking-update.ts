import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PromptGiven } from './local-service.ts'
import { parsedLock } from './pinned.ts'
import { type PinnedApp, pinnedApp } from './pinned-project.ts'

export const GONE: PromptGiven = { slug: 'gone', version: 'v1', system: 'Bye' }
export const REPLY: PromptGiven = { slug: 'reply', version: 'v3', system: 'Dear {{ name }}' }
export const TRIAGE: PromptGiven = { slug: 'triage', version: 'v22', system: 'Sort {{ ticket }}' }

const CODE = `prompts.gone.render()
prompts.reply.render({ name: '' })
prompts.triage.render({ ticket: '' })`

/**
 * An app of three prompts: one is removed, one has a new text, one needs a new variable.
 *
 * @param others - more prompts, which don't change
 */
export async function movedOn(...others: readonly PromptGiven[]): Promise<PinnedApp> {
  const app = await pinnedApp([GONE, REPLY, TRIAGE, ...others], CODE)
  app.service.serve(
    { ...REPLY, version: 'v4', system: 'Hello {{ name }}' },
    { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} by {{ tone }}' },
    ...others,
  )
  return app
}

/** The prompts of a project's lock, as `slug@version text`. */
export async function pinnedIn(cwd: string): Promise<string[]> {
  const { parts } = parsedLock(await readFile(join(cwd, 'prompts.lock.json'), 'utf8'))
  return parts.map(({ slug, version, system }) => `${slug}@${version} ${system}`)
}
