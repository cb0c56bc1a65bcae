import type { JSX } from 'preact'
import type { PageState, UseView } from '../../../protocol.ts'
import { hasBadge } from '../../entries.ts'
import { count } from '../../numbers.ts'
import { SEARCH } from '../../route.ts'
import { usePage } from '../../use-page.ts'
import { useRouter } from '../../use-route.ts'
import { EditorLink } from '../editor-link.tsx'
import { More } from '../impact.tsx'
import { PromptLink } from '../pieces.tsx'

/** The maximum number of files shown, and of prompts in each. */
const FILES = 8
const PROMPTS = 5

/** The files of the app that use prompts, with the prompts of each. */
export function CodeMap(): JSX.Element {
  const { state, entries } = usePage()
  const { set } = useRouter()
  const { uses } = state
  const modules = 'modules' in uses ? uses.modules : []
  const unused = entries.filter((entry) => hasBadge(entry, 'unused')).length
  return (
    <section class="card code-map" aria-label="In your code">
      <h2>In your code {modules.length > 0 && <span class="dim">{count(modules.length)}</span>}</h2>
      {modules.length === 0 && <p class="dim">{noneText(uses)}</p>}
      <ul class="divided">
        {modules.slice(0, FILES).map((use) => (
          <li key={use.path}>
            <p class="file flow">
              <EditorLink file={use.file} path={use.path} />
              {use.side !== null && <span class={`side ${use.side}`}>{use.side}</span>}
            </p>
            <PromptsOf use={use} />
          </li>
        ))}
      </ul>
      <More total={modules.length} shown={FILES} noun="file" />
      {unused > 0 && (
        <button type="button" class="button" onClick={() => set(SEARCH, 'is:unused')}>
          {`Show ${count(unused)} unused`}
        </button>
      )}
    </section>
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
    <p class="slugs flow">
      {slugs.slice(0, PROMPTS).map((slug) => (
        <PromptLink key={slug} slug={slug} />
      ))}
      {slugs.length > PROMPTS && (
        <span class="dim">{`and ${count(slugs.length - PROMPTS)} more`}</span>
      )}
      {(escapes.length > 0 || slugs.length === 0) && (
        <span class="dim">uses prompts dynamically</span>
      )}
    </p>
  )
}
