import type { JSX } from 'preact'
import { countRows, describeKept, describeKeptVersion } from '../../core/describe-change.ts'
import type { CodeLine } from '../../core/impact.ts'
import { describePart } from '../../core/prompt.ts'
import { formatCount, pluralize } from '../../core/text/pluralize.ts'
import { promptPath } from '../addresses.ts'
import { ActButton, Decisions, Fix, idOf } from './forms.tsx'
import { EditorLink, ErrorMessage, Message, Pieces, Reason, Remote } from './pieces.tsx'
import { canTake, type Change, changesOf, isOff, summaryOf, verdictOf, versionOf } from './rows.ts'
import { Difference, isShort } from './texts.tsx'
import { useView } from './view.ts'

/** What waits, whether it breaks the app, and each change with its diff. */
export function ChangesPage(): JSX.Element {
  return (
    <article class="page stack">
      <BrokenCode />
      <Comparison />
      <Kept />
    </article>
  )
}

/** The changes, or the state without any and the next step. */
function Comparison(): JSX.Element {
  const { changes } = useView()
  if (changes === undefined)
    return (
      <Message title="The service was not checked yet">
        Check now asks it for its list, which costs no read.
      </Message>
    )
  if (changes.kind === 'error') {
    const title = isOff(changes.error) ? 'No service is connected' : 'The service check failed'
    return <Message title={title} children={<ErrorMessage error={changes.error} />} />
  }
  if (changes.rows.length > 0) return <Waiting />
  return (
    <Message title={`Up to date, ${clockTime(changes.checkedAt)}`}>
      The service's list has neither texts nor temperatures, which can change under the same label.{' '}
      <code>prompts diff</code> compares them too, at one read for each version.
    </Message>
  )
}

const TIME = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** `14:05`, of milliseconds since 1970. */
export function clockTime(time: number): string {
  return TIME.format(time)
}

