import type { JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { formatCount } from '../../../core/text/pluralize.ts'
import type { UsageSite } from '../../../features/usage/usage.ts'
import type { PromptView } from '../entries.ts'
import { type TextPlace, variablePlaces } from '../places.ts'
import { useData } from '../store.ts'
import { CopyButton } from './copy-button.tsx'
import { EditorLink } from './editor-link.tsx'
import { RemoteCode } from './pieces.tsx'
import { TextPanel } from './text-panel.tsx'

/** The texts of a prompt, next to its variables, its uses and the line that pins it. */
export function TextView({
  prompt,
  sites,
}: {
  readonly prompt: PromptView
  readonly sites: readonly UsageSite[]
}): JSX.Element {
  const [target, setTarget] = useState<TextPlace>()
  const jump = (place: TextPlace): void => setTarget({ ...place })
  const { lockPath } = useData()
  return (
    <div class="columns">
      <div class="stack">
        <TextPanel prompt={prompt} field="system" target={target} />
        {prompt.user === '' ? (
          <p class="dim">No user text.</p>
        ) : (
          <TextPanel prompt={prompt} field="user" target={target} />
        )}
        {prompt.join === null && <TextPanel prompt={prompt} field="source" target={target} />}
      </div>
      <aside class="inspector stack small" aria-label="About the prompt">
        <section>
          <h2>Variables</h2>
          <Variables prompt={prompt} onJump={jump} />
        </section>
        <section>
          <h2>Used in</h2>
          <Uses sites={sites} />
        </section>
        {prompt.noteCount > 0 && <Notes prompt={prompt} onJump={jump} />}
        <section>
          <h2>Pinned in</h2>
          <p>
            <EditorLink file={lockPath} line={prompt.lockLine ?? undefined} />
          </p>
          <p class="flow">
            <code class="dim" title={prompt.integrity}>{`${prompt.integrity.slice(0, 17)}…`}</code>
            <CopyButton text={prompt.integrity} label="the hash" />
          </p>
        </section>
      </aside>
    </div>
  )
}

interface PartProps {
  readonly prompt: PromptView
  /** Shows a line of a text. */
  readonly onJump: (place: TextPlace) => void
}

/** The variables of a prompt. A click shows the next place of one in the texts. */
function Variables({ prompt, onJump }: PartProps): JSX.Element {
  const places = useMemo(() => variablePlaces(prompt), [prompt])
  const last = useRef({ name: '', index: 0 })
  if (places.size === 0) return <p class="dim">None.</p>
  const showNext = (name: string, all: readonly TextPlace[]): void => {
    const index = last.current.name === name ? (last.current.index + 1) % all.length : 0
    last.current = { name, index }
    const place = all[index]
    if (place !== undefined) onJump(place)
  }
  return (
    <ul class="flow">
      {[...places].map(([name, all]) => (
        <li key={name}>
          <button
            type="button"
            class="bare token"
            title="Show it in the text"
            onClick={() => showNext(name, all)}
          >
            <RemoteCode text={name} />
            {all.length > 1 && ` × ${formatCount(all.length)}`}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The lines of the app that use a prompt. */
function Uses({ sites }: { readonly sites: readonly UsageSite[] }): JSX.Element {
  const { uses } = useData()
  if (uses.kind === 'pending') return <p class="dim">Looking through the code…</p>
  if (uses.kind === 'error') {
    const { why, fix, code } = uses.error
    return <p class="dim">{`Unknown: ${why} ${fix} [${code}]`}</p>
  }
  const lines = new Map(sites.map((site) => [`${site.file}:${site.line}`, site]))
  const [escape] = uses.escapes
  return (
    <>
      {lines.size === 0 && <p class="dim">No code uses it.</p>}
      <ul class="uses">
        {[...lines].map(([name, { file, line, client }]) => (
          <li key={name}>
            <EditorLink file={file} line={line} />
            {client !== undefined && <span class="dim"> client</span>}
          </li>
        ))}
        {escape !== undefined && (
          <li>
            <EditorLink file={escape.file} line={escape.line} />
            <span class="dim"> may use any prompt</span>
          </li>
        )}
      </ul>
    </>
  )
}

const REASONS = {
  empty: 'empty braces stay text',
  foreign: 'not a variable name, stays text',
  unclosed: 'never closed, stays text',
} as const

/** The double braces of a prompt that aren't variables. A click shows one. */
function Notes({ prompt: { notes, noteCount }, onJump }: PartProps): JSX.Element {
  return (
    <section>
      <h2>Notes</h2>
      <ul class="notes">
        {notes.map(({ field, line, column, kind, excerpt }) => (
          <li key={`${field} ${line} ${column}`}>
            <button type="button" class="bare jump" onClick={() => onJump({ field, line })}>
              <RemoteCode text={excerpt} />
            </button>
            <span class="dim">{` ${field}, line ${line}, column ${column}: ${REASONS[kind]}`}</span>
          </li>
        ))}
        {noteCount > notes.length && (
          <li class="dim">{`… and ${formatCount(noteCount - notes.length)} more`}</li>
        )}
      </ul>
    </section>
  )
}
