import type { JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { formatCount } from '../../../core/text/pluralize.ts'
import type { PromptView } from '../../protocol.ts'
import type { Mention, OpenEntry } from '../entries.ts'
import { type TextPlace, variablePlaces } from '../places.ts'
import { usePage } from '../use-page.ts'
import { CopyButton } from './copy-button.tsx'
import { EditorLink } from './editor-link.tsx'
import { RemoteCode } from './pieces.tsx'

interface PartProps {
  readonly prompt: PromptView
  /** Shows a line of a text. */
  readonly onJump: (place: TextPlace) => void
}

/** What is in the texts of a prompt, the places that use it, and where it is pinned. */
export function Inspector({
  entry: { prompt, mentions },
  onJump,
}: Pick<PartProps, 'onJump'> & { readonly entry: OpenEntry }): JSX.Element {
  return (
    <aside class="inspector small" aria-label="About the prompt">
      <section>
        <h2>Variables</h2>
        <Variables prompt={prompt} onJump={onJump} />
      </section>
      <section>
        <h2>Used by</h2>
        <Importers mentions={mentions} />
      </section>
      {prompt.notes.length > 0 && <Notes prompt={prompt} onJump={onJump} />}
      <section>
        <h2>Pinned in</h2>
        <Pin prompt={prompt} />
      </section>
    </aside>
  )
}

/** The variables of a prompt. A click shows the next place of one in the texts. */
function Variables({ prompt, onJump }: PartProps): JSX.Element {
  const places = useMemo(() => variablePlaces(prompt), [prompt])
  const shown = useRef({ name: '', index: 0 })
  if (places.size === 0) return <p class="dim">None.</p>
  const showNext = (name: string, all: readonly TextPlace[]): void => {
    const index = shown.current.name === name ? (shown.current.index + 1) % all.length : 0
    shown.current = { name, index }
    const place = all[index]
    if (place !== undefined) onJump(place)
  }
  return (
    <ul class="flow">
      {[...places].map(([name, all]) => (
        <li key={name}>
          <button
            type="button"
            class="jump bare token"
            title="Show it in the text"
            onClick={() => showNext(name, all)}
          >
            <RemoteCode text={name} />
            {all.length > 1 && <span class="times">{` × ${formatCount(all.length)}`}</span>}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The places in the app that use a prompt. */
function Importers({ mentions }: { readonly mentions: readonly Mention[] }): JSX.Element {
  const { uses } = usePage().state
  if (uses.kind === 'pending') return <p class="dim">Looking through the code…</p>
  if (uses.kind === 'error') {
    const { why, fix, code } = uses.error
    return <p class="dim">{`Unknown: ${why} ${fix} [${code}]`}</p>
  }
  if (mentions.length === 0) return <p class="dim">No code uses it.</p>
  return (
    <ul class="plain importers">
      {mentions.map(({ use: { file, path, side }, lines: [first, ...others], indirect }) => (
        <li key={path} class="flow">
          <EditorLink file={file} path={path} line={first} />
          {others.map((line) => (
            <EditorLink key={line} file={file} path={path} line={line}>
              {`:${line}`}
            </EditorLink>
          ))}
          {side !== null && <span class={`side tiny ${side}`}>{side}</span>}
          {indirect && <span class="dim">uses prompts dynamically</span>}
        </li>
      ))}
    </ul>
  )
}

const REASONS = {
  empty: 'empty braces stay text',
  foreign: 'not a variable name, stays text',
  unclosed: 'never closed, stays text',
} as const

function Notes({ prompt: { notes, noteCount }, onJump }: PartProps): JSX.Element {
  return (
    <section>
      <h2>Notes</h2>
      <ul class="notes">
        {notes.map(({ field, line, column, kind, excerpt }) => (
          <li key={`${field} ${line} ${column}`}>
            <button type="button" class="jump bare" onClick={() => onJump({ field, line })}>
              <RemoteCode text={excerpt} />
            </button>
            <span class="dim">{`${field}, line ${line}, column ${column}: ${REASONS[kind]}`}</span>
          </li>
        ))}
        {noteCount > notes.length && (
          <li class="dim">{`… and ${formatCount(noteCount - notes.length)} more`}</li>
        )}
      </ul>
    </section>
  )
}

/** The line of the lock and the hash that pin a prompt. */
function Pin({ prompt: { integrity, lockLine } }: Pick<PartProps, 'prompt'>): JSX.Element {
  const { lockPath, lockFile } = usePage().state
  return (
    <dl class="facts-list">
      <dt class="dim">Lock</dt>
      <dd>
        <EditorLink file={lockPath} path={lockFile} line={lockLine ?? undefined} />
      </dd>
      <dt class="dim">Hash</dt>
      <dd class="hash flow">
        <code title={integrity}>{`${integrity.slice(0, 15)}…`}</code>
        <CopyButton text={integrity} label="the hash" />
      </dd>
    </dl>
  )
}
