import type { JSX } from 'preact'
import { formatCount } from '../../../../core/text/pluralize.ts'
import type { PageState, UseView } from '../../../protocol.ts'
import { withBadge } from '../../entries.ts'
import { usePage } from '../../use-page.ts'
import { Card, ShortList } from '../boxes.tsx'
import { EditorLink } from '../editor-link.tsx'
import { PromptLink, SearchButton } from '../pieces.tsx'

/** The maximum number of files shown, and of prompts in each. */
const FILES = 8
const PROMPTS = 5

/** The files of the app that use prompts, with the prompts of each. */
export function CodeMap(): JSX.Element {
  const { state, entries } = usePage()
  const { uses } = state
  const modules = 'modules' in uses ? uses.modules : []
  const unused = withBadge(entries, 'unused').length
  return (
    <Card
      title="In your code"
      note={modules.length > 0 && formatCount(modules.length)}
      look="code-map"
    >
      {modules.length === 0 && <p class="dim">{noneText(uses)}</p>}
      <ShortList items={modules} most={FILES} noun="file" look="divided">
        {(use) => (
          <li key={use.path}>
            <p class="file flow">
              <EditorLink file={use.file} path={use.path} />
              {use.side !== null && <span class={`side tiny ${use.side}`}>{use.side}</span>}
            </p>
            <PromptsOf use={use} />
          </li>
        )}
      </ShortList>
      {unused > 0 && (
        <SearchButton query="is:unused">{`Show ${formatCount(unused)} unused`}</SearchButton>
      )}
    </Card>
  )
}

function noneText(uses: PageState['uses']): string {
  if (uses.kind === 'pending') return 'Looking through the code…'
  if (uses.kind === 'error') return `The code can't be read: ${uses.error.why}`
  return 'No code uses prompts yet.'
}

/** The code may use prompts that are no longer in the lock; their links say so. */
function PromptsOf({ use: { mentions, escapes } }: { readonly use: UseView }): JSX.Element {
  const slugs = Object.keys(mentions)
  return (
    <p class="slugs small flow">
      {slugs.slice(0, PROMPTS).map((slug) => (
        <PromptLink key={slug} slug={slug} />
      ))}
      {slugs.length > PROMPTS && (
        <span class="dim">{`and ${formatCount(slugs.length - PROMPTS)} more`}</span>
      )}
      {(escapes.length > 0 || slugs.length === 0) && (
        <span class="dim">uses prompts dynamically</span>
      )}
    </p>
  )
}