/** The versions in the service that pulls leave, with the reason of each. */
function Kept(): JSX.Element | null {
  const { changes } = useView()
  const kept = changes?.kind === 'known' ? changes.kept : []
  if (kept.length === 0) return null
  return (
    <section class="strip stack" aria-label="Not taken">
      <strong>{`${pluralize(kept.length, 'version')} in the service can't be taken`}</strong>
      <ul>
        {kept.map((part) => (
          <li class="flow small">
            <Remote text={describePart(part)} />
            <span class="dim" children={<Remote text={describeKeptVersion(part, String)} />} />
            <Remote text={describeKept(part, String)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The verdict, what can be read and checked, and the changes. */
function Waiting(): JSX.Element {
  const view = useView()
  const changes = changesOf(view)
  const { text, isBad } = verdictOf(changes)
  const used = changes.filter(({ isUsed }) => isUsed)
  const show = view.query.get('show') ?? ''
  const options = [
    ['', `All ${formatCount(changes.length)}`],
    ['used', `${formatCount(used.length)} that your code uses`],
  ]
  return (
    <>
      <header class="verdict">
        <h1 class={isBad ? 'bad' : ''} aria-live="polite" children={text} />
        <p class="dim">{`${pluralize(changes.length, 'change')}: ${countRows(changes).join(', ')}.`}</p>
        <Check changes={changes} />
      </header>
      {view.impact?.kind === 'error' && <ErrorMessage error={view.impact.error} />}
      {used.length < changes.length && (
        <nav class="choice" aria-label="Which changes are listed">
          {options.map(([value, label]) => (
            <a href={`?show=${value}`} aria-current={value === show} children={label} />
          ))}
        </nav>
      )}
      <ul class="change-list">
        {(show === 'used' ? used : changes).map((change, index, listed) => (
          <ChangeItem change={change} before={listed[index - 1]} />
        ))}
      </ul>
    </>
  )
}

/** The buttons that read texts, check the app and take what is safe, with their price. */
function Check({ changes }: { changes: readonly Change[] }): JSX.Element {
  const view = useView()
  if (view.isAnalysing) {
    const doing = view.uses ? 'Checking your code…' : 'Looking through the code…'
    return <p class="check dim" role="status" aria-busy="true" children={doing} />
  }
  const unread = changes.filter(({ change }) => change === null)
  const used = view.uses ? unread.filter(({ isChecked }) => !isChecked) : []
  const safe = changes.filter((change) => canTake(change, view))
  const namesOf = (rows: readonly Change[]): string[] => rows.map(({ name }) => name)
  const price = (rows: readonly Change[]): string => pluralize(rows.length, 'read')
  const check = `Check the ${formatCount(used.length)} that your code uses · ${price(used)}`
  const read = `Read all ${formatCount(unread.length)} · ${price(unread)}`
  const take = { act: 'take', rows: namesOf(safe), kind: used.length > 0 ? '' : 'primary' } as const
  return (
    <div class="check flow">
      {used.length > 0 && (
        <ActButton act="read" rows={namesOf(used)} kind="primary" children={check} />
      )}
      {safe.length > 0 && view.canWrite && (
        <ActButton {...take} children="Take what breaks nothing" />
      )}
      {unread.length > used.length && (
        <ActButton act="read" rows={namesOf(unread)} children={read} />
      )}
      {used.length > 0 && <span class="dim small">Not checked yet. Most plans meter reads.</span>}
    </div>
  )
}

interface ChangeItemProps {
  readonly change: Change
  /** The change above, which is in sight after an act. */
  readonly before?: Change | undefined
  /** Whether it stands on the page of its prompt, where a short difference is open. */
  readonly isAtPrompt?: boolean
}

/** One change in a line, which opens in place. */
export function ChangeItem({ change, before, isAtPrompt }: ChangeItemProps): JSX.Element {
  const id = idOf(change)
  const path = promptPath(change.slug)
  const read = { act: 'read', rows: [change.name], at: isAtPrompt ? undefined : id } as const
  const isOpen = change.class === 'breaking' || (isAtPrompt && isShort(change))
  const hasPage = change.kind !== 'added' && !isAtPrompt
  return (
    <li class="change" id={id}>
      <details open={isOpen} id={`${id}-details`}>
        <summary class="cluster bar">
          <span class="slug cut" children={<Remote text={describePart(change)} />} />
          <span class="versions dim small cut" children={<Remote text={versionOf(change)} />} />
          <span class="what cut small" children={<Remote text={summaryOf(change)} />} />
          <Effect change={change} />
        </summary>
        <div class="stack opened">
          <div class="sides">
            <div class="stack">
              <p class="small" children={<Remote text={summaryOf(change)} />} />
              {change.change === null && <ActButton {...read} children="Read the text · 1 read" />}
              <Difference row={change} />
            </div>
            <Places places={change.places} />
          </div>
          {hasPage && <a href={path} children={<Remote text={change.slug} />} />}
        </div>
      </details>
      <Decisions of={change} at={before && idOf(before)} />
      <Fix of={change} />
    </li>
  )
}

/** What a change breaks, in a few words. Red only for what is proven. */
function Effect({ change }: { change: Change }): JSX.Element {
  const { isUsed, isChecked, places } = change
  const [first, ...others] = places
  if (first !== undefined) {
    const isBreaking = change.class === 'breaking'
    const more = others.length > 0 ? ` +${others.length}` : ''
    const text = `${isBreaking ? 'breaks' : 'unproven:'} ${first.file}:${first.line}${more}`
    return <span class={`effect cut ${isBreaking ? 'bad' : ''}`}>{text}</span>
  }
  const text = isUsed ? (isChecked ? 'breaks nothing' : 'not checked') : 'not used'
  return <span class="effect dim cut">{text}</span>
}

/** The lines that a change breaks, and the unproven ones, with the reason of each; nothing for none. */
function Places({ places }: Pick<Change, 'places'>): JSX.Element | null {
  if (places.length === 0) return null
  return (
    <ul class="findings" aria-label="Lines that break or are unproven">
      {places.map(({ file, line, code, reason }) => (
        <li class="stack">
          <p class="flow">
            <EditorLink file={file} line={line} />
            <Reason text={reason} />
          </p>
          {code && <Code {...code} />}
        </li>
      ))}
    </ul>
  )
}

/** A line of code with the expression marked. */
function Code({ text, start, length }: CodeLine): JSX.Element {
  const end = start + length
  return (
    <pre class="code" role="group" tabIndex={0} aria-label="The line of code">
      <Pieces text={text.slice(0, start)} />
      <mark children={<Pieces text={text.slice(start, end)} />} />
      <Pieces text={text.slice(end)} />
    </pre>
  )
}

/**
 * The code that does not compile with the lock as it is, such as after a pull that was written anyway.
 *
 * @param slug - of the prompt. Default: of all
 */
export function BrokenCode({ slug }: { slug?: string }): JSX.Element | null {
  const { broken } = useView()
  const findings = broken?.kind === 'known' ? broken.findings : []
  const places = findings.filter((place) => slug === undefined || place.slug === slug)
  if (places.length === 0) return null
  const does = places.length === 1 ? 'place does' : 'places do'
  return (
    <section class="strip stack bad-strip" aria-label="Broken code" id="broken">
      <strong>{`${formatCount(places.length)} ${does} not compile with the lock`}</strong>
      <Places places={places} />
    </section>
  )
}
