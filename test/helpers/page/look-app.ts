import type { PinnedPrompt } from '../../../src/core/prompt.ts'
import { APP_TSCONFIG } from '../app-folder.ts'
import { lockFrom, playgroundWorkspace } from './project.ts'

/** The playground's prompts as pinned before the service changed. */
export async function olderLock(): Promise<ReturnType<typeof lockFrom>> {
  const { environment, parts } = lockFrom(await playgroundWorkspace())
  const older = (part: PinnedPrompt): Partial<PinnedPrompt> | undefined =>
    part.environment === 'live' ? OLDER[part.slug]?.(part) : undefined
  return { environment, parts: parts.map((part) => ({ ...part, ...older(part) })) }
}

/** What the lock has instead of the fields that the service serves. */
const OLDER: Readonly<Record<string, (served: PinnedPrompt) => Partial<PinnedPrompt>>> = {
  'sales-follow-up': ({ user, source }) => ({
    version: 'v10',
    temperature: 0.5,
    user: user.replace('{{ contact }}', '{{ recipient }}'),
    source: source.replace('{{ contact }}', '{{ recipient }}'),
  }),
  'release-notes': () => ({ version: 'v5', temperature: 0.2 }),
  'incident-summary': () => ({ version: 'v8', model: 'claude-sonnet-4' }),
}

/** An app that an update would break. */
export const FILES: Readonly<Record<string, string>> = {
  'tsconfig.json': APP_TSCONFIG,
  'src/content/publish.ts': [
    `import { prompts } from 'virtual:prompts'`,
    '',
    `export const followUp = (recipient: string, call_notes: string) =>`,
    `  prompts.salesFollowUp.render({ product: 'Desk', recipient, call_notes }).text`,
  ].join('\n'),
  'src/sales/remind.ts': [
    `import { prompts } from 'virtual:prompts'`,
    '',
    'export function remind(recipient: string, call_notes: string) {',
    `  const product = 'Northwind Desk'`,
    '  return prompts.salesFollowUp.render({ product, recipient, call_notes }).messages',
    '}',
  ].join('\n'),
}
