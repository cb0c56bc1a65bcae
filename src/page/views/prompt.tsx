/** A prompt of the lock: what waits for it, its texts, a form to try and edit it, and its history. */
import type { JSX } from 'preact'
import { accessOf } from '../../core/app-code.ts'
import { changeRows } from '../../core/change-row.ts'
import { comparePrompts, promptVariables } from '../../core/compare.ts'
import { describeEffects } from '../../core/describe-change.ts'
import { planNames } from '../../core/names.ts'
import { findNotes, NOTE_REASONS } from '../../core/notes.ts'
import { isEdited, partKey, type PinnedPrompt, promptTexts } from '../../core/prompt.ts'
import { promptPath, type ViewName, VIEWS } from '../addresses.ts'
import type { ListedPrompt, Versions } from '../shown.ts'
import { BrokenCode, ChangeItem, changesOf, type ChangesProps, KeptBack } from './changes.tsx'
import { EditView } from './edit.tsx'
import { ActButton, PartButtons } from './forms.tsx'
import { entriesOf, listedEntries, withQuery } from './list.tsx'
import {
  CopyButton,
  Difference,
  EditorLink,
  ErrorMessage,
  Remote,
  RemoteCode,
  sizeOf,
  summaryOf,
  TextPanel,
  useView,
  versionOf,
} from './parts.tsx'

interface PromptProps {
  readonly prompt: ListedPrompt
}

export function PromptPage({ prompt }: PromptProps): JSX.Element {
  const view = useView()
  const { slug, folder, version, model, temperature, system, user } = prompt
  // A name that another prompt has in staging only is free in the live view.
  const isLive = view.environment === 'live' && prompt.environment === 'live'
  const named = view.prompts.filter((other) => !isLive || other.environment === 'live')
  const { identifiers } = planNames(named.map((other) => other.slug))
  const access = accessOf({ slug, identifier: identifiers.get(slug) ?? null })
  const open = view.place?.view
  const degrees = temperature === null ? '' : `temperature ${temperature}`
  const facts = [folder, version, model, degrees, sizeOf(system, user)].filter(Boolean)
  const changes = changesOf(view).filter((change) => change.slug === slug)
  // A search that finds this prompt alone leads to it.
  const isOnly = listedEntries(entriesOf(view), view.query).length === 1
  const list = `/prompts${isOnly ? '' : withQuery(view.query)}`
  return (
    <article class="page stack" aria-labelledby="slug">
      <header>
        <a class="back small" href={list} children="← All prompts" />
        <div class="flow">
          <h1 id="slug" children={<Remote text={slug} />} />
          <p class="access flow small">
            <RemoteCode text={access} />
            <CopyButton text={access} label="the code" />
          </p>
          {view.canWrite && open !== 'edit' && <PartButtons part={prompt} />}
        </div>
        <p class="facts dim small" children={<Remote text={facts.join(' · ')} />} />
      </header>
      <Views changes={changes} prompt={prompt} />
      <HoldStrip part={prompt} />
      {prompt.staging && <HoldStrip part={prompt.staging} />}
      <BrokenCode slug={slug} />
      {open === 'update' && <UpdateView changes={changes} />}
      {open === 'text' && <TextView prompt={prompt} />}
      {open === 'edit' && <EditView prompt={prompt} />}
      {open === 'history' && <HistoryView />}
    </article>
  )
}

/** The views of a prompt, that of what waits for it first. */
function Views({ changes, prompt: { slug } }: ChangesProps & PromptProps): JSX.Element {
  const { place, query } = useView()
  const [update] = changes
  const part = update?.environment === 'test' ? 'staging ' : ''
  return (
    <nav class="views" aria-label="Views of the prompt">
      {Object.entries(VIEWS).map(([name, label]) => {
        const isOpen = name === place?.view
        if (name === 'update' && update === undefined && !isOpen) return null
        const path = promptPath(slug, name as ViewName) + withQuery(query)
        return (
          <a href={path} aria-current={isOpen ? 'page' : undefined}>
            {label} {name === 'update' && <Remote text={part + (update?.version.after ?? '')} />}
          </a>
        )
      })}
    </nav>
  )
}

/** What waits for the parts of a prompt, and what to do. */
function UpdateView({ changes }: ChangesProps): JSX.Element {
  if (changes.length === 0) return <p class="dim">The lock has what the service lists.</p>
  return (
    <ul class="change-list" aria-label="What waits">
      {changes.map((change) => (
        <ChangeItem change={change} isAtPrompt />
      ))}
    </ul>
  )
}

/** What happens to a part that was edited here and is no longer held. */
const UNHELD = 'The next pull brings the text of the service back.'

/** Why pulls leave a part and which update that is, or that it was edited here. */
function HoldStrip({ part }: { part: PinnedPrompt }): JSX.Element | null {
  const { changes, canWrite } = useView()
  const { held, environment } = part
  if (held === undefined && !isEdited(part)) return null
  const update = changes?.held?.find((other) => partKey(other) === partKey(part))?.update
  const badge = `${isEdited(part) ? 'edited' : 'held'}${environment === 'test' ? ' in staging' : ''}`
  const reason = held && (held.reason ? `Reason: ${held.reason}` : 'Pulls skip it.')
  const waits =
    update && `Update available: ${versionOf(update)}, ${describeEffects(update, String)}`
  return (
    <div class="strip flow">
      <span class="badge held">{badge}</span>
      <Remote text={reason ?? UNHELD} />
      {waits && <span class="dim" children={<Remote text={waits} />} />}
      {held && canWrite && <ActButton act="unhold" of={[part]} isNamed children="Unhold" />}
    </div>
  )
}

