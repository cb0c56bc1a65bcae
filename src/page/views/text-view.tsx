import type { JSX } from 'preact'
import { promptVariables } from '../../core/compare.ts'
import { findNotes } from '../../core/notes.ts'
import { promptTexts } from '../../core/prompt.ts'
import type { ListedPrompt } from '../shown.ts'
import { EditorLink, ErrorMessage, RemoteCode } from './pieces.tsx'
import { TextPanel } from './texts.tsx'
import { useView } from './view.ts'

/** The texts of a prompt, next to its variables, its uses and the line that pins it. */
export function TextView({ prompt }: { prompt: ListedPrompt }): JSX.Element {
  const { lockPath } = useView()
  const names = promptVariables(prompt)
  const texts = promptTexts(prompt).map((text) =>
    text.text === '' ? <p class="dim">{`No ${text.field} text.`}</p> : <TextPanel {...text} />,
  )
  return (
    <div class="columns">
      <div class="stack">{texts}</div>
      <aside class="inspector stack small" aria-label="About the prompt">
        <section>
          <h2>Variables</h2>
          {names.length === 0 && <p class="dim">None.</p>}
          <ul class="flow">
            {names.map((name) => (
              <li>
                <span class="token" children={<RemoteCode text={name} />} />
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h2>Used in</h2>
          <Uses slug={prompt.slug} />
        </section>
        <Notes prompt={prompt} />
        <section>
          <h2>Pinned in</h2>
          <EditorLink file={lockPath} line={prompt.lockLine} />
        </section>
      </aside>
    </div>
  )
}

/** The lines of the app that use a prompt. */
function Uses({ slug }: { slug: string }): JSX.Element {
  const { uses } = useView()
  if (uses === undefined) return <p class="dim">Looking through the code…</p>
  if (uses.kind === 'error') return <ErrorMessage error={uses.error} />
  const sites = uses.sites.filter((site) => site.slug === slug)
  const lines = new Map(sites.map((site) => [`${site.file}:${site.line}`, site]))
  const places = [
    ...[...lines.values()].map((site) => ({ ...site, note: site.client && 'client' })),
    ...uses.escapes.slice(0, 1).map((site) => ({ ...site, note: 'may use any prompt' })),
  ]
  if (places.length === 0) return <p class="dim">No code uses it.</p>
  return (
    <ul class="uses">
      {places.map(({ file, line, note }) => (
        <li>
          <EditorLink file={file} line={line} /> <span class="dim">{note}</span>
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

/** The double braces of a prompt that aren't variables, as links to their lines. */
function Notes({ prompt }: { prompt: ListedPrompt }): JSX.Element | null {
  const notes = findNotes(prompt, Number.POSITIVE_INFINITY).first
  if (notes.length === 0) return null
  return (
    <section>
      <h2>Notes</h2>
      <ul>
        {notes.map(({ field, line, column, kind, excerpt }) => (
          <li>
            <a href={`#${field}-${line}`} children={<RemoteCode text={excerpt} />} />
            <span class="dim">{` ${field}, line ${line}, column ${column}: ${REASONS[kind]}`}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
