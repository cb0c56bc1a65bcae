import type { JSX } from 'preact'
import { accessOf } from '../../core/app-code.ts'
import { changeRows } from '../../core/change-row.ts'
import { comparePrompts } from '../../core/compare.ts'
import { describeEffects } from '../../core/describe-change.ts'
import { planNames } from '../../core/names.ts'
import { isEdited, partKey, type PinnedPrompt } from '../../core/prompt.ts'
import { countCharacters } from '../../core/text/pluralize.ts'
import { promptPath, type ViewName, VIEWS } from '../addresses.ts'
import type { ListedPrompt } from '../shown.ts'
import { BrokenCode, ChangeItem } from './changes.tsx'
import { EditView } from './edit.tsx'
import { ActButton, Decisions, nameOf } from './forms.tsx'
import { HistoryView } from './history.tsx'
import { CopyButton, Remote, RemoteCode, sizeOf } from './pieces.tsx'
import { withQuery } from './prompts.tsx'
import { changesOf, summaryOf, versionOf } from './rows.ts'
import { TextView } from './text-view.tsx'
import { Difference } from './texts.tsx'
import { useView } from './view.ts'

/** A prompt of the lock: what waits for it, its texts, a form to try and edit it, and its history. */
export function PromptPage({ prompt }: { prompt: ListedPrompt }): JSX.Element {
  const view = useView()
  const { slug, folder, version, model, temperature, system, user } = prompt
  const { identifiers } = planNames(view.prompts.map((other) => other.slug))
  const access = accessOf({ slug, identifier: identifiers.get(slug) ?? null })
  const open = view.place?.kind === 'prompt' ? view.place.view : 'text'
  const facts = [
    ...[folder, version, model].filter(Boolean),
    ...(temperature === null ? [] : [`temperature ${temperature}`]),
    sizeOf(countCharacters(system) + countCharacters(user)),
  ]
  return (
    <article class="page stack" aria-labelledby="slug">
      <header>
        <a class="back small" href={`/prompts${withQuery(view.query)}`} children="← All prompts" />
        <div class="flow">
          <h1 id="slug" children={<Remote text={slug} />} />
          <p class="access flow small">
            <RemoteCode text={access} />
            <CopyButton text={access} label="the code" />
          </p>
        </div>
        <p class="facts dim small" children={<Remote text={facts.join(' · ')} />} />
      </header>
      <HoldStrip part={prompt} />
      {prompt.staging && <HoldStrip part={prompt.staging} />}
      <BrokenCode slug={slug} />
      {open !== 'edit' && <Waiting prompt={prompt} />}
      <nav class="views" aria-label="Views of the prompt">
        {Object.entries(VIEWS).map(([name, label]) => {
          const path = promptPath(slug, name as ViewName) + withQuery(view.query)
          return (
            <a href={path} aria-current={name === open ? 'page' : undefined} children={label} />
          )
        })}
      </nav>
      {open === 'text' && <TextView prompt={prompt} />}
      {open === 'edit' && <EditView prompt={prompt} />}
      {open === 'history' && <HistoryView />}
    </article>
  )
}

/** What happens to a part that was edited here and is released. */
const RELEASED = 'The next pull brings the text of the service back.'

/** Why pulls leave a part and which update that is, or that it was edited here. */
function HoldStrip({ part }: { part: PinnedPrompt }): JSX.Element | null {
  const { changes, canWrite } = useView()
  const { held, environment } = part
  if (held === undefined && !isEdited(part)) return null
  const all = changes?.kind === 'known' ? changes.held : []
  const update = all.find((other) => partKey(other) === partKey(part))?.update
  const badge = `${isEdited(part) ? 'edited' : 'held'}${environment === 'test' ? ' in staging' : ''}`
  const waits = update && `Waits: ${versionOf(update)}, ${describeEffects(update, String)}`
  return (
    <div class="strip flow">
      <span class="badge held">{badge}</span>
      <Remote text={held ? held.reason || 'No pull changes it.' : RELEASED} />
      {waits && <span class="dim" children={<Remote text={waits} />} />}
      {held && canWrite && (
        <ActButton act="release" rows={[nameOf(part)]} about={part.slug} children="Release" />
      )}
    </div>
  )
}

/** What waits for the parts of a prompt and what to do, and how its staging part differs. */
function Waiting({ prompt }: { prompt: ListedPrompt }): JSX.Element {
  const changes = changesOf(useView()).filter(({ slug }) => slug === prompt.slug)
  const { staging } = prompt
  const [staged] = changeRows(staging ? comparePrompts([prompt], [staging]) : [])
  return (
    <>
      {changes.length > 0 && (
        <section aria-label="What waits">
          <h2 class="small dim">Waits in the service</h2>
          <ul class="change-list">
            {changes.map((change) => (
              <ChangeItem change={change} isAtPrompt />
            ))}
          </ul>
        </section>
      )}
      {changes.length === 0 && <Decisions of={prompt} />}
      {staged && (
        <details class="strip" id="staging">
          <summary
            children={<Remote text={`${staging?.version} in staging: ${summaryOf(staged)}`} />}
          />
          <div class="stack opened" children={<Difference row={{ ...staged, name: '' }} />} />
        </details>
      )}
    </>
  )
}
