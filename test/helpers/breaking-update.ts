import type { GivenPrompt } from './local-service.ts'
import { type AppWithPrompts, appWithPrompts } from './pinned-project.ts'

export const GONE: GivenPrompt = { slug: 'gone', version: 'v1', system: 'Bye' }
export const REPLY: GivenPrompt = { slug: 'reply', version: 'v3', system: 'Dear {{ name }}' }
export const TRIAGE: GivenPrompt = { slug: 'triage', version: 'v22', system: 'Sort {{ ticket }}' }

const CODE = `prompts.gone.render()
prompts.reply.render({ name: '' })
prompts.triage.render({ ticket: '' })`

/**
 * An app of three prompts: one is removed, one has a new text, one needs a new variable.
 *
 * @param others - more prompts, which don't change
 */
export async function appWithUpdate(...others: readonly GivenPrompt[]): Promise<AppWithPrompts> {
  const app = await appWithPrompts([GONE, REPLY, TRIAGE, ...others], CODE)
  app.service.serve(
    { ...REPLY, version: 'v4', system: 'Hello {{ name }}' },
    { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} by {{ tone }}' },
    ...others,
  )
  return app
}
