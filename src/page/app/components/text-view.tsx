import type { JSX } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { findNotes } from '../../../core/notes.ts'
import { promptTexts } from '../../../core/prompt.ts'
import { parseTemplate } from '../../../core/template.ts'
import { formatCount } from '../../../core/text/pluralize.ts'
import type { ListedPrompt } from '../../protocol.ts'
import { page, project } from '../store.ts'
import { EditorLink } from './editor-link.tsx'
import { RemoteCode } from './pieces.tsx'
import { TextPanel, type TextPlace } from './text-panel.tsx'

/** The texts of a prompt, next to its variables, its uses and the line that pins it. */
export function TextView({ prompt }: { readonly prompt: ListedPrompt }): JSX.Element {
  const [target, setTarget] = useState<TextPlace>()
  const jump = (place: TextPlace): void => setTarget({ ...place })
  const { slug, lockLine } = prompt
  return (
    <div class="columns">
      <div class="stack">
        {promptTexts(prompt).map((text) =>
          text.field === 'user' && text.text === '' ? (
            <p key="user" class="dim">
              No user text.
            </p>
          ) : (
            <TextPanel key={text.field} text={text} target={target} />
          ),
        )}
      </div>
      <aside class="inspector stack small" aria-label="About the prompt">
        <section>
          <h2>Variables</h2>
          <Variables prompt={prompt} onJump={jump} />
        </section>
        <section>
          <h2>Used in</h2>
          <Uses slug={slug} />
        </section>
        <Notes prompt={prompt} onJump={jump} />
        <section>
          <h2>Pinned in</h2>
          <p>
            <EditorLink file={project().lockPath} line={lockLine ?? undefined} />
          </p>
        </section>
      </aside>
    </div>
  )
}

interface PartProps {
  readonly prompt: ListedPrompt
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

/** The places of each variable of a prompt, by name, in the order of the texts. */
function variablePlaces(prompt: ListedPrompt): Map<string, TextPlace[]> {
  const places = new Map<string, TextPlace[]>()
  for (const field of ['system', 'user'] as const) {
    let line = 1
    for (const part of parseTemplate(prompt[field])) {
      if (typeof part === 'string') line += part.split('\n').length - 1
      else {
        const all = places.get(part.name) ?? []
        places.set(part.name, all)
        all.push({ field, line })
      }
    }
  }
  return places
}

/** The lines of the app that use a prompt. */
function Uses({ slug }: { readonly slug: string }): JSX.Element {
  const { uses } = page()
  if (uses === undefined) return <p class="dim">Looking through the code…</p>
  if (uses.kind === 'error') {
    const { why, fix, code } = uses.error
    return <p class="dim">{`Unknown: ${why} ${fix} [${code}]`}</p>
  }
  const sites = uses.sites.filter((site) => site.slug === slug)
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
function Notes({ prompt, onJump }: PartProps): JSX.Element | null {
  const notes = useMemo(() => findNotes(prompt, Number.POSITIVE_INFINITY).first, [prompt])
  if (notes.length === 0) return null
  return (
    <section>
      <h2>Notes</h2>
      <ul>
        {notes.map(({ field, line, column, kind, excerpt }) => (
          <li key={`${field} ${line} ${column}`}>
            <button type="button" class="bare" onClick={() => onJump({ field, line })}>
              <RemoteCode text={excerpt} />
            </button>
            <span class="dim">{` ${field}, line ${line}, column ${column}: ${REASONS[kind]}`}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