/** How the staging part of a prompt differs from its live part. */
function Staging({ prompt }: PromptProps): JSX.Element | null {
  const { staging } = prompt
  const [staged] = changeRows(staging ? comparePrompts([prompt], [staging]) : [])
  if (staged === undefined) return null
  const title = `${staging?.version} in staging: ${summaryOf(staged)}`
  return (
    <details class="strip" id="staging">
      <summary children={<Remote text={title} />} />
      <div class="stack opened" children={<Difference {...staged} />} />
    </details>
  )
}

/** The texts of a prompt, next to its variables, its uses and the line that pins it. */
function TextView({ prompt }: PromptProps): JSX.Element {
  const { lockPath } = useView()
  const names = promptVariables(prompt)
  const texts = promptTexts(prompt).map((text) =>
    text.text === '' ? <p class="dim">{`No ${text.field} text.`}</p> : <TextPanel {...text} />,
  )
  return (
    <div class="columns">
      <div class="stack">
        <Staging prompt={prompt} />
        {texts}
      </div>
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
          <Uses prompt={prompt} />
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
function Uses({ prompt: { slug } }: PromptProps): JSX.Element {
  const { uses } = useView()
  if (uses === undefined) return <p class="dim">Looking through the code…</p>
  if (uses.error) return <ErrorMessage {...uses.error} />
  const sites = uses.sites.filter((site) => site.slug === slug)
  const lines = new Map(sites.map((site) => [`${site.file}:${site.line}`, site]))
  const anyPrompt = uses.escapes.slice(0, 1)
  if (lines.size + anyPrompt.length === 0) return <p class="dim">No code uses it.</p>
  return (
    <ul class="uses">
      {[...lines.values()].map(({ file, line }) => (
        <li children={<EditorLink file={file} line={line} />} />
      ))}
      {anyPrompt.map(({ file, line }) => (
        <li>
          <EditorLink file={file} line={line} /> <span class="dim">may use any prompt</span>
        </li>
      ))}
    </ul>
  )
}

/** The double braces of a prompt that aren't variables, as links to their lines. */
function Notes({ prompt }: PromptProps): JSX.Element | null {
  const notes = findNotes(prompt, Number.POSITIVE_INFINITY).first
  if (notes.length === 0) return null
  return (
    <section>
      <h2>Notes</h2>
      <ul>
        {notes.map(({ field, line, column, kind, excerpt }) => (
          <li>
            <a href={`#${field}-${line}`} children={<RemoteCode text={excerpt} />} />
            <span class="dim">{` ${field}, line ${line}, column ${column}: ${NOTE_REASONS[kind]}`}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The versions of a prompt in git: a link shows what its commit changed, and how to get it back. */
function HistoryView(): JSX.Element | null {
  const { versions } = useView()
  if (versions === undefined) return null
  if (versions.error) return <ErrorMessage {...versions.error} />
  const { entries, end, chosen } = versions
  return (
    <ul class="change-list history">
      {entries.length === 0 && <li class="change">No commit has changed it.</li>}
      {entries.map(({ commit, date, author, subject, rows }) => {
        const isChosen = chosen?.commit === commit
        const link = rows && { href: `${isChosen ? '?' : `?at=${commit}`}#${commit}` }
        const label = rows?.map(versionOf).join(', ') ?? 'not a valid lock'
        const about = `${date.slice(0, 10)} · ${author} · ${commit.slice(0, 7)}`
        return (
          <li class="change" id={commit}>
            <a class="cluster bar" {...link} aria-current={isChosen || undefined}>
              <span class="versions cut slug" children={<Remote text={label} />} />
              <span class="what cut small" children={<Remote text={subject} />} />
              <span class="dim small cut" children={<Remote text={about} />} />
            </a>
            {isChosen && <Version {...chosen} />}
          </li>
        )
      })}
      {end !== 'start' && <li class="opened dim">Older commits are not here.</li>}
    </ul>
  )
}

/** What a commit changed, and what the lock would be with its version. */
function Version({ rows, back }: NonNullable<Versions['chosen']>): JSX.Element {
  const { canWrite, follow } = useView()
  return (
    <div class="opened stack">
      {rows.map((row) => (
        <section class="stack">
          <p class="small" children={<Remote text={summaryOf(row)} />} />
          <Difference {...row} />
        </section>
      ))}
      {back.length === 0 && <p class="dim">The lock has this version.</p>}
      {back.map((row) => {
        const { environment, change, version } = row
        if (change.after?.environment !== environment) return null
        const name = `Restore ${version.after}${environment === 'test' ? ' (staging)' : ''}`
        return (
          <details class="panel" open={follow && partKey(follow.of) === partKey(row)}>
            <summary class="button" children={<Remote text={`${name} …`} />} />
            <div class="stack opened">
              <p class="small dim">What would change in the lock:</p>
              <Difference {...row} name="as restored" />
              {canWrite && <ActButton act="restore" of={[row]} isNamed children="Restore" />}
              <KeptBack part={row}>
                <ActButton act="anyway" of={[row]} isNamed children="Pin anyway" />
              </KeptBack>
            </div>
          </details>
        )
      })}
    </div>
  )
}
