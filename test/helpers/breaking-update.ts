import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { APP_TSCONFIG, installTypes } from './app-folder.ts'
import { type PromptGiven, testService, type TestService } from './local-service.ts'
import { parsedLock } from './pinned.ts'
import { pinnedProject } from './pinned-project.ts'

export const GONE: PromptGiven = { slug: 'gone', version: 'v1', system: 'Bye' }
export const REPLY: PromptGiven = { slug: 'reply', version: 'v3', system: 'Dear {{ name }}' }
export const TRIAGE: PromptGiven = { slug: 'triage', version: 'v22', system: 'Sort {{ ticket }}' }

const FILES = {
  'tsconfig.json': APP_TSCONFIG.replace('["src"]', '["src", "prompts.d.ts"]'),
  'src/main.ts': `import { prompts } from 'virtual:prompts'
prompts.gone.render()
prompts.reply.render({ name: '' })
prompts.triage.render({ ticket: '' })
`,
}

/**
 * An app of three prompts: one is removed, one has a new text, one needs a new variable.
 *
 * @param others - more prompts, which don't change
 */
export async function movedOn(
  ...others: readonly PromptGiven[]
): Promise<{ cwd: string; service: TestService }> {
  const service = await testService([GONE, REPLY, TRIAGE, ...others])
  const cwd = await pinnedProject(service, FILES)
  await installTypes(cwd)
  service.serve(
    { ...REPLY, version: 'v4', system: 'Hello {{ name }}' },
    { ...TRIAGE, version: 'v23', system: 'Sort {{ ticket }} by {{ tone }}' },
    ...others,
  )
  return { cwd, service }
}

/** The prompts of a project's lock, as `slug@version text`. */
export async function pinnedIn(cwd: string): Promise<string[]> {
  const { parts } = parsedLock(await readFile(join(cwd, 'prompts.lock.json'), 'utf8'))
  return parts.map(({ slug, version, system }) => `${slug}@${version} ${system}`)
}
