import type { JSX } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { promptVariables } from '../../../core/compare.ts'
import { findNotes } from '../../../core/notes.ts'
import { promptTexts } from '../../../core/prompt.ts'
import { textVariables } from '../../../core/template.ts'
import type { ListedPrompt } from '../../protocol.ts'
import { page, project } from '../store.ts'
import { EditorLink } from './editor-link.tsx'
import { RemoteCode } from './pieces.tsx'
import { TextPanel, type TextPlace } from './texts.tsx'

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

/** The variables of a prompt. A click shows the first place of one in the texts. */
function Variables({ prompt, onJump }: PartProps): JSX.Element {
  const lineOf = (field: 'system' | 'user', name: string): number =>
    prompt[field].split('\n').findIndex((line) => textVariables([line]).includes(name)) + 1
  const jump = (name: string): void => {
    const field = lineOf('system', name) > 0 ? 'system' : 'user'
    onJump({ field, line: lineOf(field, name) })
  }
  const names = promptVariables(prompt)
  return names.length === 0 ? (
    <p class="dim">None.</p>
  ) : (
    <ul class="flow">
      {names.map((name) => (
        <li key={name}>
          <button type="button" class="bare token" onClick={() => jump(name)}>
            <RemoteCode text={name} />
          </button>
        </li>
      ))}
    </ul>
  )
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
