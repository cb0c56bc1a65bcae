import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PinnedPrompt } from '../../src/core/prompt.ts'
import type { PromptGiven } from './local-service.ts'
import { parsedLock } from './pinned.ts'
import { type AppWithPrompts, appWithPrompts } from './pinned-project.ts'

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
export async function appWithUpdate(...others: readonly PromptGiven[]): Promise<AppWithPrompts> {
  const app = await appWithPrompts([GONE, REPLY, TRIAGE, ...others], CODE)
  app.service.serve(
    { ...REPLY, version: 'v4', system: 'Hello {{ name }}' },
    { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} by {{ tone }}' },
    ...others,
  )
  return app
}

/** The parts of a project's lock, as `slug@version text`, with the reason of a hold behind. */
export async function pinnedIn(cwd: string): Promise<string[]> {
  return (await partsIn(cwd)).map(
    ({ slug, version, system, held }) => `${slug}@${version} ${system}${reasonOf(held)}`,
  )
}

/** The parts of a project's lock, as `slug@version`, with `+` for staging and the reason of a hold. */
export async function pinnedVersions(cwd: string): Promise<string[]> {
  return (await partsIn(cwd)).map(
    ({ slug, environment, version, held }) =>
      `${slug}@${version}${environment === 'test' ? '+' : ''}${reasonOf(held)}`,
  )
}

async function partsIn(cwd: string): Promise<readonly PinnedPrompt[]> {
  return parsedLock(await readFile(join(cwd, 'prompts.lock.json'), 'utf8')).parts
}

function reasonOf(held: PinnedPrompt['held']): string {
  return held === undefined ? '' : ` (${held.reason})`
}
